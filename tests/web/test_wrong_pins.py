"""Wrong PINs of 30 days, by person and by floor key: stored on disk, bounded, lifted at the PC."""

import asyncio

import pytest
from structlog.testing import capture_logs

from controller.config.mistakes import BadUsers
from controller.text.coded import render
from controller.web.access import attempts, wrong_pins
from controller.web.access.sources import PinSource, badges_at
from controller.web.access.wrong_pins import DAYS, MOST, MOST_OF_FLOOR, WrongPins
from tests.patience import on_loop
from tests.web.people import counted

DAY = 86_400


@pytest.fixture
def pins(tmp_path, clock) -> WrongPins:
    return WrongPins(tmp_path / "t.users", clock)


def wrong(pins: WrongPins, times: int, name: str = "103") -> bool:
    return [pins.add(name) for _ in range(times)][-1]


def test_the_tenth_wrong_pin_closes_a_person_until_lifted(pins, clock):
    assert not wrong(pins, MOST - 1)
    assert not pins.is_closed("103")
    assert wrong(pins, 1)
    clock.now += 400 * DAY
    assert pins.is_closed("103")
    assert not pins.is_closed("104")
    assert pins.lift("103")
    assert not pins.is_closed("103")
    assert not pins.lift("103")


@pytest.mark.parametrize(("days", "closed"), [(DAYS - 0.5, True), (DAYS, False)])
def test_wrong_pins_count_for_thirty_days(pins, clock, days, closed):
    wrong(pins, MOST - 1)
    clock.now += days * DAY
    assert wrong(pins, 1) is closed


def test_a_clock_set_back_makes_no_wrong_pin_forgotten(pins, clock):
    wrong(pins, MOST - 1)
    clock.now -= 90 * DAY
    assert wrong(pins, 1)


def test_a_clock_set_back_and_right_again_forgets_nothing(pins, clock):
    """A PC with an empty battery starts years in the past; a minute later the network sets its clock."""
    wrong(pins, MOST - 2)
    clock.now -= 20 * 365 * DAY
    assert not wrong(pins, 1)
    clock.now += 20 * 365 * DAY
    assert wrong(pins, 1)


def test_two_programs_of_one_users_file_count_together(tmp_path, clock):
    one, other = (WrongPins(tmp_path / "t.users", clock) for _ in range(2))
    wrong(one, MOST // 2)
    assert wrong(other, MOST - MOST // 2)
    assert one.is_closed("103")
    other.lift("103")
    assert not one.is_closed("103")


def test_counts_after_thirty_days_leave_the_file(pins, clock):
    for number in range(20):
        pins.add(f"p{number}")
    clock.now += DAYS * DAY
    pins.add("103")
    assert pins.path.read_bytes().count(b"wrong") == 1


def test_unknown_names_are_closed_alike_and_kept_nowhere(pins, monkeypatch):
    monkeypatch.setattr(wrong_pins, "UNKNOWN", 2)
    for name in ("x", "y", "z"):
        for _ in range(MOST):
            pins.add_unknown(name)
    assert [pins.is_closed(name) for name in ("x", "y", "z")] == [False, True, True]
    assert not pins.path.exists()


def test_a_closed_person_is_a_trouble_of_the_pc(pins):
    wrong(pins, MOST - 1)
    assert pins.trouble is None
    wrong(pins, 1)
    pins.look()
    assert "103" in render(pins.trouble)


def test_counts_that_cannot_be_kept_hold_until_the_restart(tmp_path, clock):
    pins = WrongPins(tmp_path / "away" / "t.users", clock)
    with capture_logs() as logs:
        assert wrong(pins, MOST)
    reason = f"{pins.path.parent}: no such file or directory"
    assert logs == [{"event": "wrong_pins_not_kept", "log_level": "warning", "reason": reason}] * MOST
    assert pins.is_closed("103")
    assert "until the next restart only" in render(pins.trouble)
    with pytest.raises(BadUsers):
        pins.lift("103")
    (tmp_path / "away").mkdir()
    pins.add("104")
    assert WrongPins(tmp_path / "away" / "t.users", clock).is_closed("103")


def test_a_damaged_file_is_reported_and_written_anew(tmp_path, clock):
    pins = WrongPins(tmp_path / "t.users", clock)
    pins.path.write_bytes(b"{")
    pins.look()
    assert "expected counts" in render(pins.trouble)
    wrong(pins, MOST)
    assert "103" in render(pins.trouble)
    assert WrongPins(tmp_path / "t.users", clock).is_closed("103")


FLOOR, OTHER = (PinSource("floor", f"floor:{name}", f"floor:{name}") for name in ("main", "second"))


@pytest.mark.parametrize("was_read", [False, True])
def test_an_unreadable_file_is_reported_until_it_is_readable(pins, was_read):
    if was_read:
        wrong(pins, 1)
        pins.look()
    content = pins.path.read_bytes() if was_read else b'{"counts":{}}'
    pins.path.write_text("not JSON")
    for _ in range(2):
        pins.look()
        assert pins.trouble is not None
    pins.path.write_bytes(content)
    pins.look()
    assert pins.trouble is None


def test_three_wrong_pins_close_a_floors_key_for_everybody(tmp_path, clock):
    tried = counted(tmp_path, clock)

    async def steps():
        results = [await tried.close(FLOOR, f"{number}", known=True) for number in range(MOST_OF_FLOOR)]
        assert results == [False] * (MOST_OF_FLOOR - 1) + [True]
        network = PinSource("network", "10.0.0.0/24", "10.0.0.9")
        assert [tried.is_closed(source, "999") for source in (FLOOR, OTHER, network)] == [True, False, False]

    on_loop(steps)


@pytest.mark.parametrize(("name", "known"), [("103", True), ("x", False), (attempts.BADGE, False)])
def test_a_floors_key_is_closed_by_whatever_it_guesses(tmp_path, clock, name, known):
    tried = counted(tmp_path, clock)

    async def steps():
        results = [await tried.close(badges_at(FLOOR), name, known=known) for _ in range(MOST_OF_FLOOR)]
        assert results == [False] * (MOST_OF_FLOOR - 1) + [True]
        assert tried.is_closed(badges_at(FLOOR), "104")

    on_loop(steps)


@pytest.mark.parametrize("known", [True, False])
def test_a_name_closes_alike_whether_it_exists_or_not(tmp_path, clock, known):
    tried, source = counted(tmp_path, clock), PinSource("network", "10.0.0.0/24", "10.0.0.9")

    async def steps():
        results = [await tried.close(source, "103", known=known) for _ in range(MOST)]
        assert results == [False] * (MOST - 1) + [True]

    on_loop(steps)


def test_badges_that_nobody_has_close_nobody(tmp_path, clock):
    tried, here = counted(tmp_path, clock), badges_at(PinSource("network", "10.0.0.0/24", "10.0.0.9"))

    async def steps():
        assert not any([await tried.close(here, attempts.BADGE, known=False) for _ in range(2 * MOST)])
        assert not tried.is_closed(here, attempts.BADGE)

    on_loop(steps)


@pytest.mark.parametrize("kind", ["pc", "marked", "badge"])
def test_the_pc_a_marked_browser_and_a_badge_close_nobody(tmp_path, clock, kind):
    tried, source = counted(tmp_path, clock), PinSource(kind, "x", "x")

    async def steps():
        assert not any([await tried.close(source, "103", known=True) for _ in range(MOST + 1)])
        for _ in range(MOST):
            await tried.close(FLOOR, "103", known=True)
        assert not tried.is_closed(source, "103")

    on_loop(steps)


@pytest.mark.parametrize(("wrong_ones", "wait"), [(attempts.FLOOD - 2, 0), (attempts.FLOOD - 1, attempts.SHORTEST)])
def test_in_a_flood_the_first_wrong_pin_has_to_wait(tmp_path, clock, wrong_ones, wait):
    tried = counted(tmp_path, clock)
    for number in range(wrong_ones):
        tried.count_wrong(PinSource("network", f"10.{number}.0.0/24", ""), "anna")
    here, marked = PinSource("network", "192.0.2.0/24", ""), PinSource("marked", "browser x", "")
    assert tried.wait(here, "anna") == 0
    for source in (here, marked):
        tried.count_wrong(source, "anna")
    assert (tried.wait(here, "anna"), tried.wait(marked, "anna")) == (wait, 0)
    clock.now += attempts.LULL
    assert tried.wait(here, "anna") == 0
    after = PinSource("network", "198.51.100.0/24", "")
    tried.count_wrong(after, "anna")
    assert tried.wait(after, "anna") == 0


def test_a_closed_person_stays_closed_after_a_restart(tmp_path, clock):
    async def steps():
        tried = counted(tmp_path, clock)
        await asyncio.gather(*(tried.close(OTHER, "103", known=True) for _ in range(MOST)))
        assert counted(tmp_path, clock).is_closed(PinSource("network", "n", "n"), "103")

    on_loop(steps)
