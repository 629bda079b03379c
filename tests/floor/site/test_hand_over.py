"""Hand-over of the floor: two shift managers, both with PIN, see all open items; it counts once."""

import asyncio
import sqlite3
from datetime import UTC

import pytest

from controller.config.shifts import shift_at
from controller.core import events as e
from controller.core.clock import DAY, SECOND, from_text, to_text
from controller.floor.live.strips import Alarmed, StripFacts, strip
from controller.floor.people.viewers import Viewer
from controller.floor.shared_state.documents import HeldAlarm, Shelving
from controller.floor.site.hand_over import HandOvers, _open_points
from controller.text.faults import Words
from tests.floor.service import ENGINEER, MANAGER, OTHER, SUPERVISOR, paused, studio
from tests.floor.statuses import START, status
from tests.patience import on_loop, until
from tests.web.staff import PINS


class FullDatabase:
    """Connection to a database on a full disk."""

    def execute(self, *_: object) -> None:
        raise sqlite3.OperationalError("database or disk is full")


def hand_over(shown=0, to=OTHER, pin=None, own=PINS[MANAGER], notes=""):
    """Return a hand-over: the next manager's name and PIN, the own PIN, notes, and the number shown."""
    about = {"to": {"name": to, "pin": PINS[to] if pin is None else pin}, "own": {"pin": own}}
    return {**about, "notes": notes, "shown": shown}


def at_a_floor(tmp_path, server, steps, **about):
    """Run the test's steps with a floor and its tables."""

    async def at_it():
        async with studio(tmp_path, server, **about) as (floor, *tables):
            await steps(floor, *tables)

    on_loop(at_it)


def test_a_hand_over_shows_open_items_and_records_both_people(tmp_path, bus):
    async def steps(floor, table):
        paused(table)
        maria = await floor.signed_in(MANAGER)
        await until(lambda: floor.hall.status_of("t1").fault is not None)
        shown = (await maria.ask("GET", "/api/floor/hand-over")).body
        assert shown["may"]
        assert "t1" in next(one for one in shown["sections"] if one["name"] == "calls")["points"][0]
        answer = await maria.act("hand_over", **hand_over(shown["shown"], notes="  shoe of t1\nsticks "))
        assert answer.body["done"], answer
        (one,) = floor.recorded("handed_over")
        assert {name: one[name] for name in ("by", "to", "notes")} == {
            "by": MANAGER, "to": OTHER, "notes": "shoe of t1 sticks",
        }  # fmt: skip
        after = (await maria.ask("GET", "/api/floor/hand-over")).body
        assert "Maria" in after["last"]
        assert "Livia" in after["last"]
        assert any("shoe of t1 sticks" in point for one in after["sections"] for point in one["points"])
        page = await maria.ask("GET", "/hand-over?lang=ro")
        assert page.status == 200
        assert b"sticks" in page.body

    at_a_floor(tmp_path, bus, steps)


def cancelled(table):
    """Cancel a round in which a card came before the close of bets."""
    fault = paused(table)
    table.table.take(e.Rule("cancel", "Maria", "wet card", fault=fault, person=MANAGER))


def test_a_hand_over_lists_cancelled_rounds_by_table(tmp_path, bus):
    async def steps(floor, one, other):
        for table in (other, one, one):
            cancelled(table)
        await until(lambda: len(rounds_of(floor)) == 3)
        shown = (await (await floor.signed_in(MANAGER)).ask("GET", "/api/floor/hand-over")).body
        (points,) = (section["points"] for section in shown["sections"] if section["name"] == "voids")
        assert points == ["Table t1: round no. 1, 2", "Table t2: round no. 1"]

    at_a_floor(tmp_path, bus, steps, tables=("t1", "t2"))


def test_a_hand_over_lists_the_shift_before_too(tmp_path, bus):
    """Shift managers sign just after the shift began, and print the page after they have signed."""

    async def steps(floor, table):
        cancelled(table)
        await until(lambda: len(rounds_of(floor)) == 1)
        maria, parts = await floor.signed_in(MANAGER), floor.floor.components
        assert (await maria.act("hand_over", **hand_over(notes="shoe sticks"))).body["done"]
        later = shift_at(parts.clock.now(), parts.config.shifts.minutes, UTC).until + SECOND
        handing = HandOvers("main", floor.hall, parts.history, None, parts.record.read, parts.notes, lambda: later)
        page = await handing.show(Viewer(MANAGER, "Maria", frozenset({"manager"})), "en")
        points = {section.name: section.points for section in page.sections}
        assert (points["voids"], points["voids_before"]) == ((), ("Table t1: round no. 1",))
        assert points["notes"] == ()
        assert points["notes_before"][0].endswith("Maria to Livia: shoe sticks")

    at_a_floor(tmp_path, bus, steps)


def rounds_of(floor):
    """Return table and number of each round that the floor has stored."""
    with floor.floor.components.store.open_read_only() as db:
        return db.execute("SELECT table_, number FROM rounds").fetchall()


def test_open_items_are_listed_in_the_order_of_their_tables():
    strips = []
    for table in ("t1", "t2", "t3"):
        alarm = Alarmed(f"{table}:unheard", HeldAlarm(to_text(START)), True)
        strips.append(strip(StripFacts(status(table), 0, None, "", None, None, (alarm,), START), "en"))
    points = _open_points(strips, shift_at(START, (0,), UTC), Words("en"))["alarms"]
    assert [point.split()[1].strip(":") for point in points] == ["t1", "t2", "t3"]


@pytest.mark.parametrize(("language", "over"), [("en", "over"), ("ro", "trecut")])
@pytest.mark.parametrize("standing", [True, False])
def test_a_hand_over_says_that_an_alarms_cause_is_over(standing, language, over):
    alarm = Alarmed("t1:unheard", HeldAlarm(to_text(START)), standing)
    silence = strip(StripFacts(status(), 0, None, "", None, None, (alarm,), START), language)
    words, shift = Words(language), shift_at(START, (0,), UTC)
    (point,) = _open_points([silence], shift, words)["alarms"]
    assert point.endswith(f", {over}") is not standing


def test_a_hand_over_says_until_when_an_alarm_is_shelved():
    at = from_text("2026-03-10T09:14:00Z")
    shelved = Shelving("2026-03-10T09:44:00Z", "104", "Emil", "on its way")
    alarm = Alarmed("t1:unheard", HeldAlarm(to_text(at), shelved=shelved), True)
    shelf = strip(StripFacts(status(), 0, None, "", None, None, (alarm,), at), "en")
    points = _open_points([shelf], shift_at(at, (0,), UTC), Words("en"))
    assert list(points) == ["shelved"]
    assert points["shelved"][0].endswith(", shelved until 09:44: on its way")


@pytest.mark.parametrize(("days", "time"), [(0, "09:14"), (2, "2026-03-08 09:14")])
def test_a_hand_over_dates_what_began_before_the_shift(days, time):
    at = from_text("2026-03-10T09:14:00Z")
    silence = strip(StripFacts(status(), 0, None, "", None, at - days * DAY, (), at), "en")
    shift = shift_at(at, (360, 840, 1320), UTC)
    assert _open_points([silence], shift, Words("en"))["silent"] == [f"Table t1: not heard since {time}"]


def test_a_repeated_hand_over_is_recorded_once(tmp_path, bus):
    """Sent from two browsers at once, the hand-over is recorded once; one prepared before it is refused."""

    async def steps(floor, _):
        one, two = await floor.signed_in(MANAGER), await floor.signed_in(MANAGER)
        both = await asyncio.gather(*(browser.act("hand_over", **hand_over()) for browser in (one, two)))
        assert [answer.body["done"] for answer in both] == [True, True]
        livia = await floor.signed_in(OTHER)
        late = await livia.act("hand_over", **hand_over(to=MANAGER, own=PINS[OTHER]))
        assert (late.body["done"], late.body["reason"]) == (False, "already")
        assert len(floor.recorded("handed_over")) == 1
        back = await livia.act("hand_over", **hand_over(1, to=MANAGER, own=PINS[OTHER]))
        assert back.body["done"]
        assert len(floor.recorded("handed_over")) == 2

    at_a_floor(tmp_path, bus, steps)


def test_a_hand_over_needs_two_managers_with_right_pins(tmp_path, bus):
    async def steps(floor, _):
        maria = await floor.signed_in(MANAGER)
        answers = [
            await maria.act("hand_over", **hand_over(own="0000")),
            await maria.act("hand_over", **hand_over(pin="0000")),
            await maria.act("hand_over", **hand_over(to=MANAGER)),
            await maria.act("hand_over", **hand_over(to=SUPERVISOR)),
            await (await floor.signed_in(ENGINEER)).act("hand_over", **hand_over(own=PINS[ENGINEER])),
        ]
        assert [answer.status for answer in answers] == [401, 401, 403, 403, 403]
        assert "Maria twice" in answers[2].body["detail"]
        assert "Sandu" in answers[3].body["detail"]
        assert floor.recorded("handed_over") == []

    at_a_floor(tmp_path, bus, steps)


def test_a_restarted_floor_knows_the_last_hand_over(tmp_path, bus):
    async def steps(floor, _):
        assert (await (await floor.signed_in(MANAGER)).act("hand_over", **hand_over(notes="n"))).body["done"]

    async def again(floor, _):
        maria = await floor.signed_in(MANAGER)
        assert (await maria.ask("GET", "/api/floor/hand-over")).body["shown"] == 1
        assert (await maria.act("hand_over", **hand_over(notes="other"))).body["reason"] == "already"
        assert len(floor.recorded("handed_over")) == 1

    at_a_floor(tmp_path, bus, steps)
    at_a_floor(tmp_path, bus, again)


def test_a_hand_over_that_cannot_be_recorded_is_none(tmp_path, bus, monkeypatch):
    async def steps(floor, _):
        maria, record = await floor.signed_in(MANAGER), floor.floor.components.record
        with monkeypatch.context() as full:
            full.setattr(record, "_db", FullDatabase())
            answer = await maria.act("hand_over", **hand_over())
            assert (answer.status, answer.body["reason"]) == (503, "refused")
        assert (await maria.act("hand_over", **hand_over(notes="n"))).body["done"]
        assert [one["notes"] for one in floor.recorded("handed_over")] == ["n"]

    at_a_floor(tmp_path, bus, steps)


def test_of_two_opposite_hand_overs_at_once_one_counts(tmp_path, bus):
    async def steps(floor, _):
        maria, livia = await floor.signed_in(MANAGER), await floor.signed_in(OTHER)
        one = maria.act("hand_over", **hand_over())
        other = livia.act("hand_over", **hand_over(to=MANAGER, own=PINS[OTHER]))
        reasons = [answer.body["reason"] for answer in await asyncio.gather(one, other)]
        assert sorted(reasons) == ["already", "done"]
        assert len(floor.recorded("handed_over")) == 1

    at_a_floor(tmp_path, bus, steps)


def test_a_lapsed_sign_in_cannot_hand_the_floor_over(tmp_path, bus, monkeypatch):
    async def steps(floor, _):
        maria = await floor.signed_in(MANAGER)
        monkeypatch.setattr(floor.floor.doors.site.sessions, "_idle", -1)
        assert (await maria.act("hand_over", **hand_over())).status in (401, 403)
        assert (await maria.ask("GET", "/api/floor/hand-over")).status == 401
        assert floor.recorded("handed_over") == []

    at_a_floor(tmp_path, bus, steps)


def test_open_items_of_an_unusable_store_are_refused_with_reason(tmp_path, bus):
    async def steps(floor, _):
        maria = await floor.signed_in(MANAGER)
        floor.store.rename(tmp_path / "elsewhere")
        for page in ("/api/floor/hand-over", "/hand-over", "/api/floor/rounds"):
            refusal = await maria.ask("GET", page)
            assert (refusal.status, refusal.body["reason"]) == (503, "refused"), page
            assert str(floor.store) in refusal.body["detail"]

    at_a_floor(tmp_path, bus, steps)
