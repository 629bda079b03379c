"""Verdict on a command, with its records.

Invariant: a verdict contains only records that are on disk, in the form in which the caller's audience may see them.
"""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from ...core import records as r
from ...core.coded_message import CodedMessage, coded
from ...core.codes import REASONS
from ...core.decide.input_groups import refusal as refusal_in
from ...core.records import Record
from ...core.views import view
from ...text.coded import render
from ...text.faults import Words
from ...text.refusals import NOT_WHILE, refusal_message, refusal_sentence
from .commands import Role

OWN_REASONS = (
    "ignored",
    "id_reused",
    "window_missing",
    "taken_back",
    "halted",
    "ending",
    "too_many",
)  # reasons that are in no record
Reason = Annotated[str, Meta(extra_json_schema={"enum": (*REASONS, *OWN_REASONS)})]


class Verdict(Struct, frozen=True, omit_defaults=True):
    """The answer to one command.

    done        the command was carried out; `records` show its effect
    refused     the command had no effect; `reason` says why
    waiting     the record cannot be written now. The command is carried out as soon as it can, unless the program ends;
                send it again with the same id to ask for its verdict
    untaken     the command was not processed: send it again
    """

    id: str
    verdict: Literal["done", "refused", "waiting", "untaken"]
    reason: Reason | None = None
    says: str | None = None  # the reason in words
    records: tuple[dict[str, Any], ...] = ()
    message: CodedMessage | UnsetType = UNSET  # the reason in words, as a code with parts


class VerdictsAnswer(Struct, frozen=True):
    """Body of an answer: one verdict per command, in the same order."""

    verdicts: tuple[Verdict, ...]


def command_verdict(command: str, records: Sequence[Record], role: Role) -> Verdict:
    """Return the verdict of the command with this id.

    `records`: the records of the command; `role`: role of the caller.
    """
    views = tuple(view(record, role) for record in records)
    refusal = refusal_in(records)
    if refusal is None:
        return Verdict(command, "done", records=views)
    if isinstance(refusal, r.Ignored) and refusal.reason is None:
        has_text = refusal.state in NOT_WHILE
        message = coded(f"refused_while_{refusal.state}") if has_text else refusal_message("ignored")
        return _verdict(command, "refused", "ignored", message, views)
    reason = refusal.reason or "ignored"
    ruling = "resettle" if isinstance(refusal, r.ResettleRefused) else getattr(refusal, "ruling", "")
    return _verdict(command, "refused", reason, refusal_message(reason, ruling), views)


def _verdict(
    command: str,
    verdict: Literal["refused", "waiting", "untaken"],
    reason: str,
    message: CodedMessage,
    records: tuple[dict[str, Any], ...] = (),
) -> Verdict:
    return Verdict(command, verdict, reason, render(message, says=refusal_sentence(reason)), records, message)


def id_reused_verdict(command: str) -> Verdict:
    """Return the verdict `refused`: the id was used before for a different command."""
    return refused_verdict(command, "id_reused")


def refused_verdict(command: str, reason: str) -> Verdict:
    """Return the verdict `refused` for a command that never reached the table. `reason`: its code."""
    return _verdict(command, "refused", reason, refusal_message(reason))


def waiting_verdict(command: str) -> Verdict:
    """Return the verdict `waiting`: the journal cannot be written now."""
    return _verdict(command, "waiting", "halted", coded("waits_for_disk"))


def untaken_verdict(command: str, reason: str) -> Verdict:
    """Return the verdict `untaken`: the command was not processed and can be sent again.

    `reason`: its code.
    """
    return _verdict(command, "untaken", reason, refusal_message(reason))


def encode_verdict(verdict: Verdict, words: Words) -> bytes:
    """Encode a verdict as JSON, with the reason in the caller's language."""
    says = verdict.says
    if verdict.message is not UNSET:
        says = render(verdict.message, words.say, verdict.says or "")
    return msgspec.json.encode(verdict if says == verdict.says else replace(verdict, says=says))
