"""Regression tests of a whole table: event order, time, stop, start and errors; each failed once."""

import asyncio
import signal
import subprocess
from collections.abc import Sequence

import pytest

import controller.table.loop
from controller.config.devices import PanelSection, ShoeSection
from controller.config.table_file import Config
from controller.core import events as e
from controller.core import records as r
from controller.core.clock import SECOND
from controller.core.records import Record
from controller.journal import Journal
from controller.station.station import Station as InProcess
from controller.table.loop import Table
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from tests.end_to_end.rig import tablectl
from tests.patience import eventually, until
from tests.processes import TABLECTL, ForkableProgram
from tests.table.test_table import JournaledTable, started

HOUSE = Config().house("dealer", "baccarat")


@pytest.fixture
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)


# ── the table's order of events ──────────────────────────────────────────────────────────────────────────────────


def test_waiting_events_keep_their_order_through_a_second_failure(tmp_path, impatient):
    """The event that fails again after a halt stays before the events received later."""

    async def steps():
        rig = await started(tmp_path / "table.journal")
        rig.journal.broken = "the disk is full"
        rig.take(e.FoundDevice("panel"), e.FoundDevice("beacon"), e.FoundDevice("server"))

        def break_again(table: Table, records: Sequence[Record]) -> None:
            if [record.kind for record in rig.announced].count("ignored") == 1:  # written again, for the first time
                rig.journal.broken = "the disk is full again" if records else rig.journal.broken

        rig.table.subscribe(break_again)
        rig.journal.broken = None
        await rig.until(lambda: rig.table.halted == "the disk is full again")
        rig.journal.broken = None
        await rig.until(lambda: rig.kinds().count("device_found") == 3)
        found = [record.what.device for record in rig.announced if record.kind == "device_found"]
        assert found == ["panel", "beacon", "server"]
        rig.close()

    asyncio.run(steps())


def test_records_keep_their_order_when_a_listener_makes_an_event(tmp_path):
    """A listener that finds the shoe's port gone makes a loss event while records are announced.

    The next listener must still receive all records in their order.
    """

    async def steps():
        rig = JournaledTable(tmp_path / "table.journal")

        def lose_the_shoe(table: Table, records: Sequence[Record]) -> None:
            if any(record.kind == "opened" for record in records):
                table.take(e.LostDevice("shoe", "it went away while it was written to"))

        seqs: list[int] = []
        rig.table.subscribe(lose_the_shoe)
        rig.table.subscribe(lambda _, records: seqs.extend(record.seq for record in records))
        rig.table.start("d1")
        rig.take(e.Open())
        assert seqs == sorted(seqs)
        rig.close()

    asyncio.run(steps())


def test_records_keep_their_order_when_the_port_vanishes_in_writing(folder):
    """As above, with a real port: `SerialLink.send` delivers `Lost` before it returns."""
    seqs: list[int] = []

    async def steps():
        shoe = EmulatedAngelEye(PtyPort(folder.port))
        shoe.plug()
        config = Config(shoe=ShoeSection(port=str(folder.port), allow=("lock",)), game={"name": "baccarat"})
        station = InProcess(config, HOUSE, Journal(folder.journal))
        station.table.subscribe(lambda _, records: seqs.extend(record.seq for record in records))
        station.start()
        station.table.take(e.DealerOn("d1"))
        await until(lambda: station.shoe.is_present)
        station.table.take(e.Open())
        shoe.unplug()
        station.table.take(e.Close())  # unlocks the outlet
        await station.stop()

    asyncio.run(steps())
    assert len(seqs) > 5
    assert seqs == sorted(seqs)


# ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_betting_closes_though_the_clock_was_set_back(tmp_path):
    """The record's time is an hour ahead of the clock; the betting timer must still be under 16 s."""

    async def steps():
        rig = await started(tmp_path / "table.journal")
        rig.clock.ahead = 3600 * SECOND
        rig.take(e.FoundDevice("beacon"))
        rig.close()
        rig = await started(tmp_path / "table.journal")
        rig.take(e.Open())
        assert rig.table._timer.when() - asyncio.get_running_loop().time() < 16
        rig.close()

    asyncio.run(steps())


def test_the_record_never_goes_back_in_time_after_a_halt(tmp_path, impatient):
    """Events that are written after a halt get no time before the last record's."""

    async def steps():
        rig = await started(tmp_path / "table.journal")
        rig.clock.ahead = 3600 * SECOND
        rig.take(e.FoundDevice("beacon"))
        rig.clock.ahead = 0
        rig.journal.broken = "the disk is full"
        rig.take(e.LostDevice("beacon"))
        rig.journal.broken = None
        await rig.until(lambda: rig.kinds()[-1] == "device_lost")
        times = [record.at for record in rig.recorded()]
        assert times == sorted(times)
        rig.close()

    asyncio.run(steps())


# ── stop ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_halted_table_that_was_stopped_writes_no_more(tmp_path, impatient):
    async def steps():
        rig = await started(tmp_path / "table.journal")
        rig.journal.broken = "the disk is full"
        rig.take(e.Open())
        rig.close()
        refused = rig.journal.refused
        await asyncio.sleep(0.05)
        assert rig.journal.refused == refused

    asyncio.run(steps())


def test_a_stopped_table_takes_nothing_more(tmp_path):
    """An event that arrives after `Table.stop`, such as a ruling or a bet, is neither recorded nor timed."""

    async def steps():
        rig = await started(tmp_path / "table.journal")
        rig.table.stop()
        before = rig.recorded()
        rig.take(e.Open())
        assert rig.table._timer is None
        assert rig.recorded() == before
        rig.journal.book.close()

    asyncio.run(steps())


# ── start ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_table_killed_after_one_record_still_gets_its_shoe(tmp_path):
    """Opening the table and filling its shoe are two transactions; a kill between them stops no round."""
    path = tmp_path / "table.journal"
    book = Journal(path)
    book.append([Record(1, 0, "table", r.TableOpened("config"))])
    book.close()

    async def steps():
        rig = await started(path)
        rig.take(e.Open())
        assert rig.kinds()[-1] == "opened", rig.announced[-1]
        rig.close()

    asyncio.run(steps())


def test_a_panel_absent_at_the_start_is_known_as_missing(folder):
    """A configured panel that is never plugged in is in the state's list of lost devices."""

    async def steps():
        config = Config(panel=PanelSection(model="xk24"), game={"name": "baccarat"})
        station = InProcess(config, HOUSE, Journal(folder.journal), EmulatedUsbBus())
        station.start()
        await until(lambda: "panel" in station.table.state.lost)
        await station.stop()

    asyncio.run(steps())


@pytest.mark.parametrize(
    "wrong",
    ['[shoe]\nport = "rfc2217://host:4001"', '[shoe]\nport = "x"\n[panel]\nmodel = "xk24"\nkeys = { open = 77 }'],
    ids=["port", "key"],
)
def test_a_config_that_can_never_work_is_one_line(folder, wrong):
    """Both `check` and `run` refuse the config with exit code 2 and one line, without a traceback."""
    text = '[table]\ndealer = "d1"\n[game]\nname = "baccarat"\n[journal]\npath = '
    folder.config.write_text(f'{text}"{folder.journal}"\n{wrong}\n', encoding="utf-8")
    for command in ("check", "run"):
        ended = tablectl(command, folder.config)
        assert "Traceback" not in ended.stderr
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), command


# ── errors of our own ────────────────────────────────────────────────────────────────────────────────────────────


def test_no_card_is_lost_when_the_log_cannot_be_written(folder):
    """Four cards arrive at once while the log fails: all are recorded, or the program has ended.

    Standard error is a pipe that nobody reads any more. An exception in a listener must not drop the rest of the bytes
    that the shoe sent together. No card was due.
    """
    shoe = EmulatedAngelEye(PtyPort(folder.port))
    shoe.plug()
    config = folder.write_config(panel=None)
    with ForkableProgram([TABLECTL, "run", config], stderr=subprocess.PIPE) as process:
        try:
            eventually(lambda: folder.count("device_found", device="shoe"))
            process.stderr.close()
            process.send_signal(signal.SIGSTOP)
            for _ in range(4):
                shoe.draw()
            process.send_signal(signal.SIGCONT)
            eventually(lambda: process.poll() is not None or folder.count("drawn") == 4)
        finally:
            process.kill()
            shoe.unplug()
