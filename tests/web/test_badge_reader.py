"""Badges at the table's own reader: which sign a dealer on, when, and why others are refused."""

import pytest

from controller.config.people_change import change_registry
from controller.core import events as e
from controller.station.badge_reader import BadgeReader
from controller.web.access.badge_door import AGAIN
from drivers import events as d
from drivers.own_port import OwnPort
from tests.clocks import ManualClock
from tests.patience import on_loop, until
from tests.web.net import NetworkTable
from tests.web.rig import capture_log
from tests.web.staff import BADGES, at_a_staffed_table
from tests.web.test_badges import NOBODYS, recorded


@pytest.fixture(autouse=True)
def log(tmp_path):
    """Capture the log, and check at the end that no badge number is in it or in any file."""
    with capture_log() as lines:
        yield lines
    content = b"".join(file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()) + repr(lines).encode()
    for code in (*BADGES.values(), NOBODYS):
        assert code.encode() not in content


def refused(lines: list[dict]) -> list[str]:
    return [line["reason"] for line in lines if line["event"] == "badge_refused"]


def at_a_reader(tmp_path, steps) -> None:
    async def read(table):
        table.api.badges._now = clock = ManualClock()
        table.api.checker.attempts._now = clock

        async def shows(number: str) -> None:
            clock.now += AGAIN
            table.api.badges.hear(BADGES.get(number, number))
            await until(lambda: table.api.badges._trying.done())

        await steps(table, shows)

    at_a_staffed_table(tmp_path, read, "alone")


def test_a_dealers_badge_signs_them_on_between_two_rounds(tmp_path, log):
    async def steps(table, shows):
        await shows("101")
        assert (table.table.state.dealer, table.table.state.dealer_id) == ("Dora", "101")
        (on,) = recorded(table, "signed_in")
        assert (on.by, on.source, on.door, on.proof) == ("Dora", "badge_reader", "dealer", "badge")
        await shows("106")
        assert table.table.state.dealer == "Livia"

    at_a_reader(tmp_path, steps)
    assert [(line["table"], line["dealer"]) for line in log if line["event"] == "badge_taken"] == [
        ("table", "101"), ("table", "106"),
    ]  # fmt: skip


def test_the_dealers_own_badge_changes_and_records_nothing_again(tmp_path):
    async def steps(table, shows):
        for _ in range(3):
            await shows("101")
        assert len(recorded(table, "signed_in")) == len(recorded(table, "dealer_changed")) - 1 == 1

    at_a_reader(tmp_path, steps)


@pytest.mark.parametrize("pauses", [False, True], ids=["dealt", "paused"])
def test_a_badge_in_a_live_or_paused_round_is_refused(tmp_path, pauses, log):
    async def steps(table, shows):
        table.rig.take(e.Open(), *([e.KeyPressed("manager")] if pauses else []))
        await shows("101")
        assert table.table.state.dealer == "d1"
        assert recorded(table, "signed_in") == []
        (reason,) = refused(log)
        assert "between two rounds" in reason

    at_a_reader(tmp_path, steps)


def test_an_unknown_badge_is_refused_delayed_and_recorded_without_number(tmp_path, log):
    async def steps(table, shows):
        for _ in range(3):
            await shows(NOBODYS)
        await shows(NOBODYS)  # 3 s later: delayed and not tried
        assert len(refused(log)) == 4
        table.api.checker.stop()
        wrong = recorded(table, "sign_ins_refused")
        assert (sum(one.wrong for one in wrong), sum(one.delayed for one in wrong)) == (3, 1)
        assert {source for one in wrong for source in one.sources} == {"badge_reader"}
        assert table.table.state.dealer == "d1"

    at_a_reader(tmp_path, steps)


def test_a_non_dealers_or_revoked_badge_is_refused(tmp_path, log):
    async def steps(table, shows):
        with change_registry(table.people) as change:
            change.set_roles("106", ["manager"])
            change.set_badge("101", None)
        await shows("106")
        await shows("101")
        assert table.table.state.dealer == "d1"
        assert refused(log) == ["expected a dealer, Livia is none", "wrong badge or PIN"]

    at_a_reader(tmp_path, steps)


def test_a_badge_left_on_the_reader_is_tried_once(tmp_path, log):
    async def steps(table, shows):
        for _ in range(9):  # a reader repeats the badge that lies on it
            table.api.badges.hear(NOBODYS)
            table.api.badges._now.now += AGAIN / 2
        await until(lambda: refused(log))
        assert len(refused(log)) == 1
        await shows("101")
        assert table.table.state.dealer == "Dora"

    at_a_reader(tmp_path, steps)


def test_a_badge_ignored_during_another_can_be_shown_again(tmp_path):
    async def steps(table, shows):
        table.api.badges.hear(BADGES["101"])
        table.api.badges.hear(BADGES["106"])
        await until(lambda: table.api.badges._trying.done())
        table.api.badges.hear(BADGES["106"])
        await until(lambda: table.api.badges._trying.done())
        assert table.table.state.dealer == "Livia"

    at_a_reader(tmp_path, steps)


def test_a_table_without_a_registry_knows_no_badge(tmp_path, log):
    async def at_it():
        async with NetworkTable(tmp_path) as table:
            table.api.badges.hear(BADGES["101"])
            await until(lambda: refused(log))
            assert "no registry of persons" in refused(log)[0]
            table.api.checker.stop()
            assert recorded(table, "sign_ins_refused") == []

    on_loop(at_it)


class Weighs:
    """Guard of a device that lets every message through."""

    weigh = staticmethod(lambda *_: None)
    watch = staticmethod(lambda _: None)


def test_the_reader_records_loss_and_return_but_no_badges(log):
    took, badges = [], []
    reader = BadgeReader(OwnPort("/dev/none"), None, took.append, "t1", Weighs)
    reader._forward(d.BadgeRead(NOBODYS))  # nobody listens yet
    reader.hears = badges.append
    for event in (d.Found("/dev/x", "7"), d.BadgeRead(NOBODYS), d.Garbage(b"", "no badge"), d.Lost("unplugged")):
        reader._forward(event)
    assert took == [e.FoundDevice("badge_reader", "/dev/x", "7"), e.LostDevice("badge_reader", "unplugged")]
    assert badges == [NOBODYS]
    assert NOBODYS not in repr(d.BadgeRead(NOBODYS))
