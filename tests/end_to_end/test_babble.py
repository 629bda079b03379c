"""Devices that say more than any that works fill no log, no record and no memory, and a person takes them back."""

import asyncio
import contextlib
import resource
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

import controller.table.loop
from controller.config.table_file import check
from controller.core import events as e
from controller.core.bounds import BURST, MOST_LOOSE, MOST_WAITING
from controller.core.records import Record
from controller.journal import Journal, JournalFailed, read
from controller.station.logs import set_up
from controller.station.station import Station
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24

DAY = 86_400
MB = 10**6
ENQ, CARD = b"\x05", b" [Game]<Card:9C> \r\n"
RESUME = e.Rule("resume", "anna", "the line was mended")


class Refusing(Journal):
    """A journal on a disk that takes nothing while `broken`."""

    broken = False

    def append(self, records):
        if self.broken:
            raise JournalFailed("the disk is full")
        return super().append(records)


class Table:
    """A station on a pty, with all that it writes."""

    def __init__(self, folder: Path, model: str, port: str) -> None:
        self.path, self.errors = folder / "t.journal", folder / "log"
        settings = check({
            "table": {"dealer": "d1"},
            "game": {"name": "baccarat"},
            "timers": {"betting": 3600},
            "shoe": {"model": model, "port": port},
            "panel": {"model": "xk24"},
        })  # fmt: skip
        self.journal = Refusing(self.path)
        self.bus = EmulatedUsbBus()
        self.panel = EmulatedXK24(self.bus)
        self.panel.plug()
        self.station = Station(settings, settings.house("dealer"), self.journal, self.bus)
        self.table = self.station.table

    @property
    def state(self):
        return self.table.state

    @property
    def cut_off(self) -> list[str]:
        return [record.what.device for record in self.records() if record.kind == "device_cut_off"]

    def records(self) -> list[Record]:
        return list(read(self.path))

    def written(self) -> tuple[int, int]:
        """Bytes of log, and of records on disk."""
        wal = self.path.with_name(self.path.name + "-wal")
        return self.errors.stat().st_size, self.path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)

    async def until(self, holds: Callable[[], object]) -> None:
        async with asyncio.timeout(10):
            while not holds():
                await asyncio.sleep(0.005)


@asynccontextmanager
async def running(folder: Path, monkeypatch, model: str = "angel_eye", port: str | None = None) -> AsyncIterator[Table]:
    with (folder / "log").open("w") as errors, monkeypatch.context() as patched:
        patched.setattr("sys.stderr", errors)
        log = set_up(debug=False)
        table = Table(folder, model, port or str(folder / "port"))
        table.station.start()
        try:
            yield table
        finally:
            await table.station.stop()
            log.close()


@pytest.fixture
def port(tmp_path):
    port = PtyPort(tmp_path / "port")
    port.plug()
    yield port
    port.unplug()


async def babbles(port: PtyPort, said: bytes, rate: int, seconds: float) -> None:
    """So many bytes a second, as a line does."""
    began, sent = time.monotonic(), 0
    while (passed := time.monotonic() - began) < seconds:
        due = int(passed * rate) // len(said) - sent
        port.write(said * due)
        sent += due
        await asyncio.sleep(0.01)


async def grows(table: Table, port: PtyPort, said: bytes, rate: int, seconds: float) -> tuple[int, int]:
    """What a day of it adds to log and record: what the first half did, once, and what the second did, all day long."""
    before = table.written()
    await babbles(port, said, rate, seconds / 2)
    between = table.written()
    await babbles(port, said, rate, seconds / 2)
    log, record = (
        (half - start) + int((end - half) / (seconds / 2) * DAY)
        for start, half, end in zip(before, between, table.written(), strict=True)
    )
    return log, record


LINES = [("angel_eye", ENQ, 480), ("angel_eye", ENQ, 11_520), ("bee_tek", CARD, 960), ("bee_tek", CARD, 11_520)]


async def a_day_is_bounded(port, folder, monkeypatch, line, seconds) -> str:
    model, said, rate = line
    async with running(folder, monkeypatch, model) as table:
        await table.until(lambda: table.station.shoe.present)
        log, record = await grows(table, port, said, rate, seconds)
        assert log < 50 * MB, f"{log / MB:.0f} MB of log a day"
        assert record < 50 * MB, f"{record / MB:.0f} MB of records a day"
        assert table.cut_off == ["shoe"]
        assert not table.station.shoe.present
        assert len(table.state.loose) <= MOST_LOOSE
    a_day = f"{log / MB:.2f} MB of log, {record / MB:.2f} of record"
    return f"{model}, {rate} bytes a second for {seconds:g} s: a day is {a_day}"


@pytest.mark.parametrize("line", [LINES[0], LINES[1], LINES[2]], ids=lambda line: f"{line[0]}-{line[2]}")
def test_a_shoe_that_babbles_fills_neither_the_log_nor_the_record(port, tmp_path, monkeypatch, line):
    asyncio.run(a_day_is_bounded(port, tmp_path, monkeypatch, line, {480: 2.8, 960: 1.6}.get(line[2], 0.6)))


@pytest.mark.proof
@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line[0]}-{line[2]}")
def test_20_seconds_of_babble_fill_neither_the_log_nor_the_record(port, tmp_path, monkeypatch, capsys, line):
    told = asyncio.run(a_day_is_bounded(port, tmp_path, monkeypatch, line, 20))
    with capsys.disabled():
        print(f"\n{told}")


def test_a_ruling_takes_a_shoe_back_and_one_that_goes_on_is_cut_off_again(port, tmp_path, monkeypatch):
    async def steps():
        async with running(tmp_path, monkeypatch, "bee_tek") as table:
            await table.until(lambda: table.station.shoe.present)
            for number in (1, 2):
                port.write(b"<W0x01>\r\n" * (BURST + 1))
                await table.until(lambda: table.cut_off == ["shoe"] * number)  # noqa: B023 - awaited here
                assert table.state.fault.code == "shoe_error"
                table.table.take(RESUME)
                await table.until(lambda: table.station.shoe.present and not table.state.lost)
            table.table.take(e.Open())
            port.write(CARD)
            await table.until(lambda: table.state.fault)
            assert table.state.fault.code == "card_before_close"

    asyncio.run(steps())


def test_a_shoe_that_was_cut_off_is_so_still_when_the_program_comes_back(port, tmp_path, monkeypatch):
    async def steps():
        async with running(tmp_path, monkeypatch) as table:
            await table.until(lambda: table.station.shoe.present)
            port.write(ENQ * 2000)
            await table.until(lambda: table.cut_off)
        async with running(tmp_path, monkeypatch) as table:
            await asyncio.sleep(0.3)  # in which it would be opened
            assert not table.station.shoe.present
            table.table.take(RESUME)
            await table.until(lambda: table.station.shoe.present)

    asyncio.run(steps())


def test_a_panel_that_babbles_is_cut_off_and_taken_back(tmp_path, monkeypatch):
    async def steps():
        async with running(tmp_path, monkeypatch) as table:
            await table.until(lambda: table.bus.port(table.panel).claimed)
            for _ in range(BURST):
                table.panel.tap(5)
                await asyncio.sleep(0)
            await table.until(lambda: table.cut_off == ["panel"] and not table.bus.port(table.panel).claimed)
            table.table.take(RESUME)  # the dealer's call
            table.table.take(RESUME)
            await table.until(lambda: table.bus.port(table.panel).claimed and "panel" not in table.state.lost)

    asyncio.run(steps())


def test_what_a_device_says_without_end_is_counted_in_the_log(port, tmp_path, monkeypatch):
    monkeypatch.setattr("controller.station.notices.FOLDED_SECONDS", 0.2)

    async def steps():
        async with running(tmp_path, monkeypatch) as table:
            await table.until(lambda: table.station.shoe.present)
            port.write(ENQ * 301)
            await table.until(lambda: '"repeated": "295 times"' in table.errors.read_text())
            assert table.errors.read_text().count('"said": "Garbage"') == 6

    asyncio.run(steps())


class DeviceServer(threading.Thread):
    """Sends all of it when told to, as fast as it is taken; `ended` when it is sent, or the other end is gone."""

    def __init__(self, data: bytes) -> None:
        super().__init__(daemon=True)
        self._data = data
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.url = f"socket://127.0.0.1:{self._listening.getsockname()[1]}"
        self.told, self.ended = threading.Event(), False
        self.start()

    def run(self) -> None:
        with self._listening, self._listening.accept()[0] as line, contextlib.suppress(OSError):
            self.told.wait()
            line.sendall(self._data)
        self.ended = True


@pytest.mark.parametrize(("model", "said"), [("bee_tek", CARD), ("angel_eye", ENQ), ("bee_tek", b"[W0x01]<W0x01>")])
def test_a_flood_of_8_mb_while_halted_costs_no_memory_and_after_it_the_table_answers(
    tmp_path, monkeypatch, capsys, model, said
):
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.05)

    async def steps() -> tuple[float, float]:
        server = DeviceServer(said * (8 * MB // len(said)))
        async with running(tmp_path, monkeypatch, model, server.url) as table:
            await table.until(lambda: table.station.shoe.present)
            table.table.take(e.Open())
            table.journal.broken = True
            table.table.take(e.Close())
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            server.told.set()
            await table.until(lambda: server.ended)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            table.journal.broken = False
            began = time.monotonic()
            await table.until(lambda: table.table.halted is None)
            table.table.take(e.Acknowledge("anna"))
            answered = time.monotonic() - began
            kinds = [record.kind for record in table.records()]
            assert kinds[-1] == "acknowledged"
            assert "device_cut_off" in kinds
            assert len(kinds) < MOST_WAITING + 50
        return grown, answered

    grown, answered = asyncio.run(steps())
    with capsys.disabled():
        print(f"\n{model}: {grown:.1f} MB more memory; {answered:.2f} s from a disk that takes again to an answer")
    assert grown < 8
    assert answered < 2
