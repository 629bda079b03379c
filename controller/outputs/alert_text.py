"""What the shift manager is told of a fault away from the table: by mail, chat, phone. All its words are here.

An alert is made of what a view tells a manager, so that a hidden card stays hidden. It names even less: a
card that lay open when the fault came may lie face down when the alert is delivered.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import takewhile
from typing import Any

from msgspec import Struct

from ..core import records as r
from ..core.clock import Time, to_text
from ..core.records import Record
from ..core.views import view
from ..text.records import sentence, touched

KINDS = frozenset({
    "faulted", "escalated", "ruled", "resumed", "cancelled", "deck_suspect", "shoe_ended", "record_damaged",
    "sign_ins_refused",
})  # fmt: skip
ENDS = frozenset({"resumed", "cancelled"})  # of a pause
SHOWN = 20  # alerts that a summary lists

_CARD = re.compile(r"\b(?:(?i:(?:10|[2-9TJQK])[CDHS]|joker)|A[CDHS])\b")  # "as" and "ah" are words as well

# The level that a kind of record calls in.
CALLS: Mapping[type, Callable[[Any], int]] = {r.Faulted: lambda _: 1, r.Escalated: lambda what: what.level or 1}


class Alert(Struct, frozen=True):
    """One message. The id is that of its fault, and stands in the subject: who gets it twice can tell."""

    seq: int  # of the record it tells of
    at: Time
    id: str
    levels: frozenset[int]  # whom it is for
    subject: str
    body: str
    over: bool = False  # nobody has to come any more


def pause(back: Iterable[Record]) -> list[Record]:
    """Of records of these KINDS, the latest first: those of the pause that is on."""
    return list(takewhile(lambda record: record.kind not in ENDS, back))


def alert(record: Record, before: Sequence[Record], *, late: bool = False) -> Alert | None:
    """What is told of a record; None: nothing. `before`: the records of its pause up to it, the latest first.

    `late`: more of these KINDS has been recorded since.
    """
    if isinstance(record.what, r.RecordDamaged):
        return _damaged(record, record.what)
    if isinstance(record.what, r.SignInsRefused):
        return _guessing(record, record.what)
    if isinstance(record.what, r.DeckSuspect | r.ShoeEnded):
        return _about_cards(record, record.what)
    if isinstance(record.what, r.Faulted):
        return _call(record, record, before, late=late)
    fault = next((one for one in before if isinstance(one.what, r.Faulted)), None)
    if fault is None:  # a round can be void without a fault
        return None
    if record.kind in ENDS:
        return _end(record, fault, before)
    return _call(record, fault, before, late=late) if type(record.what) in CALLS else None


def _about_cards(record: Record, what: r.DeckSuspect | r.ShoeEnded) -> Alert | None:
    """Nothing is paused by it; who has the cards counted anew is the shift manager."""
    if isinstance(what, r.ShoeEnded) and not (what.missing or what.surplus or (what.unaccounted and _is_counted(what))):
        return None
    told = sentence(view(record, "manager"))
    subject = f"cards: table {record.table}, {_round(record)}"
    return _alert(record, record, frozenset({1}), subject, [told], over=True)


def _is_counted(what: r.ShoeEnded) -> bool:
    """Whether what was left in the shoe is known."""
    return what.left is not None or what.read_out > 0


def _call(record: Record, fault: Record, before: Sequence[Record], *, late: bool) -> Alert:
    event = view(fault, "manager")
    lines = [
        f"table {fault.table}, {_round(fault)}, dealer {fault.dealer or 'none'}: paused since {_when(fault.at)}",
        f"expected: {event['expected']}",
        *(["a second copy of a card lies open: the deck is suspect"] if event["suspect"] else []),
        f"came: {'a card' if late and event['draw'] is not None else event['got']}",
        f"may be ruled: {', '.join(event['rulings'])}",
    ]
    if told := touched(event["touched"], event["currency"]):
        lines.insert(3, told)
    subject = f"{event['code']}: table {fault.table}, {_round(fault)}"
    if record is not fault:
        return _alert(record, fault, frozenset({_level(record)}), f"nobody came: {subject}", lines)
    if ruled := _ruled(before):
        lines.append(f"it came out when {ruled.by} ruled {ruled.ruling} on {fault.table}#{ruled.fault}")
    return _alert(record, fault, _called([record, *before]), subject, lines)


def _end(record: Record, fault: Record, before: Sequence[Record]) -> Alert:
    """Play goes on, or the round is void."""
    void = isinstance(record.what, r.Cancelled)
    ruled = _ruled(before)
    lines = [_cardless(before[0])] if ruled else []
    if not (void and ruled):
        lines.append(_cardless(record))
    if void:
        lines.append("every stake goes back")
    how = f"ruled {ruled.ruling}: " if ruled else ""
    subject = f"{how}table {record.table}, {_round(record)} {'is cancelled' if void else 'goes on'}"
    return _alert(record, fault, _called(before), subject, lines, over=True)


def _damaged(record: Record, what: r.RecordDamaged) -> Alert:
    name, subject = f"{record.table}#{record.seq}", f"record damaged: table {record.table}"
    lines = (
        f"record {what.first}: {what.reason}",
        "a round that is on goes on, the next one does not open",
        "on its PC: `tablectl journal verify` says what stands; stop the table, put a sound copy there, start it",
    )
    return Alert(record.seq, record.at, name, frozenset({1}), f"[{name}] {subject}", "\n".join(lines))


def _guessing(record: Record, what: r.SignInsRefused) -> Alert | None:
    """Nothing is paused by it either; nobody is kept out but who guesses."""
    if not what.is_guessing:
        return None
    lines = [sentence(view(record, "manager")), f"for: {', '.join(what.people) or 'nobody who is known'}"]
    lines.append("who guesses waits longer each time; whoever has signed in somewhere before is let in there")
    return _alert(record, record, frozenset({1}), f"somebody guesses PINs: table {record.table}", lines, over=True)


def _alert(
    record: Record, fault: Record, levels: frozenset[int], subject: str, lines: list[str], *, over: bool = False
) -> Alert:
    name = f"{fault.table}#{fault.seq}"
    return Alert(record.seq, record.at, name, levels, f"[{name}] {subject}", "\n".join(lines), over)


def _cardless(record: Record) -> str:
    """A sentence that names no card."""
    event = view(record, "manager")
    for change in ("before", "after"):
        event[change] = {name: value for name, value in event.get(change, {}).items() if name != "card"}
    if _CARD.search(event.get("because", "")):
        event["because"] = ""
    return sentence(event)


def _ruled(before: Sequence[Record]) -> r.Ruled | None:
    """The ruling that led to what comes next."""
    what = before[0].what if before else None
    return what if isinstance(what, r.Ruled) else None


def _called(records: Sequence[Record]) -> frozenset[int]:
    """Everybody who was called in this pause."""
    return frozenset(_level(record) for record in records if type(record.what) in CALLS)


def _level(record: Record) -> int:
    return CALLS[type(record.what)](record.what)


def _round(record: Record) -> str:
    return f"round {record.round}" if record.round else "no round"


def _when(at: Time) -> str:
    return f"{to_text(at)[:19].replace('T', ' ')} UTC"


def summary(old: Sequence[Alert]) -> Alert:
    """Many that are too old to be news, in the order they came, as one."""
    last = old[-1]
    lines = [f"{_when(one.at)} {one.subject}" for one in old[-SHOWN:]]
    if len(old) > SHOWN:
        lines.insert(0, f"{len(old) - SHOWN} more came before these")
    subject = f"[{last.id}] {len(old)} alerts since {_when(old[0].at)} could not be delivered in time"
    return Alert(last.seq, last.at, last.id, last.levels, subject, "\n".join(lines), over=True)


def down(table: str, service: str) -> Alert:
    """What is sent when systemd has given a table up."""
    lines = (
        "its program ends again and again, and is not started any more",
        "no round goes on; one that was open waits in the record and comes back paused",
        f"on its PC: `systemctl status {service}` says why",
        f"then: systemctl reset-failed {service}; systemctl start {service}",
    )
    return Alert(0, 0, f"{table}#down", frozenset(), f"[{table}#down] table {table} is down", "\n".join(lines))


def trial(table: str, target: str) -> Alert:
    """What is sent to see whether a target can be reached."""
    body = f"table {table} can reach {target}: nothing has happened, this is a test"
    return Alert(0, 0, f"{table}#test", frozenset(), f"[{table}#test] test: table {table}", body, over=True)
