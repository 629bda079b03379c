"""A whole table at its edges: each of these went wrong once."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

import controller.table
from controller.config import Config
from controller.config_devices import PanelSection, ShoeSection
from controller.core import events as e
from controller.core import records as r
from controller.core.clock import SECOND
from controller.core.records import Record
from controller.journal import Journal, JournalError, JournalFailed, JournalInUse, verify
from controller.station import Station as InProcess
from controller.table import Table
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from tests.end_to_end.rig import PROGRAM, Folder, eventually, tablectl
from tests.mounts import shell
from tests.test_journal import RECORDS
from tests.test_table import Rig, started

HOUSE = Config().house("dealer", "baccarat")


@pytest.fixture
def folder(tmp_path) -> Folder:
    return Folder(tmp_path)


@pytest.fixture
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table, "RETRY", 0.01)


# ── the table's order of events ──────────────────────────────────────────────────────────────────────────────────


def test_events_that_waited_keep_their_order_when_the_journal_fails_again_in_between(tmp_path, impatient):
    """`Table._halt` puts the event that failed behind those that came after it."""

    async def steps():
        rig = await started(tmp_path / "table.journal")
        rig.journal.broken = "the disk is full"
        rig.take(e.FoundDevice("one"), e.FoundDevice("two"), e.FoundDevice("three"))

        def break_again(table: Table, records: Sequence[Record]) -> None:
            if [record.kind for record in rig.announced].count("ignored") == 1:  # healed, for the first time
                rig.journal.broken = "the disk is full again" if records else rig.journal.broken

        rig.table.tell(break_again)
        rig.journal.broken = None
        await rig.until(lambda: rig.table.halted == "the disk is full again")
        rig.journal.broken = None
        await rig.until(lambda: rig.kinds().count("device_found") == 3)
        found = [record.what.device for record in rig.announced if record.kind == "device_found"]
        assert found == ["one", "two", "three"]
        rig.close()

    asyncio.run(steps())


def test_records_are_announced_in_their_order_when_a_listener_makes_an_event(tmp_path):
    """A listener that writes to a port which has vanished tells the table of the loss while it is being told."""

    async def steps():
        rig = Rig(tmp_path / "table.journal")

        def lose_the_shoe(table: Table, records: Sequence[Record]) -> None:
            if any(record.kind == "opened" for record in records):
                table.take(e.LostDevice("shoe", "it went away while it was written to"))

        heard: list[int] = []
        rig.table.tell(lose_the_shoe)
        rig.table.tell(lambda _, records: heard.extend(record.seq for record in records))
        rig.table.start("d1")
        rig.take(e.Open())
        assert heard == sorted(heard)
        rig.close()

    asyncio.run(steps())


def test_records_are_announced_in_their_order_when_the_port_vanishes_during_a_write(folder):
    """The same, with a real port: `SerialLink.send` delivers `Lost` before it returns."""
    heard: list[int] = []

    async def steps():
        shoe = EmulatedAngelEye(PtyPort(folder.port))
        shoe.plug()
        config = Config(shoe=ShoeSection(port=str(folder.port), allow=("lock",)), game={"name": "baccarat"})
        station = InProcess(config, HOUSE, Journal(folder.journal))
        station.table.tell(lambda _, records: heard.extend(record.seq for record in records))
        station.start()
        station.table.take(e.DealerOn("d1"))
        async with asyncio.timeout(10):
            while not station.shoe.present:
                await asyncio.sleep(0.001)
        station.table.take(e.Open())
        shoe.unplug()
        station.table.take(e.Close())  # unlocks the outlet
        await station.stop()

    asyncio.run(steps())
    assert len(heard) > 5
    assert heard == sorted(heard)


# ── time ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_betting_closes_in_time_on_a_pc_whose_clock_was_set_back_while_the_table_was_down(tmp_path):
    """The record's time is ahead of the clock by an hour: so is every deadline, and the timer waits for the clock."""

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
    """`Table._heal` takes the clock's time as it is, where `take` never goes behind the last record's."""

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


def test_a_halted_table_that_was_stopped_does_not_try_to_write_any_more(tmp_path, impatient):
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
    """ "Take nothing more", says `Table.stop`; a ruling or a game server's bet may still be on its way."""

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


def test_a_table_killed_after_its_very_first_record_still_gets_its_shoe(tmp_path):
    """Opening and the full shoe are two transactions; after a kill between them no round can ever start."""
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


def test_a_panel_that_is_not_there_at_start_is_known_to_be_missing(folder):
    """`Station`: "its link waits for it, and the table knows that it is missing". The shoe's link says so."""

    async def steps():
        config = Config(panel=PanelSection(model="xk24"), game={"name": "baccarat"})
        station = InProcess(config, HOUSE, Journal(folder.journal), EmulatedUsbBus())
        station.start()
        async with asyncio.timeout(10):
            while "panel" not in station.table.state.lost:
                await asyncio.sleep(0.01)
        await station.stop()

    asyncio.run(steps())


@pytest.mark.parametrize(
    "wrong",
    ['[shoe]\nport = "rfc2217://host:4001"', '[shoe]\nport = "x"\n[panel]\nmodel = "xk24"\nkeys = { open = 77 }'],
    ids=["port", "key"],
)
def test_a_config_that_can_never_work_is_one_line(folder, wrong):
    """`check` says "sound", `run` ends in a traceback."""
    text = '[table]\ndealer = "d1"\n[game]\nname = "baccarat"\n[journal]\npath = '
    folder.config.write_text(f'{text}"{folder.journal}"\n{wrong}\n', encoding="utf-8")
    for command in ("check", "run"):
        ended = tablectl(command, folder.config)
        assert "Traceback" not in ended.stderr
        assert (ended.returncode, ended.stderr.count("\n")) == (2, 1), command


# ── errors of our own ────────────────────────────────────────────────────────────────────────────────────────────


def test_a_card_is_not_lost_because_the_log_cannot_be_written(folder):
    """An exception in a listener drops the rest of what the shoe said in the same breath, and nobody stops the table.

    Here standard error is a pipe that nobody reads any more. Four cards come at once with nobody having asked for
    them: all of them are in the record, or the program has ended with an error.
    """
    shoe = EmulatedAngelEye(PtyPort(folder.port))
    shoe.plug()
    config = folder.write_config(panel=None)
    with subprocess.Popen([PROGRAM, "run", config], stderr=subprocess.PIPE) as process:
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


# ── the journal ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_second_writer_is_refused_also_under_another_name_of_the_file(tmp_path):
    """The lock lies beside the name, not beside the file."""
    book = Journal(tmp_path / "table.journal")
    (tmp_path / "link.journal").symlink_to(tmp_path / "table.journal")
    with pytest.raises(JournalInUse):
        Journal(tmp_path / "link.journal")
    book.close()


def test_no_change_of_a_byte_makes_verify_fail(tmp_path):
    """It names what is wrong. Here the type of a column says that there is nothing (or a number) in it."""
    path = tmp_path / "table.journal"
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    raw = path.read_bytes()
    record = raw.index(b'{"seq":7,"at"')
    for at in range(record - 12, record):
        for value in (0, 1, 7, 8, 12, 13, 127, 255):
            changed = bytearray(raw)
            changed[at] = value
            path.write_bytes(changed)
            try:
                verify(path)
            except JournalError:
                pass
            except Exception as error:  # noqa: BLE001 - the point
                pytest.fail(f"byte {at - record} before the record set to {value}: {error!r}")


@pytest.mark.parametrize("command", ["list", "show", "export", "replay", "verify"])
@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET record = replace(record, '\"kind\"', '\"kinf\"') WHERE seq = 5",
        "DELETE FROM records WHERE seq BETWEEN 4 AND 6",
        "DROP TABLE records",
    ],
    ids=["edited", "deleted", "dropped"],
)
def test_a_damaged_journal_is_no_traceback(tmp_path, command, damage):
    path = damaged(tmp_path, damage)
    ended = tablectl("journal", command, path)
    assert "Traceback" not in ended.stderr
    if command in ("verify", "replay"):
        assert ended.returncode in (1, 2)


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE records SET record = replace(record, '\"kind\"', '\"?\"') WHERE seq = (SELECT max(seq) FROM records)",
        "DELETE FROM records WHERE seq = (SELECT max(seq) - 1 FROM records)",
        "DROP TABLE records",
    ],
    ids=["edited", "deleted", "dropped"],
)
def test_run_on_a_damaged_journal_is_one_line(tmp_path, folder, damage):
    """Or a paused table with `replay_failed`; never a traceback, which systemd would start again for ever."""
    damaged(tmp_path, damage)
    ended = tablectl("run", folder.write_config(panel=None))
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 2


def damaged(tmp_path: Path, damage: str) -> Path:
    path = tmp_path / "table.journal"
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    db = sqlite3.connect(path)
    with db:
        db.execute(damage)
    db.close()
    return path


def test_a_journal_that_somebody_else_has_locked_does_not_stop_the_loop(tmp_path):
    """An SQLite shell with an open transaction: each try to write waits five seconds for it, on the event loop."""
    book = Journal(tmp_path / "table.journal")
    shell = sqlite3.connect(tmp_path / "table.journal", isolation_level=None)
    shell.execute("BEGIN IMMEDIATE")
    took = []
    for _ in range(3):
        began = time.monotonic()
        with pytest.raises(JournalFailed):
            book.append(RECORDS[:1])
        took.append(time.monotonic() - began)
    shell.close()
    book.close()
    assert min(took) < 0.5  # of three: the machine may be at work on something else


def test_a_closed_journal_can_be_closed_again(tmp_path):
    """As it is, the second close closes whatever has got the lock's file descriptor meanwhile."""
    book = Journal(tmp_path / "table.journal")
    book.close()
    with (tmp_path / "other").open("w") as other:
        book.close()
        os.fstat(other.fileno())


def test_a_journal_on_read_only_media_can_be_verified(tmp_path):
    """An auditor's copy. SQLite wants to make a -shm file beside it, unless told that the file is immutable."""
    path = tmp_path / "copy.journal"
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    read_only = 'mount --bind "$0" "$0"; mount -o remount,bind,ro "$0"'
    command = shell(read_only, tmp_path, [PROGRAM, "journal", "verify", path])
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


# ── the demo ─────────────────────────────────────────────────────────────────────────────────────────────────────


def demo(*options: str) -> None:
    ended = tablectl("demo", "--speed", "1000", *options)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_long_demo_with_faults_does_not_get_stuck():
    """A corrected card makes a seventh copy of another: `duplicate_card`, for which the manager knows only resume."""
    demo("--faults", "--rounds", "60", "--seed", "2")


def test_a_demo_on_the_record_of_an_earlier_one_goes_on(tmp_path):
    """The emulated shoe is full again, the table's is not."""
    demo("--rounds", "40", "--seed", "1", "--journal", str(tmp_path))
    demo("--rounds", "40", "--seed", "2", "--journal", str(tmp_path))
