"""Wrong or changed clock of the PC: a start is refused, or the record corrects its time and says so."""

import asyncio
import ctypes
import re
import struct
import time
from pathlib import Path
from typing import get_args, get_type_hints
from unittest.mock import patch

import pytest
from click.testing import CliRunner

import controller.table.loop
from controller.cli import main
from controller.cli.state_lines import clock
from controller.config.clock import ClockSection
from controller.config.table_file import PROGRAM, Config
from controller.core import events as e
from controller.core.clock import DAY, SECOND, Time, from_text
from controller.core.encoding import encode, encode_input
from controller.games import GAMES
from controller.journal import Journal, read, verify
from controller.reports.replay import Replay
from controller.table import ntp as module
from controller.table.clocks import STEP, SteadyClock
from controller.table.loop import Table
from controller.table.ntp import Ntp, ntp
from tests.patience import until

HOUSE = Config().house("dealer", "baccarat")
NATURAL = ("9C", "2D", "KD", "3H")
HOUR = 3600 * SECOND
UNIT = Path(__file__).parents[2] / "systemd"


class StoppedClocks:
    """PC with stopped clocks: its wall clock can be set, its monotonic clock cannot."""

    def __init__(self, monkeypatch) -> None:
        self.now: Time = time.time_ns() // 1000
        steady = time.monotonic_ns()
        monkeypatch.setattr(time, "time_ns", lambda: self.now * 1000)
        monkeypatch.setattr(time, "monotonic_ns", lambda: steady)

    def set(self, by: Time) -> None:
        self.now += by


@pytest.fixture
def pc(monkeypatch) -> StoppedClocks:
    monkeypatch.setattr(controller.table.loop, "LOOK", 0.005)
    return StoppedClocks(monkeypatch)


class StartedTable:
    """Started table with a journal on disk."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.journal = Journal(path)
        self.table = Table(HOUSE, self.journal)
        self.table.start("d1")

    def take(self, *events: e.Event) -> None:
        for event in events:
            self.table.take(event)

    def ends_its_round(self) -> None:
        self.take(*(e.CardOut(card) for card in NATURAL), e.KeyPressed("finish"))

    def kinds(self) -> list[str]:
        return [record.kind for record in read(self.path)]

    async def looks(self) -> None:
        """Wait until the table has checked its clock three times."""
        with patch.object(self.table, "_follow_clock", wraps=self.table._follow_clock) as look:
            await until(lambda: look.call_count > 2)

    def close(self) -> None:
        self.table.stop()
        self.journal.close()


def played(path: Path) -> None:
    """Write a record of one round at the PC's present time."""

    async def steps() -> None:
        live = StartedTable(path)
        live.take(e.Open(), e.Close())
        live.ends_its_round()
        live.close()

    asyncio.run(steps())


# ── at a start ───────────────────────────────────────────────────────────────────────────────────────────────────


def started(folder: Path, more: str = "") -> tuple[int, str]:
    """Run `tablectl run` on this record; return exit code and output.

    The run ends after the check of the clock at the latest, as the folder of its socket is missing.
    """
    config = folder / "t.toml"
    config.write_text(
        f'[game]\nname = "baccarat"\n[shoe]\nport = "{folder}/shoe"\n[journal]\npath = "{folder}/t.journal"\n'
        f'[api]\nsocket = "{folder}/no/such/folder/t.sock"\n[web]\nlisten = "off"\n[clock]\nwait = 0\n{more}'
    )
    ended = CliRunner().invoke(main, ["run", str(config)])
    return ended.exit_code, " ".join(ended.output.split())


@pytest.mark.parametrize(
    ("days", "says", "key"),
    [
        (30, "30.0 days after the last record", "ahead_days = 31"),
        (-30, "30.0 days before the last record", "behind_days"),
    ],
)
def test_a_start_with_a_clock_30_days_off_is_refused(tmp_path, pc, days, says, key):
    played(tmp_path / "t.journal")
    before = len(list(read(tmp_path / "t.journal")))
    pc.set(days * DAY)
    code, output = started(tmp_path)
    assert code != 0
    assert says in output
    assert "timedatectl" in output
    assert f"[clock] {key}" in output
    assert len(list(read(tmp_path / "t.journal"))) == before
    checked = CliRunner().invoke(main, ["check", str(tmp_path / "t.toml")])
    assert says in " ".join(checked.output.split())


@pytest.mark.parametrize(("days", "more"), [(30, "ahead_days = 31"), (-30, "behind_days = 31"), (13, ""), (-0.9, "")])
def test_an_accepted_clock_does_not_stop_the_start(tmp_path, pc, days, more):
    played(tmp_path / "t.journal")
    pc.set(round(days * DAY))
    _, output = started(tmp_path, more)
    assert "last record" not in output
    assert "no/such/folder" in output  # the check after the clock


def test_the_next_start_corrects_a_record_with_wrong_time(tmp_path, pc):
    path = tmp_path / "t.journal"
    pc.set(30 * DAY)
    played(path)
    pc.set(-30 * DAY)

    async def steps() -> None:
        for _ in range(3):
            live = StartedTable(path)
            live.take(e.Open(), e.Close())
            assert live.table.state.at == pc.now
            live.ends_its_round()
            live.close()
            pc.set(HOUR)  # the table is off for an hour

    asyncio.run(steps())
    changes = [record.what for record in read(path) if record.kind == "clock_set"]
    assert len(changes) == 1
    assert from_text(changes[0].from_) - 30 * DAY == from_text(changes[0].to)
    assert verify(path).finding is None


# ── while a table runs ───────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("step", [2 * HOUR, -2 * HOUR, 30 * DAY, -30 * DAY], ids=lambda step: f"{step / HOUR:+g} h")
def test_a_clock_change_is_followed_only_between_rounds(tmp_path, pc, step):
    async def steps() -> None:
        live = StartedTable(tmp_path / "t.journal")
        live.take(e.Open())
        deadline, began = live.table.state.deadline, pc.now
        pc.set(step)
        await live.looks()
        live.take(e.Close(), e.CardOut("9C"), e.CardOut("2D"))
        assert deadline == began + 15 * SECOND
        assert live.table.state.at == began
        assert live.table.behind == step
        live.take(e.CardOut("KD"), e.CardOut("3H"), e.KeyPressed("finish"))
        assert "clock_set" not in live.kinds()
        live.take(e.Open())
        assert live.kinds()[-2:] == ["clock_set", "opened"]
        assert live.table.state.at == pc.now
        assert live.table.state.deadline == pc.now + 15 * SECOND
        assert abs(live.table.behind) < SECOND
        live.close()

    asyncio.run(steps())
    assert decided_again(tmp_path / "t.journal") == []


def decided_again(path: Path) -> list[object]:
    audit = Replay(GAMES, PROGRAM)
    audit.take([(one.seq, encode(one), one.input and encode_input(one.input), b"") for one in read(path)])
    audit.finish()
    return audit.differences


def test_an_idle_table_follows_a_clock_change_once(tmp_path, pc):
    async def steps() -> None:
        live = StartedTable(tmp_path / "t.journal")
        pc.set(2 * HOUR)
        await until(lambda: "clock_set" in live.kinds())
        await live.looks()
        assert live.kinds().count("clock_set") == 1
        live.close()

    asyncio.run(steps())


def test_a_paused_table_follows_a_clock_change_after_the_ruling(tmp_path, pc):
    async def steps() -> None:
        live = StartedTable(tmp_path / "t.journal")
        live.take(e.KeyPressed("manager"))
        pc.set(2 * HOUR)
        await live.looks()
        assert "clock_set" not in live.kinds()
        live.take(e.Rule("resume", "anna", "answered"))
        await until(lambda: live.kinds()[-1] == "clock_set")
        live.close()

    asyncio.run(steps())


def test_a_restored_round_keeps_its_time_despite_the_clock(tmp_path, pc):
    path = tmp_path / "t.journal"

    async def steps() -> None:
        live = StartedTable(path)
        live.take(e.Open())
        at = live.table.state.at
        live.close()
        pc.set(-2 * HOUR)
        live = StartedTable(path)
        assert live.table.state.fault.code == "restarted"
        assert "clock_set" not in live.kinds()
        live.take(e.Rule("cancel", "anna", "moved"))
        assert live.table.state.at >= at
        await until(lambda: live.kinds()[-1] == "clock_set")
        assert live.table.state.at == pc.now
        live.close()

    asyncio.run(steps())


@pytest.mark.parametrize("suspended_at", range(6))
def test_a_program_suspended_between_two_readings_follows_no_clock(monkeypatch, suspended_at):
    passed, readings = 0, 0

    def reading() -> int:
        nonlocal passed, readings
        passed += 10**9 if readings == suspended_at else 1000
        readings += 1
        return passed

    monkeypatch.setattr(time, "monotonic_ns", reading)
    monkeypatch.setattr(time, "time_ns", lambda: 10**18 + reading())
    assert abs(SteadyClock().behind) < STEP


# ── how the clock is kept ────────────────────────────────────────────────────────────────────────────────────────


class Kernel:
    """Stand-in for the C library: `adjtimex` fills in the beginning of the kernel's `struct timex`."""

    def __init__(self, answer: int, offset: int, max_error: int, status: int) -> None:
        self._answer, self._timex = answer, struct.pack("@IllllI", 0, offset, 0, max_error, 0, status)

    def adjtimex(self, buffer) -> int:
        assert buffer._obj.modes == 0  # the kernel sets nothing
        ctypes.memmove(buffer, self._timex, len(self._timex))
        return self._answer


STA_PLL, STA_UNSYNC, STA_NANO = 0x0001, 0x0040, 0x2000  # of <sys/timex.h>


@pytest.mark.parametrize(
    ("kernel", "kept"),
    [
        (Kernel(0, -1500, 12_300, STA_PLL), Ntp(True, -1500e-6, 12_300e-6)),
        (Kernel(0, -1500, 12_300, STA_PLL | STA_NANO), Ntp(True, -1500e-9, 12_300e-6)),
        (Kernel(5, 0, 16_000_000, STA_PLL | STA_UNSYNC), Ntp(False, 0.0, 16.0)),
        (Kernel(-1, 7, 7, STA_PLL), Ntp()),
    ],
    ids=["microseconds", "nanoseconds", "not synchronised", "forbidden"],
)
def test_the_kernels_answer_tells_how_the_clock_is_kept(monkeypatch, kernel, kept):
    monkeypatch.setattr(module, "_library", lambda: kernel)
    assert ntp() == kept


def test_this_pcs_kernel_answers_within_its_own_limits():
    """The kernel never reports a maximum error above 16 s (NTP_PHASE_LIMIT); a wrong layout would show other fields."""
    answer = ntp()
    assert answer == Ntp() or (0 <= answer.max_error <= 16 and abs(answer.offset) <= 0.5)


@pytest.mark.parametrize(
    ("kept", "says"),
    [
        ({"synchronised": True, "max_error": 0.0123, "step": 0.0}, "kept by NTP, right within 0.012 s"),
        (
            {"synchronised": False, "max_error": 16.0, "step": 7200.0},
            "NOT kept by NTP; it was set by +7,200.0 s, followed",
        ),
        ({"synchronised": None, "max_error": None, "step": 0.0}, "not known whether kept by NTP"),
    ],
)
def test_status_says_the_date_and_how_the_clock_is_kept(kept, says):
    line = clock(kept, from_text("2026-03-01T12:00:00Z"))
    assert line.startswith("clock: 2026-03-01 12:00:00 UTC, ")
    assert says in line


def test_the_units_start_limits_allow_a_slow_clock():
    unit = (UNIT / "tablectl@.service").read_text()
    limits = {name: int(says) for name, says in re.findall(r"^(\w+)=(\d+)$", unit, re.MULTILINE)}
    longest_wait = get_args(get_type_hints(ClockSection, include_extras=True)["wait"])[1].le
    assert limits["TimeoutStartSec"] >= longest_wait + 60
    # each start may take half a minute, and systemd must still reach its limit of starts
    assert limits["StartLimitIntervalSec"] >= limits["StartLimitBurst"] * (30 + limits["RestartSec"])


def test_the_unit_waits_for_the_clock_and_may_query_it():
    unit = (UNIT / "tablectl@.service").read_text()
    assert re.search(r"^Wants=.*systemd-time-wait-sync\.service", unit, re.MULTILINE)
    assert re.search(r"^After=.*time-sync\.target", unit, re.MULTILINE)
    limit = (UNIT / "systemd-time-wait-sync.service.d" / "tablectl.conf").read_text()
    assert re.search(r"^TimeoutStartSec=\d+$", limit, re.MULTILINE)
    assert "ProtectClock=yes" not in unit  # it would refuse a query of the clock, too
    assert re.search(r"^SystemCallFilter=.*clock_adjtime", unit, re.MULTILINE)
    assert re.search(r"^CapabilityBoundingSet=$", unit, re.MULTILINE)  # no capability that allows setting it
