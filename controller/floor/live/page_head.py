"""Head of the floor's page: what concerns all tables at once.

Strips per bay, floods of equal alarms in one line each, people at work, and the floor's own connection.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from typing import NamedTuple

from ...core.clock import SECOND, Time, from_text
from ...core.coded_message import CodedMessage
from ...text import floor_texts as t
from ...text.coded import render
from ...text.faults import Words
from ..history.names import fault_name
from ..shared_state.documents import Assignments, FloorWorker, HeldAlarm
from . import page_messages as m
from .strips import head as alarm_head

MANY = 10  # from this number of tables on, calls or alarms of one kind become one line
AT_ONCE = 10  # more calls or alarms than this of one kind within RECENT become one line, too
RECENT = 60 * SECOND
CALL = "call "  # before the code of a fault, in the kinds of calls and alarms


class FloorFacts(NamedTuple):
    """Facts about the floor, apart from its tables, from which the head is composed.

    `trouble`: defect of its connection; `behind`: events still to come; `at_most`: tables of one supervisor; `twin`:
    message about another floor under the same name.
    """

    name: str
    trouble: CodedMessage | str | None
    behind: int
    staff: Collection[FloorWorker]
    assignments: Assignments
    at_most: int
    now: Time
    twin: CodedMessage | None = None


def head(strips: Collection[m.Strip], floor: FloorFacts, language: str) -> m.PageHead:
    """Compose the head of the page. The strips must be in the same language."""
    words, bays = Words(language), Counter(strip.bay for strip in strips)
    twin = [] if floor.twin is None else [render(floor.twin, words.say)]
    return m.PageHead(
        floor=floor.name,
        line=None if floor.trouble is None else words.say(t.LINE).format(reason=render(floor.trouble, words.say)),
        behind=floor.behind,
        counts={bay: bays[bay] for bay in m.BAYS},
        flood=(*twin, *_flood(strips, floor.now, words)),
        people=tuple(_person(one, floor) for one in floor.staff),
    )


def _person(who: FloorWorker, floor: FloorFacts) -> m.AssignablePerson:
    tables = tuple(sorted(table for table, whose in floor.assignments.items() if whose == who.id))
    return m.AssignablePerson(who.id, who.name, who.role, tables, floor.at_most if who.role == "supervisor" else None)


class _OpenItem(NamedTuple):
    """Open call or unacknowledged alarm of one table."""

    table: str
    what: str
    since: str


def _flood(strips: Collection[m.Strip], now: Time, words: Words) -> Iterator[str]:
    """Yield one line for each kind of call or alarm that is too frequent to be read one by one."""
    kinds: dict[str, list[_OpenItem]] = defaultdict(list)
    for strip in strips:
        for kind, one in _open_items(strip):
            kinds[kind].append(one)
    for kind, ones in sorted(kinds.items()):
        tables, recent = {one.table for one in ones}, sum(now - from_text(one.since) < RECENT for one in ones)
        if len(tables) >= MANY or recent > AT_ONCE:
            same = {one.what for one in ones}
            what = same.pop() if len(same) == 1 else _kind_text(kind, words)
            yield words.say(t.FLOOD).format(count=len(tables), what=what)


def _kind_text(kind: str, words: Words) -> str:
    """Title that calls or alarms of one kind share, without what each is about."""
    if kind.startswith(CALL):
        return fault_name(kind.removeprefix(CALL), words)
    return alarm_head(kind, HeldAlarm("", text="…"), words)


def _open_items(strip: m.Strip) -> Iterator[tuple[str, _OpenItem]]:
    if strip.call is not None:
        yield f"{CALL}{strip.call.code}", _OpenItem(strip.table, strip.call.head, strip.call.since)
    for alarm in strip.alarms:
        if alarm.acknowledged is None and alarm.shelved is None:
            yield alarm.kind, _OpenItem(strip.table, alarm.head, alarm.since)
