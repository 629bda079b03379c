"""Limits of sign-in, below and above each: wrong PINs, sessions, dealer's screens, refusals, users."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.web.access import attempts, kiosk, refusals, sessions, users
from controller.web.access.attempts import Attempts
from controller.web.access.refusals import Refusals
from controller.web.access.sessions import Sessions, TooManySessions
from controller.web.access.sources import PinSource
from controller.web.access.users import BadUsers, Users, UsersChange, UsersFile
from controller.web.access.viewer_key import ViewerKey
from tests.patience import on_loop
from tests.web.people import counted

HERE, THERE = (PinSource("network", f"10.0.{number}.0/24", f"10.0.{number}.9") for number in (0, 1))

# ── wrong PINs ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def tried(clock, tmp_path) -> Attempts:
    return counted(tmp_path, clock)


def wrong(tried: Attempts, source: PinSource, *names: str) -> list[int]:
    return [tried.count_wrong(source, name) for name in names]


def test_a_right_pin_clears_its_name_and_its_source_alone(tried):
    wrong(tried, HERE, *["anna"] * 4, *["bea"] * 8)
    wrong(tried, THERE, *["anna"] * 4)
    assert [tried.wait(HERE, name) > 0 for name in ("anna", "bea", "carl")] == [True, True, True]
    tried.forget_wrong(HERE, "anna")
    assert [tried.wait(HERE, name) > 0 for name in ("anna", "bea", "carl")] == [False, True, False]
    assert tried.wait(THERE, "anna") > 0
    assert wrong(tried, HERE, "anna", "bea") == [1, 9]


@pytest.mark.parametrize(("later", "times"), [(-1.0, 3), (0.0, 1), (1.0, 1)])
def test_wrong_pins_are_forgotten_after_half_a_day_not_before(tried, clock, later, times):
    wrong(tried, HERE, "anna", "anna")
    clock.now += attempts.FORGOTTEN + later
    assert wrong(tried, HERE, "anna") == [times]


@pytest.mark.parametrize("times", range(1, attempts.FREE + 3))
def test_a_wait_begins_with_the_third_wrong_pin_and_doubles(tried, clock, times):
    wrong(tried, HERE, *["anna"] * times)
    wait = 0 if times < attempts.FREE else attempts.SHORTEST * 2 ** (times - attempts.FREE)
    assert (tried.wait(HERE, "anna"), tried.wait(HERE, "bea"), tried.wait(THERE, "anna")) == (wait, 0, 0)
    clock.now += max(0, wait - 0.5)
    assert tried.wait(HERE, "anna") == (1 if wait else 0)
    clock.now += 0.5
    assert tried.wait(HERE, "anna") == 0


@pytest.mark.parametrize("times", [attempts.FREE_IN_ALL - 1, attempts.FREE_IN_ALL])
def test_ten_wrong_names_make_a_source_wait_for_all(tried, times):
    wrong(tried, HERE, *(f"n{number}" for number in range(times)))
    assert tried.wait(HERE, "anna") == (attempts.IN_ALL if times >= attempts.FREE_IN_ALL else 0)
    assert tried.wait(THERE, "anna") == 0


def test_of_too_many_wrong_pins_the_oldest_are_forgotten(tried, monkeypatch):
    monkeypatch.setattr(attempts, "MOST", 4)
    one, two, three = (PinSource("network", key, key) for key in "123")
    for source in (one, two, one, three):  # each takes two places: for the name, and for all names
        wrong(tried, source, "anna")
    assert wrong(tried, one, "anna") == [3]
    assert wrong(tried, two, "anna") == [1]


@pytest.mark.parametrize("kind", ["pc", "marked", "badge"])
def test_guesses_from_elsewhere_end_no_wait_of_known_sources(tried, monkeypatch, kind):
    monkeypatch.setattr(attempts, "MOST", 4)
    source = PinSource(kind, "known", "")
    wrong(tried, source, *["anna"] * attempts.FREE)
    for number in range(9):
        wrong(tried, PinSource("network", f"10.{number}.0.0/24", ""), f"n{number}")
    assert tried.wait(source, "anna") == attempts.SHORTEST


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("age", "how"),
    [
        (sessions.IDLE - 1, "open"),
        (sessions.IDLE, "lapsed"),
        (sessions.LONGEST - 1, "lapsed"),
        (sessions.LONGEST, "over"),
    ],
)
def test_a_session_ends_at_each_limit_and_not_before(clock, age, how):
    held = Sessions(clock)
    key, _ = held.open("anna", "x")
    clock.now += age
    assert how == ("open" if held.get(key) else "lapsed" if held.lapsed_session(key) else "over")


def test_a_lapsed_session_is_not_revived_by_use(clock):
    held = Sessions(clock)
    key, session = held.open("anna", "x")
    clock.now += sessions.IDLE
    held.use(session)
    assert (held.get(key), held.lapsed_session(key)) == (None, session)


def test_use_and_end_of_one_session_leave_the_others(clock):
    held = Sessions(clock)
    keys = [held.open("anna", "x")[0] for _ in range(3)]
    clock.now += sessions.IDLE - 1
    held.use(held.get(keys[0]))
    held.close(keys[1])
    clock.now += 1
    assert [bool(held.get(key)) for key in keys] == [True, False, False]
    assert [bool(held.lapsed_session(key)) for key in keys] == [False, False, True]


def test_too_many_sessions_of_one_person_end_their_oldest(clock):
    held = Sessions(clock)
    others, keys = [held.open("bea", "y")[0]], []
    for _ in range(sessions.MOST):
        keys.append(held.open("anna", "x")[0])
        clock.now += 1
    held.use(held.get(keys[0]))
    clock.now += sessions.IN_USE
    held.open("anna", "x")
    assert [number for number, key in enumerate([*keys, *others]) if held.get(key) is None] == [1]


def test_a_session_in_use_makes_room_for_no_other(clock):
    held = Sessions(clock)
    keys = [held.open("anna", "x")[0] for _ in range(sessions.MOST)]
    clock.now += sessions.IN_USE - 1
    with pytest.raises(TooManySessions):
        held.open("anna", "x")
    held.open("bea", "y")
    assert all(held.get(key) for key in keys)
    clock.now += 1
    held.open("anna", "x")
    assert sum(held.get(key) is not None for key in keys) == sessions.MOST - 1


# ── the dealer's screen ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def file(tmp_path) -> UsersFile:
    return UsersFile(Path(tmp_path / "t.users"))


@pytest.fixture
def seconds(monkeypatch) -> list[int]:
    """Times of the PC's clock, the last of which is now."""
    now = [1_000_000]
    monkeypatch.setattr(kiosk, "_now", lambda: now[-1])
    return now


@pytest.mark.parametrize(
    ("later", "good"), [(-1, False), (0, True), (kiosk.MINUTES * 60, True), (kiosk.MINUTES * 60 + 1, False)]
)
def test_a_kiosk_code_is_good_for_ten_minutes_and_once(file, seconds, later, good):
    code = kiosk.offer(file)
    seconds.append(seconds[0] + later)
    assert (kiosk.claim(file, code) is not None) is good
    assert kiosk.claim(file, code) is None


def test_a_second_kiosk_code_voids_the_first(file, seconds):
    first, second = kiosk.offer(file), kiosk.offer(file)
    assert kiosk.claim(file, first) is None
    assert kiosk.claim(file, second) is not None


def test_the_latest_screens_stay_when_there_are_too_many(file, seconds):
    keys = []
    for _ in range(kiosk.MOST + 2):
        keys.append(kiosk.claim(file, kiosk.offer(file)))
        seconds.append(seconds[-1] + 1)
    assert [kiosk.is_granted(file.users(), key) for key in keys] == [False] * 2 + [True] * kiosk.MOST


def test_revoking_screens_voids_the_offered_code_too(file, seconds):
    keys = [kiosk.claim(file, kiosk.offer(file)) for _ in range(2)]
    code = kiosk.offer(file)
    assert kiosk.revoke(file) == 2
    assert [kiosk.is_granted(file.users(), key) for key in keys] == [False, False]
    assert kiosk.claim(file, code) is None
    assert kiosk.revoke(file) == 0


# ── what is recorded of refusals ─────────────────────────────────────────────────────────────────────────────────


def test_each_record_of_refusals_counts_only_what_came_since(monkeypatch):
    monkeypatch.setattr(refusals, "FIRST", 0.001)

    records = []

    async def steps():
        refused = Refusals(records.append)
        for name, times in (("anna", 3), ("bea", 1), ("carl", 2)):
            refused.count_wrong(name, f"from {name}", times, times)
            refused._end_period()
        refused.count_delayed("dan", "from dan", 9)
        refused.close()

    on_loop(steps)
    assert [(one.wrong, one.delayed, one.most, one.delay, one.people) for one in records] == [
        (1, 0, 3, 3, ("anna",)),
        (1, 0, 1, 1, ("bea",)),
        (1, 0, 2, 2, ("carl",)),
        (0, 1, 0, 9, ("dan",)),
    ]
    assert [one.sources for one in records] == [("from anna",), ("from bea",), ("from carl",), ("from dan",)]


# ── the users file ───────────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_token_needs_the_first_removed():
    change = UsersChange(Users())
    tokens = {name: change.add_token(name) for name in ("game", "wall")}
    with pytest.raises(BadUsers, match="has a token already"):
        change.add_token("game")
    assert {name: change.users.holder(token) for name, token in tokens.items()} == {"game": "game", "wall": "wall"}
    change.remove_token("game")
    assert {name: change.users.holder(token) for name, token in tokens.items()} == {"game": None, "wall": "wall"}
    again = change.add_token("game")
    assert change.users.holder(again) == "game"


@pytest.mark.parametrize(("length", "good"), [(users.SHORTEST_KEY - 1, False), (users.SHORTEST_KEY, True)])
def test_a_viewer_key_has_at_least_sixteen_characters(length, good):
    change = UsersChange(Users())
    if good:
        change.set_viewer_key("k" * length)
    else:
        with pytest.raises(BadUsers):
            change.set_viewer_key("k" * length)
    assert change.users.viewer_key == ("k" * length if good else None)


def test_a_viewer_key_taken_away_is_used_no_more(file):
    viewers = ViewerKey(file.path)
    without = viewers.viewers()
    with file.change() as change:
        change.set_viewer_key("k" * 20)
    assert viewers.viewers() != without
    with file.change() as change:
        change.users = replace(change.users, viewer_key=None)
    assert viewers.viewers() == without
