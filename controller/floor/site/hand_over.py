"""Hand-over of a floor: open points are shown, both persons sign, and it is recorded once.

    GET  /api/floor/hand-over     {"shown", "sections", "last"}
    POST /api/floor/acts          {"act": "hand_over", "to", "own", "notes", "shown"}

Invariant: `shown` is the number of hand-overs that the page knew. A hand-over that is sent twice, or from two browsers,
is recorded once; the answer to the second request says so. PINs are never stored.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence

from msgspec import Struct
from starlette.requests import Request

from ...config.people import KnownPerson
from ...config.shifts import Period, ShiftsSection, shift_at
from ...core.clock import SECOND, Time, from_text, to_text
from ...core.coded_message import coded
from ...text.faults import Words
from ...web.access.credential_checker import CredentialChecker, SignInAttempt
from ...web.access.door import attempt_of
from ...web.access.sources import session
from ...web.net.replies import RequestRefused
from ..history.history import FloorHistory
from ..live.live_tables import LiveTables
from ..live.page_messages import Strip
from ..people.act_messages import ActAnswer, HandOverAct
from ..people.viewers import Viewer
from ..storage.floor_record import FloorRecordEntry
from ..storage.notes import Notes
from . import history_texts as t


class FloorHandOver(Struct, frozen=True):
    """Recorded hand-over. `number`: its number, counted from the first at this floor."""

    number: int
    by: str
    to: str
    by_name: str
    to_name: str
    at: str
    notes: str


class OpenPointsSection(Struct, frozen=True):
    """Open points of one kind."""

    name: str
    title: str
    points: tuple[str, ...]


class HandOverPage(Struct, frozen=True):
    """Page of the hand-over. `shown`: number of hand-overs until now."""

    floor: str
    shown: int
    shift: str
    sections: tuple[OpenPointsSection, ...]
    last: str | None
    nothing: str  # text if nothing is open
    may: bool  # True if the viewer may hand over


class HandOvers:
    """Hand-overs of one floor. `read`: reads the floor's record, called in a thread."""

    def __init__(
        self,
        floor: str,
        live_tables: LiveTables,
        history: FloorHistory,
        checker: CredentialChecker,
        read: Callable[[], Sequence[FloorRecordEntry]],
        notes: Notes,
        clock: Callable[[], Time],
    ) -> None:
        self._floor, self._live_tables, self._history, self._checker = floor, live_tables, history, checker
        self._read, self._notes, self._clock = read, notes, clock
        self._done: list[FloorHandOver] | None = None  # all recorded hand-overs; None: not read yet
        self._one_at_a_time = asyncio.Lock()

    async def _hand_overs(self) -> list[FloorHandOver]:
        if self._done is None:
            done = await asyncio.to_thread(self._read_hand_overs)
            if self._done is None:  # else another request has read them meanwhile, and may have added one
                self._done = done
        return self._done

    def _read_hand_overs(self) -> list[FloorHandOver]:
        notes = (entry.fields for entry in self._read() if entry.fields["kind"] == "handed_over")
        fields = [name for name in FloorHandOver.__struct_fields__ if name != "number"]
        return [
            FloorHandOver(number, *(str(note.get(name, "")) for name in fields)) for number, note in enumerate(notes, 1)
        ]

    # ── the page ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def show(self, viewer: Viewer, language: str) -> HandOverPage:
        """Collect open points, and cancelled rounds and notes of this shift and the one before.

        A shift is often handed over just after the next one has begun.
        """
        words, done, shifts = Words(language), await self._hand_overs(), self._history.shifts
        shift = shift_at(self._clock(), shifts.minutes, shifts.time_zone)
        before = shift_at(shift.since - SECOND, shifts.minutes, shifts.time_zone)
        points = _open_points(self._live_tables.picture(viewer, language).strips, shift, words)
        for period, voids, notes in ((shift, "voids", "notes"), (before, "voids_before", "notes_before")):
            points[voids] = await asyncio.to_thread(self._voids, period, words)
            points[notes] = [_describe(one, shifts, words) for one in done if _is_note_of(one, period)]
        sections = (
            OpenPointsSection(name, words.say(title), tuple(points.get(name, ()))) for name, title in t.SECTIONS.items()
        )
        last = _hand_over_text(t.HANDED, done[-1], shifts, words) if done else None
        may = "hand_over" in viewer.acts_anywhere
        return HandOverPage(self._floor, len(done), str(shift), tuple(sections), last, words.say(t.NOTHING), may)

    def _voids(self, shift: Period, words: Words) -> list[str]:
        by = defaultdict[str, list[int]](list)
        for one in self._history.voids(shift):
            by[one.table_].append(one.number)
        template = words.say(t.VOID_OF)
        return [template.format(table=table, rounds=", ".join(map(str, sorted(by[table])))) for table in sorted(by)]

    # ── the act ──────────────────────────────────────────────────────────────────────────────────────────────────

    async def __call__(self, act: HandOverAct, viewer: Viewer, request: Request, words: Words) -> ActAnswer:
        """Hand over after verifying both PINs.

        Raises HTTPException if one of them fails, FloorFailed if the hand-over cannot be recorded.
        """
        source = session(request, viewer.id)
        await self._checker.admit(SignInAttempt(viewer.id, act.own.pin, source))
        taker = await self._checker.admit(attempt_of(act.to, source))
        if taker.id == viewer.id:
            raise RequestRefused(403, coded("twice", name=viewer.name))
        if "manager" not in taker.person.roles:
            raise RequestRefused(403, coded("taker_no_manager", name=taker.person.name))
        async with self._one_at_a_time:
            return await self._take(act, viewer, taker, words)

    async def _take(self, act: HandOverAct, viewer: Viewer, taker: KnownPerson, words: Words) -> ActAnswer:
        done, notes = await self._hand_overs(), " ".join(act.notes.split())
        shifts = self._history.shifts
        if act.shown != len(done) and done:
            last = done[-1]
            same = act.shown == len(done) - 1 and (last.by, last.to, last.notes) == (viewer.id, taker.id, notes)
            text, reason = (t.HANDED, "done") if same else (t.ALREADY, "already")
            return ActAnswer(_hand_over_text(text, last, shifts, words), reason, done=same)
        who = viewer.id, taker.id, viewer.name, taker.person.name
        one = FloorHandOver(len(done) + 1, *who, to_text(self._clock()), notes)
        await self._notes.require(
            "handed_over", by=one.by, to=one.to, by_name=one.by_name, to_name=one.to_name, notes=notes, shown=act.shown
        )
        done.append(one)
        return ActAnswer(_hand_over_text(t.HANDED, one, shifts, words), done=True)


def _open_points(strips: Sequence[Strip], shift: Period, words: Words) -> dict[str, list[str]]:
    """Open points of the tables, by section."""
    points = defaultdict[str, list[str]](list)
    for strip in strips:
        for name, text, what in _strip_points(strip):
            values = {key: _clock_of(value, shift) if key == "time" else value for key, value in what.items()}
            points[name].append(words.say(text).format(table=strip.table, **values))
    return points


def _strip_points(strip: Strip) -> Iterator[tuple[str, str, dict[str, str]]]:
    call = strip.call
    if call is not None and call.claim is not None:
        yield "calls", t.CALL_OF, {"head": call.head, "time": call.since, "name": call.claim.name}
    elif call is not None:
        yield "calls", t.CALL, {"head": call.head, "time": call.since}
    if strip.heard is not None:
        yield "silent", t.SILENT, {"time": strip.heard}
    for alarm in strip.alarms:
        if alarm.shelved is not None:
            yield "shelved", t.SHELVED, {"head": alarm.head, "time": alarm.shelved, "because": alarm.because}
        else:
            yield "alarms", t.ALARM if alarm.standing else t.ALARM_OVER, {"head": alarm.head}


def _clock_of(at: str, shift: Period) -> str:
    """Hour and minute in the studio's time zone, with the date if the time is not in the shift."""
    time = from_text(at)
    return f"{shift.local(time):{'%H:%M' if shift.since <= time < shift.until else '%Y-%m-%d %H:%M'}}"


def _is_note_of(one: FloorHandOver, period: Period) -> bool:
    """True if the hand-over is of this period and has notes."""
    return period.since <= from_text(one.at) < period.until and one.notes != ""


def _describe(one: FloorHandOver, shifts: ShiftsSection, words: Words) -> str:
    shift = shift_at(from_text(one.at), shifts.minutes, shifts.time_zone)
    return words.say(t.SAID).format(time=_clock_of(one.at, shift), by=one.by_name, to=one.to_name, notes=one.notes)


def _hand_over_text(text: str, one: FloorHandOver, shifts: ShiftsSection, words: Words) -> str:
    shift = shift_at(from_text(one.at), shifts.minutes, shifts.time_zone)
    at = f"{shift.local(from_text(one.at)):%Y-%m-%d %H:%M}"
    return words.say(text).format(by=one.by_name, to=one.to_name, time=at)
