"""`tablectl status`: the state of a table with its troubles, clock and bus, as lines and as JSON."""

import json
import time

import msgspec
import pytest
from click.testing import CliRunner

from controller.cli import command_sender, main
from controller.cli.client import TableReply
from controller.core.clock import SECOND
from controller.web.api.table_state import build_state
from tests.cli.test_sent_commands import SOCKET, PreparedTable
from tests.core.bench import START
from tests.web.bench_screens import bench_after

CLOCK = {"synchronised": False, "max_error": 0.1, "step": 0.0}
BUS = {"records": 3, "seconds": 7.4}


@pytest.fixture
def table(monkeypatch) -> PreparedTable:
    """Return a fake table with an open round, which shows its troubles and clock but has no bus."""
    bench, fake_table = bench_after("open"), PreparedTable()
    now = json.loads(msgspec.json.encode(build_state(bench.state, bench.due, None, "manager")))
    fake_table.answers["/api/state"] = TableReply(200, now)
    fake_table.answers["/healthz"] = TableReply(200, {"ok": True, "troubles": ["the disk is full"], "clock": CLOCK})
    monkeypatch.setattr(command_sender, "ask", fake_table.ask)
    return fake_table


def status(*words: str) -> str:
    """Run the command; return what it printed."""
    ended = CliRunner().invoke(main, ["status", *words, "--socket", SOCKET], catch_exceptions=False)
    assert ended.exit_code == 0
    return ended.output


@pytest.mark.parametrize("bus", [{}, {"bus": BUS}], ids=["no bus", "a bus"])
def test_the_status_as_json_has_state_troubles_clock_and_bus(table, bus):
    table.answers["/healthz"].body.update(bus)
    state = table.answers["/api/state"].body
    assert json.loads(status("--json")) == {**state, "troubles": ["the disk is full"], "clock": CLOCK, **bus}


@pytest.mark.parametrize("step", [-3600.0, 0.0, 3600.0])
def test_the_time_left_is_by_the_tables_clock(table, monkeypatch, step):
    table.answers["/healthz"].body["clock"] = {**CLOCK, "step": step}
    now = START + round((5 + step) * SECOND)  # of the PC, five seconds after the betting began
    monkeypatch.setattr(time, "time_ns", lambda: now * 1000)
    assert "next: no more bets, 10 s left" in status().splitlines()


def test_the_status_says_why_a_device_is_missing(table):
    table.answers["/api/state"].body["lost"] = ["panel"]
    health = {"panel": "the driver vendor.Panel failed (KeyError in vendor.py, line 3)", "shoe": ""}
    devices = [
        {"device": {"name": name}, "present": not reason, "health": {"reason": reason}}
        for name, reason in health.items()
    ]
    table.answers["/api/devices"] = TableReply(200, {"devices": devices})
    assert status().splitlines()[-2:] == [f"panel: {health['panel']}", "the disk is full"]
    table.answers["/api/devices"] = TableReply(503, {"detail": "the record cannot be read"})
    assert "missing: panel" in status().splitlines()


def test_the_status_ends_with_clock_bus_and_troubles(table):
    table.answers["/healthz"].body["bus"] = BUS
    *state, clock, bus, trouble = status().splitlines()
    assert state[0].startswith("table ")
    assert "NOT kept by NTP" in clock
    assert (bus, trouble) == ("bus: 3 records behind, for 7 s", "the disk is full")
    del table.answers["/healthz"].body["bus"]
    assert "bus:" not in status()
