"""Terminal output of several lost devices, waiting reports, minutes and changes of shipping."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from click import ClickException
from msgspec.structs import replace

from controller.cli import ship, user
from controller.cli.state_lines import _age, clock, lines, state_line
from controller.core.clock import SECOND, to_text
from controller.journal import Head, NoJournalYet
from controller.web.api.table_state import build_state
from tests.web.bench_screens import bench_after

NOW = 1_800_000_000 * SECOND


def resettled_text(says: str):
    table = bench_after(says, panel_loss="warning")
    return build_state(table.state, table.due, None, "manager"), table.state.at


def test_every_lost_device_and_waiting_report_is_told():
    now, at = resettled_text(
        "lost panel; lost beacon; open; close; card 9C; press manager; press dropped; shoe error 7"
    )
    output = list(lines(now, at))
    assert sum(line.startswith("  report waiting") for line in output) == 2
    assert sorted(output[-2].removeprefix("missing: ").split(", ")) == ["beacon", "panel"]
    summary = state_line(now, ("the disk is full", "no address"))
    assert all(one in summary for one in ("panel", "beacon", "the disk is full", "no address"))
    assert "missing" not in state_line(replace(now, lost=()), ())


@pytest.mark.parametrize("script", ["open", "open; close; unread"])
def test_a_halted_table_offers_no_ruling_or_time(script):
    table = bench_after(script)
    now = build_state(table.state, table.due, "the disk is full", "manager")
    output = "\n".join(lines(now, table.state.at))
    assert "HALTED: the record cannot be written: the disk is full" in output
    assert [word for word in ("rulings:", "not now", " s left") if word in output] == []


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(-5, "0 s"), (0, "0 s"), (59, "59 s"), (60, "1 min 0 s"), (61, "1 min 1 s"), (3600, "60 min 0 s")],
)
def test_an_age_is_told_in_minutes_from_sixty_seconds_on(seconds, told):
    assert _age(to_text(NOW), NOW + seconds * SECOND) == told


@pytest.mark.parametrize(("step", "told"), [(0.9, False), (1.0, True), (-0.9, False), (-1.0, True), (-3600.0, True)])
def test_a_clock_set_in_either_direction_is_told(step, told):
    text = clock({"synchronised": True, "max_error": 0.001, "step": step}, NOW)
    assert (f"set by {step:+,.1f} s" in text) is told


def test_shipping_tells_each_change_once(capsys):
    status = None
    for now in ((True, "a"), (True, "a"), (False, "b"), (False, "b"), (False, "c"), (True, "a"), (True, "a")):
        status = ship._say(status, now)
    assert capsys.readouterr().out.split() == ["a", "b", "c", "a"]


def test_following_ships_on_after_a_failure_and_waits_longer(monkeypatch, capsys):
    steps, waits = ["1", "2", "", "", "3", "4"], list[float]()

    def shipped(*_):
        if not (now := steps.pop(0)):
            raise NoJournalYet("no disk")
        return Head(int(now), b"ab")

    monkeypatch.setattr(ship, "_ship", shipped)
    monkeypatch.setattr(ship.time, "sleep", waits.append)
    with pytest.raises(IndexError):  # no further step
        ship._follow(None, None, None, Path("parts"))
    assert capsys.readouterr().out.splitlines() == [
        f"parts: records up to 1 are shipped, head {Head(1, b'ab')}",
        "not shipped: no disk",
        f"parts: records up to 3 are shipped, head {Head(3, b'ab')}",
    ]
    assert waits == [ship.PAUSE, ship.PAUSE, ship.RETRY, ship.RETRY, ship.PAUSE, ship.PAUSE]


@pytest.mark.parametrize(("second", "taken"), [("2580", True), ("2581", False), ("", False)])
def test_a_typed_pin_is_asked_for_twice(monkeypatch, second, taken):
    answers = ["2580", second]
    monkeypatch.setattr(user.sys, "stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(user.click, "prompt", lambda *_, **__: answers.pop(0))
    if taken:
        assert user.read_pin() == "2580"
    else:
        with pytest.raises(ClickException, match="two different PINs"):
            user.read_pin()
    assert answers == []
