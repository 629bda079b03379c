"""Composition of a table's strip, from the known facts to the display in one language."""

import re
from collections.abc import Collection
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

from ...bus.status import Status
from ...bus.status_texts import Texts
from ...core.clock import Time, from_text, to_text
from ...text import floor_texts as t
from ...text.coded import render
from ...text.faults import Words
from ...text.table_words import TableWords
from ..shared_state.alarms import is_shelved, kind_of
from ..shared_state.documents import CallClaim, HeldAlarm, is_of_open_call
from . import page_messages as m

NOTHING = Texts("", "", "", "", "", "", "")


class StripViewer(Protocol):
    """Viewer of the floor, with the rights that a strip depends on."""

    @property
    def id(self) -> str:
        """Id in the registry of persons."""

    def acts_at(self, owner: str | None) -> bool:
        """True if the viewer may rule at a table that is assigned to this person."""


class Alarmed(Struct, frozen=True):
    """Alarm of a table for display. `standing`: True while its cause is there."""

    key: str
    held: HeldAlarm
    standing: bool


class StripFacts(Struct, frozen=True):
    """Facts from which a strip is composed. `silent`: last beat of a silent table; None: it is heard."""

    status: Status
    rank: int
    claim: CallClaim | None
    owner: str
    misreads: int | None
    silent: Time | None
    alarms: tuple[Alarmed, ...]
    now: Time


def strip(facts: StripFacts, language: str) -> m.Strip:
    """Compose a strip for a viewer without rights; `strip_for` adds what depends on the viewer."""
    status, words = facts.status, Words(language)
    texts = status.texts.get(language, NOTHING)
    return m.Strip(
        table=status.table,
        bay=bay(facts),
        order=_order(facts),
        game=texts.game or status.game,
        round=texts.round or str(status.round),
        dealer=status.dealer or "",
        life="halted" if status.halted is not None else status.life,
        says=texts.life or status.life,
        next=texts.next or status.next,
        until=status.deadline,
        left=status.left,
        shoe=status.shoe if status.size else None,
        misreads=facts.misreads,
        owner=facts.owner,
        mine=False,
        heard=None if facts.silent is None else to_text(facts.silent),
        call=call(facts, texts),
        alarms=tuple(_alarm(one, words, facts.now) for one in facts.alarms),
    )


def strip_for(strip: m.Strip, viewer: StripViewer, owner: str | None) -> m.Strip:
    """Return the strip for one viewer. `owner`: id of the person that the table is assigned to."""
    mine, call = viewer.acts_at(owner), strip.call
    if call is not None and call.claim is not None and call.claim.id == viewer.id:
        return replace(strip, mine=mine, call=replace(call, claim=replace(call.claim, mine=True)))
    return replace(strip, mine=mine) if mine else strip


def bay(facts: StripFacts) -> m.Bay:
    """Return the bay in which a table's strip lies."""
    status = facts.status
    if status.halted is not None or status.fault is not None:
        return "calls"
    if any(not is_shelved(one.held, facts.now) for one in facts.alarms):
        return "watch"
    return "playing" if status.is_playing and facts.silent is None else "resting"


def _order(facts: StripFacts) -> tuple[int, ...]:
    """Sort key of a strip within its bay, the smallest first.

    Calls: halted tables, then higher levels, longer waits and more money at risk. Watch: alarms that nobody has
    acknowledged, then the oldest.
    """
    status, where = facts.status, bay(facts)
    if where == "calls":
        level, since, money = _urgency(status)
        return (status.halted is None, -level, since, -money, facts.rank)
    if where == "watch":
        loud = [one.held for one in facts.alarms if not is_shelved(one.held, facts.now)]
        is_seen = all(one.acknowledged is not None for one in loud)
        return (is_seen, min(from_text(one.since) for one in loud), facts.rank)
    return (facts.rank,)


def _urgency(status: Status) -> tuple[int, Time, int]:
    fault = status.fault
    if fault is None or status.halted is not None:
        return 1, from_text(_halted_at(status)), 0
    return fault.calls + 1, from_text(fault.since), fault.money


def _halted_at(status: Status) -> str:
    """Time since which nothing can be recorded; for a table of an older version its last record."""
    return status.halted_at or status.at


def call(facts: StripFacts, texts: Texts) -> m.ShownCall | None:
    """Return the open call of a table: its halt, else its fault; None if it does not call."""
    status, fault = facts.status, facts.status.fault
    if status.halted is not None:
        seq, code, since, level, seen_by = 0, "halted", _halted_at(status), 1, None
    elif fault is not None:
        seq, code, since, level, seen_by = fault.seq, fault.code, fault.since, fault.calls + 1, fault.seen_by
    else:
        return None
    head, text = texts.head or code, texts.text or status.halted or ""
    return m.ShownCall(seq, code, head, text, since, level, texts.money, seen_by, shown_claim(facts.claim, status))


def shown_claim(claim: CallClaim | None, status: Status) -> m.ShownClaim | None:
    """Return the claim of the open call; None if it is unclaimed or the claim is of another call."""
    if claim is None or claim.id is None or not is_of_open_call(claim, status):
        return None
    return m.ShownClaim(claim.id, claim.name, claim.at, mine=False)


def _alarm(one: Alarmed, words: Words, now: Time) -> m.Alarm:
    held, kind = one.held, kind_of(one.key)
    shelved = held.shelved if is_shelved(held, now) else None
    return m.Alarm(
        key=one.key,
        kind=kind,
        head=head(kind, held, words),
        act=words.say(t.ACTS[kind]) if kind in t.ACTS else "",
        since=held.since,
        standing=one.standing,
        acknowledged=None if held.acknowledged is None else held.acknowledged.name,
        shelved=None if shelved is None else shelved.until,
        because="" if shelved is None else shelved.because,
    )


def head(kind: str, held: HeldAlarm, words: Words) -> str:
    """Return the title of an alarm in the viewer's language."""
    if kind == "lost":
        text = TableWords(words).device(held.text)
    else:
        text = held.text if held.message is None else render(held.message, words.say, held.text)
    if kind == "waiting" and text == "1":
        return words.say(t.ONE_WAITING)
    return words.say(t.HEADS[kind]).format(text=text) if kind in t.HEADS else f"{kind} {text}".rstrip()


def table_ranks(tables: Collection[str]) -> dict[str, int]:
    """Return the rank of each table by its name, numbers in numeric order: t2 before t10."""
    return {table: rank for rank, table in enumerate(sorted(tables, key=_natural))}


def _natural(name: str) -> tuple[int | str, ...]:
    return tuple(int(part) if part.isdecimal() else part for part in re.split(r"([0-9]+)", name))
