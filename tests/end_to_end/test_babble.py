"""A device that never stops sending fills no log, record or memory; a ruling takes it back."""

import asyncio
import contextlib
import re
import resource
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace

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
from tests.patience import until

MB = 10**6
ENQ, CARD = b"\x05", b" [Game]<Card:9C> \r\n"
RESUME = e.Rule("resume", "anna", "the line was mended")


class Refusing(Journal):
    """Journal on a disk that refuses writes while `broken`."""

    broken = False

    def append(self, records):
        if self.broken:
            raise JournalFailed("the disk is full")
        return super().append(records)


class BabbledTable:
    """Station with a shoe on a pty and an emulated panel, its journal and its log."""

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
        """Return the bytes of the log, and of the journal on disk."""
        wal = self.path.with_name(self.path.name + "-wal")
        return self.errors.stat().st_size, self.path.stat().st_size + (wal.stat().st_size if wal.exists() else 0)


@asynccontextmanager
async def running(
    folder: Path, monkeypatch, model: str = "angel_eye", port: str | None = None
) -> AsyncIterator[BabbledTable]:
    with (folder / "log").open("w") as errors, monkeypatch.context() as patched:
        patched.setattr("sys.stderr", errors)
        log = set_up(debug=False)
        table = BabbledTable(folder, model, port or str(folder / "port"))
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


async def babbles(port: PtyPort, data: bytes, rate: int, enough: Callable[[float], bool]) -> None:
    """Write `rate` bytes a second to the port, until `enough(seconds passed)` is true."""
    number = 0
    while not enough(number / 100):
        number += 1
        port.write(data * (number * rate // 100 // len(data) - (number - 1) * rate // 100 // len(data)))
        await asyncio.sleep(0.01)


LINES = [("angel_eye", ENQ, 480), ("angel_eye", ENQ, 11_520), ("bee_tek", CARD, 960), ("bee_tek", CARD, 11_520)]


async def is_cut_off(port: PtyPort, folder: Path, monkeypatch, line: tuple[str, bytes, int], seconds: float) -> str:
    """Check that a babbling shoe is cut off early and nothing is written afterwards; return a summary."""
    model, data, rate = line
    async with running(folder, monkeypatch, model) as table:
        await until(lambda: table.station.shoe.is_present)
        before = table.written()
        await babbles(port, data, rate, lambda _: bool(table.cut_off))
        await until(lambda: not table.station.shoe.is_present)
        await until(lambda: f'"seq": {table.records()[-1].seq},' in table.errors.read_text())  # all is logged
        cut = table.written()
        log, record = (end - start for start, end in zip(before, cut, strict=True))
        assert max(log, record) < MB
        await babbles(port, data, rate, lambda passed: passed > seconds)
        assert (table.errors.read_bytes()[cut[0] :], table.written()) == (b"", cut)
        assert table.cut_off == ["shoe"]
        assert not table.station.shoe.is_present
        assert len(table.state.loose_draws) <= MOST_LOOSE
    return f"{model}, {rate} bytes a second: {log:,} bytes of log, {record:,} of record, and nothing more"


@pytest.mark.parametrize("line", LINES[1:3], ids=lambda line: f"{line[0]}-{line[2]}")
def test_a_shoe_that_babbles_is_cut_off_and_fills_nothing(port, tmp_path, monkeypatch, line):
    asyncio.run(is_cut_off(port, tmp_path, monkeypatch, line, 0.5))


@pytest.mark.proof
@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line[0]}-{line[2]}")
def test_a_shoe_that_babbles_on_fills_nothing(port, tmp_path, monkeypatch, capsys, line):
    summary = asyncio.run(is_cut_off(port, tmp_path, monkeypatch, line, 5))
    with capsys.disabled():
        print(f"\n{summary}")


def test_a_shoe_that_babbles_on_is_cut_off_again(port, tmp_path, monkeypatch):
    async def steps():
        async with running(tmp_path, monkeypatch, "bee_tek") as table:
            await until(lambda: table.station.shoe.is_present)
            for number in (1, 2):
                port.write(b"<W0x01>\r\n" * (BURST + 1))
                await until(lambda: table.cut_off == ["shoe"] * number)  # noqa: B023 - awaited here
                assert table.state.fault.code == "shoe_error"
                table.table.take(RESUME)
                await until(lambda: table.station.shoe.is_present and not table.state.lost)
            table.table.take(e.Open())
            port.write(CARD)
            await until(lambda: table.state.fault)
            assert table.state.fault.code == "card_before_close"

    asyncio.run(steps())


def test_a_shoe_stays_cut_off_when_the_program_comes_back(port, tmp_path, monkeypatch):
    async def steps():
        async with running(tmp_path, monkeypatch) as table:
            await until(lambda: table.station.shoe.is_present)
            port.write(ENQ * 2000)
            await until(lambda: table.cut_off)
        async with running(tmp_path, monkeypatch) as table:
            await asyncio.sleep(0.3)  # long enough to open the port
            assert not table.station.shoe.is_present
            table.table.take(RESUME)
            await until(lambda: table.station.shoe.is_present)

    asyncio.run(steps())


def test_a_panel_that_babbles_is_cut_off_and_taken_back(tmp_path, monkeypatch):
    monkeypatch.setattr("controller.station.guard.BURST", 40)

    async def steps():
        async with running(tmp_path, monkeypatch) as table:
            await until(lambda: table.bus.port(table.panel).claimed)
            for _ in range(40):
                table.panel.tap(5)
            await until(lambda: table.cut_off == ["panel"] and not table.bus.port(table.panel).claimed)
            table.table.take(RESUME)  # ends the fault of the dealer's call, which the taps have made
            table.table.take(RESUME)
            await until(lambda: table.bus.port(table.panel).claimed and "panel" not in table.state.lost)

    asyncio.run(steps())


def test_the_log_counts_what_a_device_repeats(port, tmp_path, monkeypatch):
    monkeypatch.setattr("controller.station.notices.FOLDED_SECONDS", 0.2)
    monkeypatch.setattr("controller.station.notices.time", SimpleNamespace(monotonic=lambda: 0.0))

    async def steps():
        async with running(tmp_path, monkeypatch) as table:
            await until(lambda: table.station.shoe.is_present)
            port.write(ENQ * 301)
            await until(lambda: sum(repeated(table)) == 295)
            assert table.errors.read_text().count('"said": "Garbage"') == 5 + len(repeated(table))

    asyncio.run(steps())


def repeated(table: BabbledTable) -> list[int]:
    """Return the repetition counts in the log, one for each line that has one."""
    return [int(times) for times in re.findall(r'"repeated": "(\d+) times"', table.errors.read_text())]


class DeviceServer(threading.Thread):
    """Server that sends its data when told to, as fast as possible; `ended` is set after that or a disconnection."""

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
def test_a_flood_of_8_mb_while_halted_costs_no_memory(tmp_path, monkeypatch, model, said):
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.05)

    async def steps() -> float:
        server = DeviceServer(said * (8 * MB // len(said)))
        async with running(tmp_path, monkeypatch, model, server.url) as table:
            await until(lambda: table.station.shoe.is_present)
            table.table.take(e.Open())
            table.journal.broken = True
            table.table.take(e.Close())
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            server.told.set()
            await until(lambda: server.ended)
            grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
            table.journal.broken = False
            await until(lambda: table.table.halted is None)
            table.table.take(e.Acknowledge("anna"))
            kinds = [record.kind for record in table.records()]
            assert kinds[-1] == "acknowledged"
            assert "device_cut_off" in kinds
            assert len(kinds) < MOST_WAITING + 50
        return grown

    assert asyncio.run(steps()) < 8
