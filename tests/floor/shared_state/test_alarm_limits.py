"""Limits of alarms: just below, at and above each limit, with several alarms and tables."""

import pytest
from msgspec.structs import replace

from controller.core.clock import SECOND, Time, to_text
from controller.floor.history.misreads import LAST, Reads
from controller.floor.live.heartbeats import LATE, Beat, Beats
from controller.floor.shared_state.alarms import (
    LASTS,
    LONGEST,
    MISREADS,
    MOST,
    OF_TABLE,
    QUIET,
    View,
    causes,
    is_shelved,
    table_of,
    update_alarms,
)
from controller.floor.shared_state.documents import AlarmAcknowledgement, Alarms, HeldAlarm, Shelving
from tests.floor.statuses import START, status

KEY, OTHER, AWAY = "t1:lost:panel", "t1:lost:shoe", "t2:unheard"


def view(*keys: str, at: Time = START, seq: int = 1, **about: object) -> View:
    """Return what a floor sees: the causes `keys` at a time and at a sequence number of the stream."""
    seqs = {"t1": seq, "t2": seq}
    return View(dict.fromkeys(keys, ""), frozenset(), seqs, complete=True, now=at)._replace(**about)


def acknowledgement(at: Time) -> AlarmAcknowledgement:
    return AlarmAcknowledgement("7", "Anna Pop", to_text(at))


def held(seq: int = 1, **about: object) -> Alarms:
    """Return the shared alarms with one alarm, held since START."""
    return {KEY: replace(HeldAlarm(to_text(START), seq, ""), **about)}


@pytest.mark.parametrize(("late", "back"), [(QUIET - 1, False), (QUIET, True), (QUIET + 1, True)])
def test_another_view_of_the_same_status_counts_after_ten_seconds(late, back):
    """An alarm that ended at this status is raised again by another floor's view only after ten seconds."""
    over = held(over=to_text(START))
    assert (update_alarms(over, view(KEY, at=START + late)).alarms[KEY].over is None) is back


@pytest.mark.parametrize(("late", "cleared"), [(LASTS - 1, False), (LASTS, True), (LASTS + 1, True)])
def test_an_earlier_status_counts_after_five_minutes(late, cleared):
    """A floor that has read only an earlier status ends an alarm only after five minutes."""
    assert (update_alarms(held(seq=5), view(seq=4, at=START + late)).cleared == (KEY,)) is cleared


@pytest.mark.parametrize(("late", "forgotten"), [(QUIET - 1, False), (QUIET, True)])
@pytest.mark.parametrize(("over", "acknowledged"), [(0, 50), (50, 0), (50, 50)])
def test_an_alarm_over_and_acknowledged_goes_ten_seconds_later(over, acknowledged, late, forgotten):
    one = held(over=to_text(START + over * SECOND), acknowledged=acknowledgement(START + acknowledged * SECOND))
    after = update_alarms(one, view(at=START + max(over, acknowledged) * SECOND + late)).alarms
    assert (KEY not in after) is forgotten


@pytest.mark.parametrize(("late", "gone"), [(QUIET, False), (LASTS - 1, False), (LASTS, True)])
def test_alarms_of_a_gone_table_go_after_five_minutes(late, gone):
    one = held(over=to_text(START))
    assert (KEY not in update_alarms(one, view(seqs={"t2": 1}, at=START + late)).alarms) is gone
    assert KEY in update_alarms(one, view(at=START + late)).alarms


@pytest.mark.parametrize(("early", "shelved"), [(1, True), (0, False), (-1, False)])
def test_an_alarm_is_shelved_until_its_time_and_no_longer(early, shelved):
    one = HeldAlarm(to_text(START), shelved=Shelving(to_text(START + early), "7", "Anna Pop", "x"))
    assert is_shelved(one, START) is shelved


def test_an_alarm_seen_and_raised_again_keeps_its_shelf():
    shelf = Shelving(to_text(START + 600 * SECOND), "7", "Anna Pop", "a new one comes")
    one = held(over=to_text(START), acknowledged=acknowledgement(START), shelved=shelf)
    again = update_alarms(one, view(KEY, seq=2, at=START + SECOND)).alarms[KEY]
    assert (again.shelved, again.acknowledged, again.over) == (shelf, None, None)


def test_one_tables_alarms_leave_room_for_all_others():
    """A table that reports other devices in each status pushes out no alarm of another table.

    Nobody acknowledges its alarms. The ended ones are dropped before the open ones.
    """
    alarms = update_alarms({}, view(AWAY)).alarms
    for turn in range(100):
        names = [f"t1:lost:{turn}-{number}" for number in range(MOST)]
        seen_now = view(AWAY, *names, at=START + turn * SECOND, seq=turn + 2)
        done = update_alarms(alarms, seen_now)
        alarms = done.alarms
        assert set(names) | {AWAY} <= alarms.keys()
        assert set(done.raised) == set(names)
        assert sum(table_of(key) == "t1" for key in alarms) <= OF_TABLE
        assert update_alarms(alarms, seen_now).alarms is alarms


def test_of_too_many_open_alarms_the_first_are_held():
    first = [f"t1:lost:{number}" for number in range(OF_TABLE)]
    alarms = update_alarms({}, view(*first)).alarms
    after = update_alarms(alarms, view(*first, "t1:unheard", at=START + SECOND, seq=2))
    assert (after.alarms, after.raised) == (alarms, ())
    assert after.alarms is alarms


def test_each_alarm_is_settled_by_its_own_table_and_cause():
    alarms = update_alarms({}, view(KEY, OTHER, AWAY)).alarms
    after = update_alarms(alarms, view(OTHER, seq=2, unsure=frozenset({AWAY})))
    assert after.cleared == (KEY,)
    assert {key: one.over is None for key, one in after.alarms.items()} == {KEY: False, OTHER: True, AWAY: True}


@pytest.mark.parametrize(("misreads", "raised"), [(None, []), (MISREADS - 1, []), (MISREADS, ["misreads"])])
def test_misreads_are_an_alarm_from_the_third_on(misreads, raised):
    assert [cause.kind for cause in causes(status(), heard=True, misreads=misreads)] == raised


def test_alarms_of_one_sort_and_their_texts_are_bounded():
    many = tuple(f"{chr(65 + number % 26)}{chr(65 + number // 26)}" + "x" * 300 for number in range(MOST + 5))
    found = list(causes(status(lost=many, troubles=many, bars=many), heard=True, misreads=None))
    kinds = [cause.kind for cause in found]
    assert (kinds.count("lost"), kinds.count("trouble"), len(found)) == (MOST, MOST, 3 * MOST)
    assert max(len(cause.text) for cause in found) == LONGEST


@pytest.mark.parametrize(("late", "heard"), [(LATE - 1, True), (LATE, True), (LATE + 1, False)])
def test_a_status_may_be_two_seconds_behind_its_heartbeat(late, heard):
    beats, last_status = Beats(), status(seq=10)
    ahead = Beat("e1", 11)
    assert beats.is_heard("t1", ahead, last_status, START)
    other = status("t2", seq=10)
    assert beats.is_heard("t2", ahead, other, START + late)  # each table has its own two seconds
    assert beats.is_heard("t1", ahead, last_status, START + late) is heard
    assert beats.is_heard("t2", ahead, other, START + 2 * late) is heard


def test_a_status_in_between_begins_the_two_seconds_anew():
    beats, last_status = Beats(), status(seq=10)
    ahead, current = Beat("e1", 11), Beat("e1", 10)
    assert beats.is_heard("t1", ahead, last_status, START)
    assert beats.is_heard("t1", current, last_status, START + LATE)
    assert beats.is_heard("t1", ahead, last_status, START + 2 * LATE)
    assert beats.is_heard("t1", ahead, last_status, START + 3 * LATE)
    assert beats.is_heard("t1", ahead, status(seq=10), START + 4 * LATE)
    assert beats.is_heard("t1", ahead, status(seq=10), START + 4 * LATE + 1)


def test_misreads_count_within_the_last_hundred_cards_only():
    reads = Reads()

    def card(draw: int, text: str) -> None:
        about = b'"seq":1,"at":"2026-01-01T00:00:00.000000Z","table":"t1","kind":"drawn","round":1'
        reads.take(b'{%s,"draw":%d,"card":%s}' % (about, draw, text.encode()))

    for draw in (1, 2):
        card(draw, "null")
        card(draw, "null")  # the event arrives twice
    for draw in range(3, LAST + 1):
        card(draw, '"5H"')
    assert (reads.is_full, reads.misread_count) == (True, 2)
    card(LAST + 1, '"5H"')
    assert reads.misread_count == 1
    card(LAST + 2, "null")
    assert reads.misread_count == 1
