"""State of a running table, in lines for a terminal."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..core.clock import SECOND, Time, from_text, to_text
from ..core.events import OUTSIDE
from ..core.life import RESTING
from ..text.money import money
from ..text.outcome_words import outcome_in_words
from ..text.refusals import refusal_sentence
from ..web.api.state_message import OpenFault, TableState
from .colours import red, yellow


def lines(now: TableState, at: Time) -> Iterator[str]:
    """Yield lines with a table's state for a shift manager. `at`: time now, for ages and time left."""
    yield _headline(now)
    if now.halted is not None:
        yield red(f"HALTED: the record cannot be written: {now.halted}")
    if now.fault is not None:
        yield from _fault(now.fault, now, at)
    else:
        yield f"next: {'no round is on' if now.life in RESTING else now.expected}" + _time_left(now, at)
    yield from _cards(now)
    yield from _other_lines(now)
    for case in now.cases or ():
        do = f"`tablectl resettle` or `tablectl dismiss {case.seq}`"
        yield yellow(f"open case {case.seq}: round {case.round}, {case.got}: {do}")
    yield f"record: {now.seq}, last at {_moment(now.at)}"


def state_line(now: TableState, troubles: Sequence[str]) -> str:
    """Write a table's state as one line, for a list of several tables."""
    parts = [_headline(now)]
    if now.halted is not None:
        parts.append(f"HALTED: {now.halted}")
    if now.fault is not None:
        parts.append(f"{now.fault.code}: expected {now.fault.expected}, got {now.fault.got}")
    if now.lost:
        parts.append(f"missing: {', '.join(now.lost)}")
    return "; ".join((*parts, *troubles))


def bus(health: Mapping[str, Any]) -> Iterator[str]:
    """Yield a line on how far the bus is behind the record; none for a table without a bus."""
    if (backlog := health.get("bus")) is not None:
        records, seconds = backlog["records"], backlog["seconds"]
        yield f"bus: {_count(records, 'record')} behind, for {seconds:.0f} s" if records else "bus: up to date"


def clock(ntp: Mapping[str, Any], at: Time) -> str:
    """Line about the PC's clock: its time, its accuracy, and how far the table's time differs."""
    sync = {True: "kept by NTP", False: "NOT kept by NTP", None: "not known whether kept by NTP"}[ntp["synchronised"]]
    error = f", right within {ntp['max_error']:.3f} s" if ntp["synchronised"] else ""
    step = f"; it was set by {ntp['step']:+,.1f} s, followed after this round" if abs(ntp["step"]) >= 1 else ""
    return f"clock: {_moment(to_text(at))}, {sync}{error}{step}"


def _headline(now: TableState) -> str:
    state = now.life.upper() if now.life == "paused" else now.life
    where = f"round {now.round} ({now.game})" if now.round else "no round yet"
    return f"table {now.table}: {state}, {where}, dealer {now.dealer or '-'}" + ("" if now.open else ", closed")


def _fault(fault: OpenFault, now: TableState, at: Time) -> Iterator[str]:
    since = "" if fault.since is None else f" since {_moment(fault.since)} ({_age(fault.since, at)})"
    yield red(f"fault {fault.seq}{since}: {fault.code}: expected {fault.expected}, got {fault.got}")
    if fault.code == "result_mismatch" and now.outcome is not None:
        yield f"  result of the table: {outcome_in_words(now.outcome)}"
    for card in now.loose or ():
        lies = _reported_place(card.place)
        yield f"  draw {card.draw}: {card.card or 'a card'}, without a place{lies}"
    for report in fault.waiting:
        yield f"  report waiting: {report.got}"
    if now.halted is not None:
        return  # it can record no ruling
    yield f"rulings: {', '.join(fault.rulings)}"
    for ruling, reason in fault.not_now.items():
        yield f"  not now {ruling}: {refusal_sentence(reason, ruling)}"


def _reported_place(place: str | None) -> str:
    """Where the reader saw a card, as the end of a line; empty if it names no place."""
    if place == OUTSIDE:
        return ", drawn while the shoe was locked, in its settings or in an error: end that at the shoe"
    return f", said to lie at {place}" if place else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _moment(at: str) -> str:
    return f"{at[:10]} {at[11:19]} UTC"


def _age(since: str, at: Time) -> str:
    seconds = max(0, at - from_text(since)) // SECOND
    return f"{seconds // 60} min {seconds % 60} s" if seconds >= 60 else f"{seconds} s"


def _time_left(now: TableState, at: Time) -> str:
    if now.deadline is None or now.halted is not None:
        return ""
    return f", {max(0, from_text(now.deadline) - at) / SECOND:.0f} s left"


def _cards(now: TableState) -> Iterator[str]:
    hands = [f"{place} {' '.join(card or '▮▮' for card in cards)}" for place, cards in now.places.items()]
    if hands:
        yield f"cards: {' · '.join(hands)}"


def _other_lines(now: TableState) -> Iterator[str]:
    if now.bets is not None and now.bets.count:
        yield f"bets: {now.bets.count}, {money(now.bets.total, now.currency)} in all"
    if now.shoe is not None:
        marks = [name for name in ("cut", "changing") if getattr(now.shoe, name)]
        yield ", ".join([f"shoe {now.shoe.id or '-'}: {_count(now.shoe.left, 'card')} left", *marks])
    if now.lost:
        yield yellow(f"missing: {', '.join(now.lost)}")
