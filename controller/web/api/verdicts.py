"""Verdict on a command, made of the records that it led to.

Invariant: a verdict contains only records that are on disk, in the form in which the caller's audience may see them.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ...core import records as r
from ...core.codes import REASONS
from ...core.decide.together import refusal as refusal_in
from ...core.records import Record
from ...core.views import view
from ...text.faults import Words
from ...text.refusals import NOT_WHILE, WAITING, in_words
from .commands import Role

OWN_REASONS = (
    "ignored",
    "id_reused",
    "window_missing",
    "taken_back",
    "halted",
    "ending",
    "too_many",
)  # that no record has
Reason = Annotated[str, Meta(extra_json_schema={"enum": (*REASONS, *OWN_REASONS)})]


class Verdict(Struct, frozen=True, omit_defaults=True):
    """The answer to one command.

    done        the records say what it led to; none, where a bet was in already
    refused     nothing came of it, for this reason
    waiting     the record cannot be written now; it is carried out once it can, if the program lives. Ask again by
                sending it again under its id
    untaken     it was not looked at: send it again
    """

    id: str
    verdict: Literal["done", "refused", "waiting", "untaken"]
    reason: Reason | None = None
    says: str | None = None  # the reason in words
    records: tuple[dict[str, Any], ...] = ()


class Answer(Struct, frozen=True):
    """The body of an answer: one verdict for each command, in their order."""

    verdicts: tuple[Verdict, ...]


def judged(command: str, records: Sequence[Record], role: Role) -> Verdict:
    """Return the verdict of the command with this id.

    `records`: what it led to; `role`: role of the caller.
    """
    told = tuple(view(record, role) for record in records)
    refusal = refusal_in(records)
    if refusal is None:
        return Verdict(command, "done", records=told)
    if isinstance(refusal, r.Ignored) and refusal.reason is None:
        return Verdict(command, "refused", "ignored", NOT_WHILE.get(refusal.state, in_words("ignored")), told)
    reason = refusal.reason or "ignored"
    ruling = "resettle" if isinstance(refusal, r.ResettleRefused) else getattr(refusal, "ruling", "")
    return Verdict(command, "refused", reason, in_words(reason, ruling), told)


def reused(command: str) -> Verdict:
    """Return the verdict `refused`: the id was used before for a different command."""
    return Verdict(command, "refused", "id_reused", in_words("id_reused"))


def refused(command: str, reason: str) -> Verdict:
    """Return the verdict `refused` for a command that never reached the table. `reason`: its code."""
    return Verdict(command, "refused", reason, in_words(reason))


def waiting(command: str) -> Verdict:
    """Return the verdict `waiting`: the journal cannot be written now."""
    return Verdict(command, "waiting", "halted", WAITING)


def untaken(command: str, reason: str) -> Verdict:
    """Return the verdict `untaken`: the command was not processed and can be sent again.

    `reason`: its code.
    """
    return Verdict(command, "untaken", reason, in_words(reason))


def as_told(verdict: Verdict, words: Words) -> bytes:
    """Encode a verdict as JSON, with the reason in the caller's language."""
    says = None if verdict.says is None else words.tell(verdict.says)
    return msgspec.json.encode(verdict if says == verdict.says else replace(verdict, says=says))
