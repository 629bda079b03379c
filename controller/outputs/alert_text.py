"""Alerts for shift managers away from the table: mail, chat and phone, in the target's language.

An alert is built from a manager's view, so that a hidden card stays hidden. It names no cards at all: a card that lay
open at the fault may lie face down when the alert is delivered. A reason that a person typed can name one in any words,
so the reason of a ruling is told only once its round is void, whatever it says.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import takewhile
from typing import Any, cast

from msgspec import UNSET, Struct

from ..core import records as r
from ..core.clock import Time, to_text
from ..core.records import Record, RoundDifference
from ..core.withholding import withhold
from ..text import alert_texts as t
from ..text import story_texts, terms, touched_texts
from ..text.faults import Words
from ..text.money import money
from ..text.table_story import reason_text, tell
from ..text.table_words import TableWords

FAULTS = frozenset({"faulted", "escalated", "ruled", "resumed", "cancelled"})
OTHERS = frozenset(
    {"deck_suspect", "shoe_ended", "shoe_ready", "record_damaged", "sign_ins_refused", "exposure_warned"}
)
KINDS = FAULTS | OTHERS
ENDS = frozenset({"resumed", "cancelled"})  # records that end a pause
SHOWN = 20  # alerts that a summary lists

# By kind of record: the escalation level whose targets are called.
CALLS: Mapping[type, Callable[[Any], int]] = {r.Faulted: lambda _: 1, r.Escalated: lambda what: what.level or 1}


class Alert(Struct, frozen=True):
    """Alert message. Its id is that of the fault and is in the subject, so that people recognise duplicates."""

    seq: int  # sequence number of the record
    at: Time
    id: str
    levels: frozenset[int]  # escalation levels of its targets
    subject: str
    body: str
    over: bool = False  # True: nobody needs to come any more


def pause(back: Iterable[Record]) -> list[Record]:
    """Records of the current pause, from records of these KINDS with the latest first."""
    return list(takewhile(lambda record: record.kind not in ENDS, back))


def alert(record: Record, before: Sequence[Record], *, late: bool = False, language: str = "en") -> Alert | None:
    """Alert for a record; None if it needs none.

    `before`: records of its pause up to it, the latest first; `late`: more of these KINDS were recorded since.
    """
    words = _words(language)
    if isinstance(record.what, r.RecordDamaged):
        return _damage_alert(words, record, record.what)
    if isinstance(record.what, r.SignInsRefused):
        return _guessing_alert(words, record, record.what)
    if isinstance(record.what, r.ExposureWarned):
        return _exposure_alert(words, record, record.what)
    if isinstance(record.what, r.DeckSuspect | r.ShoeEnded | r.ShoeReady):
        return _card_alert(words, record, record.what)
    if isinstance(record.what, r.Faulted):
        return _call(words, record, record, before, late=late)
    fault = next((one for one in before if isinstance(one.what, r.Faulted)), None)
    if fault is None:  # a round can be void without a fault
        return None
    if record.kind in ENDS:
        return _end(words, record, fault, before)
    return _call(words, record, fault, before, late=late) if type(record.what) in CALLS else None


def _card_alert(words: TableWords, record: Record, what: r.DeckSuspect | r.ShoeEnded | r.ShoeReady) -> Alert | None:
    """Alert about missing or surplus cards, or a shoe that is not cut; nothing is paused by it."""
    if isinstance(what, r.ShoeReady):
        return _uncut_alert(words, record, what)
    if isinstance(what, r.ShoeEnded) and not (what.missing or what.surplus or (what.unaccounted and what.is_counted)):
        return None
    subject = words.say(t.CARDS).format(where=_place_text(words, record))
    return _alert(record, record, frozenset({1}), subject, [tell(words, record) or ""], over=True)


def _uncut_alert(words: TableWords, record: Record, what: r.ShoeReady) -> Alert | None:
    """Alert that a new shoe is in play uncut; nothing is paused by it."""
    if what.uncut is UNSET:
        return None
    because = what.uncut or words.say(t.NO_REASON)
    line = words.say(t.UNCUT_LINE).format(shoe=what.id, name=what.by, because=because)
    subject = words.say(t.UNCUT).format(where=_place_text(words, record))
    return _alert(record, record, frozenset({1}), subject, [line], over=True)


def _exposure_alert(words: TableWords, record: Record, what: r.ExposureWarned) -> Alert:
    """Alert that the bets of a round can win more than the table's warning; nothing is paused by it."""
    amounts = {"exposure": money(what.exposure, what.currency), "above": money(what.above, what.currency)}
    lines = [words.say(line).format(**amounts) for line in t.EXPOSURE_LINES]
    subject = words.say(t.EXPOSURE).format(where=_place_text(words, record))
    return _alert(record, record, frozenset({1}), subject, lines, over=True)


def _call(words: TableWords, record: Record, fault: Record, before: Sequence[Record], *, late: bool) -> Alert:
    what = _public_fault(fault)
    lines = [*_fault_lines(words, fault, what, late=late)]
    subject = words.say(t.CALL).format(code=what.code, where=_place_text(words, fault))
    if record is not fault:
        again = words.say(t.AGAIN).format(subject=subject)
        return _alert(record, fault, frozenset({_level(record)}), again, lines)
    if ruled := _causing_ruling(before):
        values = {
            "name": words.ruling_managers(ruled),
            "ruling": words.ruling(ruled.ruling),
            "fault": f"{fault.table}#{ruled.fault}",
        }
        lines.append(words.say(t.CAME_OUT).format(**values))
    return _alert(record, fault, _called_levels([record, *before]), subject, lines)


def _public_fault(fault: Record) -> r.Faulted:
    """Fault in a record, without what is withheld."""
    return cast("r.Faulted", withhold(fault.what))


def _fault_lines(words: TableWords, fault: Record, what: r.Faulted, *, late: bool) -> Iterator[str]:
    say, where = words.say, _place_text(words, fault)
    yield say(t.HEAD).format(head=words.words.manager_title(what.code))
    dealer = fault.dealer or say(t.NO_DEALER)
    yield say(t.PAUSED).format(where=where, dealer=dealer, time=_time_text(fault.at))
    yield say(t.EXPECTED).format(due=words.due_step(what.due))
    if what.suspect:
        yield say(terms.SUSPECT)
    yield from _affected_lines(words, what.touched, what.currency)
    some_card = late and what.draw is not None
    yield say(t.CAME).format(came=say(story_texts.SOME_CARD) if some_card else words.describe_cause(what.came))
    yield say(t.MAY_RULE).format(rulings=", ".join(map(words.ruling, what.rulings)))


def _affected_lines(words: TableWords, touched: RoundDifference, currency: str) -> Iterator[str]:
    """Lines about decisions, cards and bets that a ruling affects: their numbers and sums."""
    if touched.decisions:
        total = money(touched.total_stake, currency)
        yield words.say(t.DECIDED).format(count=len(touched.decisions), total=total)
    if touched.cards:
        draws = ", ".join(f"#{draw}" for draw in touched.cards)
        yield words.say(touched_texts.FOLLOWED).format(draws=draws)
    if touched.odds:
        total = money(touched.bet, currency)
        yield words.say(touched_texts.WRONG_ODDS).format(count=touched.bets, total=total)


def _end(words: TableWords, record: Record, fault: Record, before: Sequence[Record]) -> Alert:
    """Alert that a pause has ended: play continues, or the round is void."""
    ruled = _causing_ruling(before)
    what, void = record.what, isinstance(record.what, r.Cancelled)
    lines = [*_ruling(words, ruled, over=void)] if ruled else []
    if isinstance(what, r.Cancelled):
        lines += [] if ruled else [_void(words, what)]
        lines.append(words.say(t.RETURNED))
    else:
        lines.append(words.say(story_texts.RESUMED))
    subject = words.say(t.VOID if void else t.GOES_ON).format(where=_place_text(words, record))
    if ruled:
        subject = words.say(t.RULED).format(ruling=ruled.ruling, subject=subject)
    return _alert(record, fault, _called_levels(before), subject, lines, over=True)


def _ruling(words: TableWords, what: r.Ruled, *, over: bool) -> Iterator[str]:
    """Lines about a ruling: by whom, why if its round is over, and which decisions and bets it affects."""
    because, place = what.because if over else "", what.after.get("place")
    text = story_texts.RULED if because else story_texts.RULED_ONLY
    values = {"name": words.ruling_managers(what), "ruling": words.ruling(what.ruling), "because": because}
    if "draw" in what.after:
        text = story_texts.RULED_DRAW if because else story_texts.RULED_DRAW_ONLY
        values["draw"] = what.after["draw"]
    yield words.say(text).format(**values)
    if place and place != what.before.get("place"):
        yield words.say(t.NOW_AT).format(place=words.place(place))
    yield from _affected_lines(words, what.touched, what.currency)
    if what.choice is not None:
        lower = what.choice == "stand" and what.touched.odds
        yield words.say(touched_texts.LOWER if lower else touched_texts.BECOMES[what.choice])
    if what.moved:
        yield words.say(touched_texts.MOVED).format(total=money(what.moved, what.currency))


def _void(words: TableWords, what: r.Cancelled) -> str:
    why = words.void_reason(what.why)
    return words.say(story_texts.CANCELLED_WHY).format(why=why) if why else words.say(story_texts.CANCELLED)


def _damage_alert(words: TableWords, record: Record, what: r.RecordDamaged) -> Alert:
    first = words.say(t.DAMAGED_FROM).format(first=what.first, reason=reason_text(words, what))
    lines = [first, *map(words.say, t.DAMAGED_LINES)]
    name, subject = f"{record.table}#{record.seq}", words.say(t.DAMAGED).format(table=record.table)
    return Alert(record.seq, record.at, name, frozenset({1}), f"[{name}] {subject}", "\n".join(lines))


def _guessing_alert(words: TableWords, record: Record, what: r.SignInsRefused) -> Alert | None:
    """Alert about somebody guessing PINs; nothing is paused by it."""
    if not what.is_guessing:
        return None
    people = ", ".join(what.people) or words.say(t.NOBODY_KNOWN)
    lines = [tell(words, record) or "", words.say(t.GUESSED_FOR).format(people=people), words.say(t.GUESSING_WAITS)]
    subject = words.say(t.GUESSING).format(table=record.table)
    return _alert(record, record, frozenset({1}), subject, lines, over=True)


def _alert(
    record: Record, fault: Record, levels: frozenset[int], subject: str, lines: list[str], *, over: bool = False
) -> Alert:
    name = f"{fault.table}#{fault.seq}"
    return Alert(record.seq, record.at, name, levels, f"[{name}] {subject}", "\n".join(lines), over)


def _causing_ruling(before: Sequence[Record]) -> r.Ruled | None:
    """Ruling that caused the record after `before`; None if no ruling did."""
    what = before[0].what if before else None
    return what if isinstance(what, r.Ruled) else None


def _called_levels(records: Sequence[Record]) -> frozenset[int]:
    """Escalation levels that were called in this pause."""
    return frozenset(_level(record) for record in records if type(record.what) in CALLS)


def _level(record: Record) -> int:
    return CALLS[type(record.what)](record.what)


@cache
def _words(language: str) -> TableWords:
    return TableWords(Words(language))


def _place_text(words: TableWords, record: Record) -> str:
    if record.round:
        return words.say(t.TABLE_ROUND).format(table=record.table, number=record.round)
    return words.say(t.TABLE).format(table=record.table)


def _time_text(at: Time) -> str:
    return f"{to_text(at)[:19].replace('T', ' ')} UTC"


def summary(old: Sequence[Alert], language: str = "en") -> Alert:
    """One alert in place of many old ones, in their order."""
    say, last = _words(language).say, old[-1]
    lines = [f"{_time_text(one.at)} {one.subject}" for one in old[-SHOWN:]]
    if len(old) > SHOWN:
        lines.insert(0, say(t.MORE).format(count=len(old) - SHOWN))
    subject = say(t.SUMMARY).format(count=len(old), time=_time_text(old[0].at))
    return Alert(last.seq, last.at, last.id, last.levels, f"[{last.id}] {subject}", "\n".join(lines), over=True)
