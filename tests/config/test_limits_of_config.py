"""Limits of what people set: PINs, people who left, badges, files after a failed write, shifts."""

import os
import stat

import pytest
from msgspec.structs import replace

from controller.config.kept_file import KeptFile
from controller.config.limits import LimitsSection, SumOfStakes
from controller.config.mistakes import BadUsers
from controller.config.people import People, Person
from controller.config.people_change import RegistryChange
from controller.config.pins import FEWEST, MOST, check_pin
from controller.config.shifts import minutes_of, shift_at, zone_named
from controller.core.clock import SECOND
from controller.core.house import SumLimits
from controller.games import GAMES


@pytest.mark.parametrize(
    ("pin", "good"),
    [
        ("258013692580147"[: FEWEST - 1], False), ("258013692580147"[:FEWEST], True),
        ("258013692580147"[:MOST], True), ("258013692580147"[: MOST + 1], False),
        ("1111", False), ("1234", False), ("4321", False), ("9012", False), ("1098", False), ("2468", True),
        ("1235", True), ("25 80", False), ("٢٥٨٠", False), ("", False),
    ],
)  # fmt: skip
def test_a_pin_has_four_to_twelve_digits_without_pattern(pin, good):
    try:
        check_pin(pin)
    except BadUsers:
        assert not good
    else:
        assert good


HERE = {
    "1": Person("Anna Pop", ("dealer",), "hash-1", badge="badge-1"),
    "2": Person("Ion Rusu", ("manager",), "hash-2", badge="badge-2"),
    "3": Person("Eva Dan", (), left=True),
}


def test_a_removed_person_keeps_only_number_and_name():
    change = RegistryChange(People(HERE))
    change.remove("1")
    assert change.people["1"] == Person("Anna Pop", left=True)
    assert change.people["2"] == HERE["2"]
    assert People(change.people).find("1") is None
    for act in (lambda: change.remove("1"), lambda: change.set_badge("1", None), lambda: change.rename("1", "X Y")):
        with pytest.raises(BadUsers, match="no person"):
            act()
    with pytest.raises(BadUsers, match="never used again"):
        change.add("1", "Ana Ene", ["dealer"], None)
    change.add("1", "Anna Pop", ["dealer"], None)  # she is back
    assert People(change.people).find("Anna Pop").id == "1"


def test_a_removed_persons_badge_may_be_given_to_another():
    left = {**HERE, "3": Person("Eva Dan", (), left=True, badge="badge-1")}
    assert People(left).find("1").person.badge == "badge-1"
    with pytest.raises(BadUsers, match="has the badge of"):
        People({**HERE, "4": Person("Ela Ene", badge="badge-2")})


@pytest.mark.parametrize("about", [{"pin": "other"}, {"badge": "other"}, {"pin": None}, {"badge": None}])
def test_sessions_end_with_another_pin_or_badge(about):
    assert replace(HERE["1"], **about).credentials_mark != HERE["1"].credentials_mark
    assert replace(HERE["1"], roles=("auditor",)).credentials_mark == HERE["1"].credentials_mark


def test_two_people_are_never_alike():
    change = RegistryChange(People(HERE))
    for act in (lambda: change.rename("1", "Ion Rusu"), lambda: change.add("4", "ion rusu", ["dealer"], None)):
        with pytest.raises(BadUsers, match="can be taken for"):
            act()
    assert change.people == HERE


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_failed_write_leaves_the_file_and_no_other(tmp_path, monkeypatch):
    file = KeptFile(tmp_path / "t.users")
    file.write(b"one")

    def full(_: int) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(os, "fsync", full)
    for _ in range(2):
        with pytest.raises(OSError, match="no space"):
            file.write(b"two")
    assert [path.name for path in tmp_path.iterdir()] == ["t.users"]
    assert file.path.read_bytes() == b"one"


def test_only_owner_and_group_read_a_kept_file_and_lock(tmp_path):
    file = KeptFile(tmp_path / "t.users")
    before = os.umask(0)
    try:
        for _ in range(2):  # the second time works only if the lock was released
            with file.lock():
                file.write(b"one")
    finally:
        os.umask(before)
    assert {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {
        "t.users": 0o640,
        ".t.users.lock": 0o640,
    }


def test_a_kept_file_reports_each_change_once(tmp_path):
    file = KeptFile(tmp_path / "t.users")
    for content in (b"one", b"two", b"2"):
        file.write(content)
        assert [file.read_if_changed(), file.read_if_changed()] == [content, None]
    file.forget()
    assert [file.read_if_changed(), file.read_if_changed()] == [b"2", None]


def test_a_file_of_another_number_size_or_time_has_changed(tmp_path):
    file, other = KeptFile(tmp_path / "t.users"), tmp_path / "other"
    for path, content, seconds in ((file.path, b"one", 0), (other, b"two", 0), (file.path, b"three", 0)):
        path.write_bytes(content)
        os.utime(path, (seconds, seconds))
        if path == other:
            other.replace(file.path)
        assert file.read_if_changed() == content
    file.path.write_bytes(b"seven")
    os.utime(file.path, (1, 1))
    assert file.read_if_changed() == b"seven"


def test_a_midnight_that_clocks_repeat_begins_one_shift():
    """St. John's, 7 November 2010: a minute after midnight it was 23:01 again."""
    zone, moment = zone_named("America/St_Johns"), 1_289_098_800 * SECOND  # 23:30, for the second time
    shift = shift_at(moment, minutes_of("00:00"), zone)
    assert (str(shift.local(shift.since)), str(shift.local(shift.until))) == (
        "2010-11-07 00:00:00-02:30",
        "2010-11-08 00:00:00-03:30",
    )


def test_a_sum_of_stakes_may_have_one_allowed_value():
    section = LimitsSection(player=SumOfStakes(5, 5))
    assert section.stakes(GAMES["baccarat"], "EUR").player.round == SumLimits(500, 500)


@pytest.mark.parametrize(("second", "hour"), [(-1, 22), (0, 6), (1, 6), (8 * 3600 - 1, 6), (8 * 3600, 14)])
def test_a_shift_includes_its_beginning_and_not_its_end(second, hour):
    six = 1_800_000_000 // 86_400 * 86_400 + 6 * 3600
    shift = shift_at((six + second) * SECOND, minutes_of("06:00,14:00,22:00"), zone_named("UTC"))
    assert shift.local(shift.since).hour == hour
    assert shift.since <= (six + second) * SECOND < shift.until


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Pacific/Pago_Pago", "America/New_York", "Europe/Bucharest"])
@pytest.mark.parametrize("begins", ["22:00", "00:00", "06:00,14:00,22:00"])
def test_every_moment_is_in_one_shift_of_the_zones_day(zone, begins):
    minutes, time_zone = minutes_of(begins), zone_named(zone)
    for hour in range(49):
        moment = (1_767_225_600 + hour * 3600) * SECOND
        shift = shift_at(moment, minutes, time_zone)
        assert shift.since <= moment < shift.until
        assert shift.until - shift.since == 24 * 3600 * SECOND // len(minutes)
        assert f"{shift.local(shift.since):%H:%M}" in begins.split(",")
        assert shift_at(shift.until - 1, minutes, time_zone) == shift
        assert shift_at(shift.until, minutes, time_zone).since == shift.until
