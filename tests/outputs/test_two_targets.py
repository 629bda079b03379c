"""Alerts for several targets and levels, with floors that call in between: each target gets one alert."""

import asyncio
from contextlib import closing

import pytest

from controller.config.alerts import Target
from controller.config.table_file import load
from controller.core import records as r
from controller.core.clock import from_text
from controller.journal import Journal
from controller.journal.outbox import DeliveryPace
from controller.lab.testing.bench import Bench
from controller.outputs import alerts as module
from controller.outputs.alert_text import FAULTS
from controller.outputs.alerts import OLD, Alerts, parcel, waiting_alerts
from controller.outputs.hold import SILENT, Hold
from controller.script.play import Play
from controller.script.reader import parse
from controller.station.station import Station
from tests.clocks import ManualClock
from tests.patience import on_loop

CALL = "open; press manager; wait 60s; rule resume by anna because seen"
TARGETS = {name: Target(url=f"json://{name}", level=level) for name, level in (("duty", 1), ("head", 1), ("boss", 2))}


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def book(tmp_path, bench):
    """Yield the journal of the bench."""
    with closing(Journal(tmp_path / "t.journal")) as one:
        one.append(bench.records)
        yield one


def run_script(book: Journal, bench: Bench, text: str) -> list:
    """Do what the script says; return the new records."""
    before = len(bench.records)
    bench.says(text)
    book.append(bench.records[before:])
    return bench.records[before:]


def test_each_level_gets_its_own_calls(book, bench):
    """Each level is alerted when its own turn comes, and when the pause ends; a level not reached gets nothing."""
    run_script(book, bench, CALL)
    whats = {record.seq: record.what for record in bench.records}
    alerts = {level: [whats[alert.seq] for alert in waiting_alerts(book.path, level, 0)] for level in (1, 2, 3, 4)}
    assert {level: [(type(what), getattr(what, "level", 0)) for what in whats] for level, whats in alerts.items()} == {
        1: [(r.Faulted, 0), (r.Resumed, 0)],
        2: [(r.Escalated, 2), (r.Resumed, 0)],
        3: [(r.Escalated, 3), (r.Resumed, 0)],
        4: [],
    }


@pytest.mark.parametrize(("age", "together"), [(OLD - 1, False), (OLD, False), (OLD + 1, True)])
def test_old_alerts_come_as_one_from_twelve_hours_on(book, bench, age, together):
    run_script(book, bench, "open; press manager; rule resume by anna because seen")
    first, *_, last = waiting_alerts(book.path, 1, 0)
    assert (parcel(book.path, 1, lambda: first.at + age, 0).letter.seq == last.seq) is together


def test_faults_sent_by_floors_are_sent_to_no_target(book, bench):
    clock = ManualClock(100.0)
    hold = Hold(clock)
    now = from_text("2026-01-01T00:00:00.000000Z")
    alerts = Alerts(TARGETS, book.path, book.head.seq, lambda: now, DeliveryPace(first=0.01), hold)

    def told() -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for part, outbox in alerts._outboxes:
            if part.kinds is not FAULTS:
                continue
            letter = alerts._pack(part, outbox.place).letter
            found[part.name] = [] if letter is None else [letter.subject.rpartition(": ")[0].partition("] ")[2]]
        return found

    alerts.hear(None, run_script(book, bench, "open; press manager; rule resume by anna because seen"))
    assert alerts.count_queued() == dict.fromkeys(TARGETS, 0)
    clock.now += SILENT
    assert told() == {name: [] for name in TARGETS}
    alerts.hear(None, run_script(book, bench, "press manager"))
    assert {name: len(one) for name, one in told().items()} == {"duty": 1, "head": 1, "boss": 0}
    assert alerts.count_queued() == {"duty": 1, "head": 1, "boss": 0}


def test_a_new_target_gets_the_open_fault(book, bench):
    """A target added to the config gets the fault that is open at the start, and no earlier one."""
    run_script(book, bench, "open; press manager; rule resume by anna because seen; press manager; wait 1s")
    now, pace = (lambda: from_text("2026-01-01T00:00:00.000000Z")), DeliveryPace(first=0.01)
    before = Alerts({"duty": TARGETS["duty"]}, book.path, book.head.seq, now, pace)
    after = Alerts(TARGETS, book.path, book.head.seq, now, pace, open_=bench.state.fault.seq)
    assert before.count_queued() == {"duty": 0}
    letters = {part.name: after._pack(part, outbox.place).letter for part, outbox in after._outboxes}
    assert {name for name, letter in letters.items() if letter is not None} == {"head"}
    assert f"#{bench.state.fault.seq}]" in letters["head"].subject
    assert after.count_queued() == {"duty": 0, "head": 1, "boss": 0}


def test_waiting_alerts_of_both_outboxes_of_a_target_are_counted(book, bench):
    """A fault and a warning about sign-ins wait in different outboxes; the second level gets neither."""
    clock = ManualClock(100.0)
    now = from_text("2026-01-01T00:00:00.000000Z")
    alerts = Alerts(TARGETS, book.path, book.head.seq, lambda: now, DeliveryPace(first=0.01), Hold(clock))
    alerts.hear(None, run_script(book, bench, "open; press manager; signing refused 9 0 9 0"))
    assert alerts.count_queued() == {"duty": 1, "head": 1, "boss": 0}  # floors may still be heard: they send the fault
    clock.now += SILENT
    assert alerts.count_queued() == {"duty": 2, "head": 2, "boss": 0}


def test_targets_are_woken_once_after_floors_fall_silent(book, bench, monkeypatch):
    """Two times a floor calls and falls silent: the targets are woken once each time."""
    monkeypatch.setattr(module, "LOOK", 0)
    clock = ManualClock(100.0)
    hold = Hold(clock)
    alerts = Alerts(TARGETS, book.path, book.head.seq, lambda: 0, DeliveryPace(first=0.01), hold)
    alerts.hear(None, run_script(book, bench, "open; press manager"))
    woken: list[float] = []
    monkeypatch.setattr(alerts, "_wake", lambda: woken.append(clock.now))

    async def steps():
        watching = asyncio.create_task(alerts._watch(hold))
        for times in (1, 2):
            hold.take_heartbeat("hall", calls=True)
            alerts._left.set()
            await turns()
            assert len(woken) == times - 1
            clock.now += SILENT
            await turns()
            assert len(woken) == times
        watching.cancel()

    async def turns() -> None:
        for _ in range(10):
            await asyncio.sleep(0)

    on_loop(steps)


def test_a_new_target_gets_the_fault_open_at_the_start(tmp_path):
    config = tmp_path / "table.toml"
    text = "[game]\nname = 'baccarat'\n[shoe]\nmodel = 'bee_tek'\nport = '/dev/shoe'\n[journal]\npath = 't.journal'\n"
    config.write_text(text + "[alerts.duty]\nurl = 'json://127.0.0.1:9/'\n", encoding="utf-8")
    settings = load(config)
    with closing(Journal(tmp_path / "t.journal")) as book:
        for _ in Play(settings.house("auto"), book).run(parse("open\npress manager")):
            pass
        station = Station(settings, settings.house("dealer"), book)
        assert station.table.state.life == "paused"
        assert station.alerts.count_queued() == {"duty": 1}
