"""Messages of a table to systemd (ready, status, watchdog, stopping) over a real socket."""

import asyncio
import os
import signal
import socket
import threading
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path

import pytest

from controller.core import events as e
from controller.journal import verify
from controller.station.systemd import Supervisor, describe_state
from tests.end_to_end.rig import ROOT, Folder, RunningProgram, start_table
from tests.needs import DEBIAN_PYTHON, umockdev
from tests.patience import PATIENCE, eventually, until
from tests.table.test_table import HOLDEM, JournaledTable

PANEL = [DEBIAN_PYTHON, ROOT / "tests/drivers/umock/usb_server.py", "xk24"]


class Systemd:
    """Socket at which systemd would listen."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + name[1:] if name.startswith("@") else name)

    def hears(self, patience: float = PATIENCE) -> list[str]:
        """Return the lines of the next message; none if no message arrives in time."""
        self._socket.settimeout(patience)
        try:
            return self._socket.recv(4096).decode().split("\n")
        except (TimeoutError, BlockingIOError):
            return []

    def has_heard(self) -> list[list[str]]:
        """Return all messages received up to now."""
        return list(iter(lambda: self.hears(0), []))

    def close(self) -> None:
        self._socket.close()


@pytest.fixture(params=["path", "abstract"])
def systemd(request, tmp_path) -> Iterator[Systemd]:
    listening = Systemd(str(tmp_path / "notify") if request.param == "path" else f"@tablectl-test-{os.getpid()}")
    yield listening
    listening.close()


def supervised(path: Path, steps: Callable[[JournaledTable], Coroutine[None, None, None]], **environment: str) -> None:
    """Run these steps with a table whose supervisor has this environment."""

    async def play() -> None:
        rig = JournaledTable(path / "table.journal", HOLDEM)
        rig.table.start("d1")
        Supervisor(environment).report_ready(rig.table)
        try:
            await steps(rig)
        finally:
            rig.close()

    asyncio.run(play())


def test_readiness_and_status_are_sent_in_one_message(systemd, tmp_path):
    async def steps(rig: JournaledTable) -> None:
        assert systemd.hears() == ["READY=1", "STATUS=idle"]

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name)


def test_the_status_follows_the_round(systemd, tmp_path):
    async def steps(rig: JournaledTable) -> None:
        rig.take(e.NewDeck(), e.Open(), e.LostDevice("panel", "unplugged"))
        lines = [line for message in systemd.has_heard() for line in message]
        assert lines[1:] == ["STATUS=idle", "STATUS=round 1 betting", "STATUS=round 1 betting; missing: panel"]

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name)


def test_a_status_that_has_not_changed_is_not_sent_again(systemd, tmp_path):
    async def steps(rig: JournaledTable) -> None:
        rig.take(e.NewDeck(), e.FoundDevice("beacon"))
        assert len(systemd.has_heard()) == 1

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name)


def test_troubles_are_updated_in_the_status_at_each_feed(systemd, tmp_path):
    async def steps(rig: JournaledTable) -> None:
        beside = ["no pages"]
        Supervisor({"NOTIFY_SOCKET": systemd.name, "WATCHDOG_USEC": "30000"}).report_ready(rig.table, lambda: beside)
        assert systemd.hears() == ["READY=1", "STATUS=idle; no pages"]
        beside.clear()
        lines: list[str] = []
        await until(lambda: lines.extend(systemd.hears(0)) or "STATUS=idle" in lines)
        assert lines.count("STATUS=idle; no pages") == 0

    supervised(tmp_path, steps)


def test_the_status_of_a_fault_names_no_card(tmp_path):
    rig = JournaledTable(tmp_path / "table.journal", HOLDEM)

    async def steps() -> None:
        rig.table.start("d1")
        rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000), e.Close())
        rig.deal("AH", "KD", "QC", "2C", "AH")
        rig.close()

    asyncio.run(steps())
    assert describe_state(rig.table) == "round 1 paused: duplicate card, expected card to board"


def test_the_status_of_a_closed_table_says_so(tmp_path):
    async def steps(rig: JournaledTable) -> None:
        rig.take(e.CloseTable("d1"))
        assert describe_state(rig.table) == "idle; closed"

    supervised(tmp_path, steps)


def test_without_systemd_nothing_is_sent_and_nothing_fails(tmp_path):
    async def steps(rig: JournaledTable) -> None:
        rig.take(e.NewDeck(), e.Open())
        assert rig.table.state.life == "betting"

    supervised(tmp_path, steps)


def test_a_systemd_that_does_not_listen_stops_no_table(tmp_path):
    async def steps(rig: JournaledTable) -> None:
        rig.take(e.NewDeck(), e.Open())
        assert rig.table.state.life == "betting"

    supervised(tmp_path, steps, NOTIFY_SOCKET=str(tmp_path / "nobody"), WATCHDOG_USEC="30000")


# ── the watchdog ─────────────────────────────────────────────────────────────────────────────────────────────────


def fed(systemd: Systemd) -> int:
    """Return how often the watchdog was fed since the last call."""
    return sum("WATCHDOG=1" in message for message in systemd.has_heard())


async def feeds_again(systemd: Systemd) -> bool:
    fed(systemd)
    await until(lambda: fed(systemd))
    return True


@pytest.fixture
def other(tmp_path) -> Iterator[Callable[[], Coroutine[None, None, None]]]:
    """Return a function that feeds the watchdog of another program three times."""
    listening = Systemd(str(tmp_path / "other"))

    async def feed() -> None:
        one = Supervisor({"NOTIFY_SOCKET": listening.name, "WATCHDOG_USEC": "30000"})
        one.begin(str)
        for _ in range(3):
            assert await feeds_again(listening)
        one.report_stop()

    yield feed
    listening.close()


def test_the_watchdog_is_fed_three_times_in_its_time(systemd, tmp_path, monkeypatch):
    async def steps(rig: JournaledTable) -> None:
        loop, waits = asyncio.get_running_loop(), set()
        really = loop.call_later

        def later(wait: float, act: Callable[..., object], *what: object) -> asyncio.TimerHandle:
            waits.update([wait] if act.__name__ == "_feed" else [])
            return really(wait, act, *what)

        monkeypatch.setattr(loop, "call_later", later)
        for _ in range(3):
            assert await feeds_again(systemd)
        assert waits == {0.03}

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name, WATCHDOG_USEC="90000", WATCHDOG_PID=str(os.getpid()))


def test_a_loop_that_hangs_feeds_no_watchdog(systemd, tmp_path, other):
    async def steps(rig: JournaledTable) -> None:
        assert await feeds_again(systemd)
        beside = threading.Thread(target=asyncio.run, args=(other(),))
        beside.start()
        beside.join()  # the loop is blocked meanwhile
        assert fed(systemd) == 0
        assert await feeds_again(systemd)

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name, WATCHDOG_USEC="30000")


def test_a_halted_table_says_so_and_feeds_the_watchdog(systemd, tmp_path):
    async def steps(rig: JournaledTable) -> None:
        rig.journal.broken = "the disk\nis full"
        systemd.has_heard()
        rig.take(e.NewDeck())
        lines = [line for message in systemd.has_heard() for line in message]
        assert "STATUS=HALTED, the record cannot be written: the disk is full; idle" in lines
        assert await feeds_again(systemd)

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name, WATCHDOG_USEC="30000")


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "30000", "WATCHDOG_PID": "1"},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": ""},
    ],
    ids=["none", "another process's", "zero", "no number", "empty"],
)
def test_no_watchdog_is_fed_unless_it_waits_for_this_process(systemd, tmp_path, environment, other):
    async def steps(rig: JournaledTable) -> None:
        await other()
        assert fed(systemd) == 0

    supervised(tmp_path, steps, NOTIFY_SOCKET=systemd.name, **environment)


# ── `tablectl run` ───────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def running(systemd, tmp_path, monkeypatch) -> Iterator[RunningProgram]:
    monkeypatch.setenv("NOTIFY_SOCKET", systemd.name)
    monkeypatch.setenv("WATCHDOG_USEC", "30000")
    with start_table(Folder(tmp_path).write_config(panel=None)) as program:
        yield program


@pytest.mark.parametrize("systemd", ["path"], indirect=True)
def test_run_notifies_systemd_of_ready_watchdog_and_stopping(systemd, running, tmp_path):
    assert systemd.hears()[0] == "READY=1"
    assert Folder(tmp_path).kinds()[:2] == ["configured", "table_opened"]
    while systemd.hears() != ["WATCHDOG=1"]:
        pass
    running.process.send_signal(signal.SIGTERM)
    while systemd.hears() != ["STOPPING=1"]:
        pass
    assert running.ends() == 0


def test_a_panel_hanging_in_the_kernel_delays_no_stop(tmp_path, monkeypatch):
    listening, folder = Systemd(str(tmp_path / "notify")), Folder(tmp_path)
    surroundings = {
        **umockdev(),
        "PYTHONPATH": str(ROOT),
        "NOTIFY_SOCKET": listening.name,
        "WATCHDOG_USEC": "3000000",  # long: the kernel keeps no more than ten unread messages
    }
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    with RunningProgram(PANEL, tmp_path / "panel.log") as panel:
        monkeypatch.setenv("UMOCKDEV_DIR", panel_answer(panel))
        assert panel_answer(panel, "plug") == "ok"
        with start_table(folder.write_config()) as table:
            eventually(lambda: folder.count("device_found", device="panel"))
            panel_answer(panel, "seize")
            notes = listening.has_heard()
            table.process.send_signal(signal.SIGTERM)
            assert table.ends() == 0
            assert table.events()[-2:] == ["device_stuck", "stopped"]
            assert "unplug the panel and plug it in again" in table.errors()
            assert "Traceback" not in table.errors()
    notes += listening.has_heard()
    listening.close()
    assert notes.index(["WATCHDOG=1"]) < notes.index(["STOPPING=1"]) == len(notes) - 1  # a feed would wake the watchdog
    assert verify(folder.journal).finding is None


def panel_answer(panel: RunningProgram, command: str = "") -> str:
    """Send a command to the panel and return its answer; without a command, return its next line."""
    if command:
        panel.process.stdin.write(f"{command}\n")
        panel.process.stdin.flush()
    return panel.process.stdout.readline().strip()
