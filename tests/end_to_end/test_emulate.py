"""`tablectl emulate --hands` deals rounds at a table of `tablectl run`, without hardware."""

from pathlib import Path

import pytest

from controller.cli.client import ask
from controller.web.net.sockets import answers
from tests.end_to_end.rig import Folder, RunningProgram, start_table, tablectl
from tests.patience import PATIENCE, eventually
from tests.ports import free
from tests.processes import TABLECTL


def table(folder: Folder, web: int) -> Path:
    config = folder.write_config(panel=None)
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("127.0.0.1:0", f"127.0.0.1:{web}"), encoding="utf-8")
    return config


def hands(folder: Folder, at: str, *more: str) -> RunningProgram:
    command = [TABLECTL, "emulate", "angel_eye", "--link", folder.port, "--hands", at, "--speed", "100", *more]
    return RunningProgram(command, folder.config.with_name("hands.log"))


def wait_for_end(emulated: RunningProgram) -> None:
    """Wait for the emulator's end; check that its exit code is 0."""
    assert emulated.process.wait(PATIENCE) == 0, emulated.errors()


def settled(folder: Folder) -> int:
    return sum(kind == "settled" for kind in folder.kinds())


def test_hands_deal_by_socket_and_as_a_screen(folder):
    config = table(folder, free())
    with start_table(config) as running:
        with hands(folder, f"unix:{folder.socket}", "--rounds", "2", "--seed", "1") as emulated:
            wait_for_end(emulated)
        lines = emulated.errors().splitlines()
        for step in ("round 1 is betting; next: no more bets", "round 1 is dealing; next: card to player"):
            assert step in lines
        assert lines[-1] == "round 2 is settled"
        assert settled(folder) == 2
        address = tablectl("kiosk", config).stdout.strip()
        with hands(folder, address, "--rounds", "1") as emulated:
            wait_for_end(emulated)
        assert settled(folder) == 3
        assert folder.codes() == []
        changes = [kind for kind in folder.kinds() if kind.startswith("shoe_")]
        assert changes[-3:] == ["shoe_change", "shoe_cut", "shoe_ready"]  # the second emulator brings a new shoe
        assert running.running


def rule_until_it_ends(folder: Folder, emulated: RunningProgram) -> None:
    """Rule on every fault as the shift manager, by a ruling of `BEST`, until the emulator ends."""

    def wanted() -> dict | None:
        fault = ask(folder.socket, "GET", "/api/state").body["fault"]
        ruling = None if fault is None else next((one for one in BEST[fault["code"]] if one in fault["rulings"]), None)
        return ruling and {"command": "rule", "fault": fault["seq"], "ruling": ruling, "because": "a test"}

    eventually(lambda: answers(folder.socket))
    while emulated.running:
        ruling = eventually(lambda: wanted() or not emulated.running)
        if ruling is not True:
            (verdict,) = ask(folder.socket, "POST", "/api/commands", {**ruling, "id": str(ruling)}).body["verdicts"]
            assert verdict["verdict"] == "done"
    assert emulated.process.returncode == 0, emulated.errors()


@pytest.mark.proof
def test_hands_err_and_leave_the_ruling_to_the_shift_manager(folder):
    more = ("--rounds", "3", "--seed", "1", "--errors", "1")
    with start_table(table(folder, free())), hands(folder, f"unix:{folder.socket}", *more) as emulated:
        rule_until_it_ends(folder, emulated)
    assert len(folder.codes()) >= 3
    assert folder.count("ruled") == len(folder.codes())


@pytest.mark.proof
def test_hands_go_on_at_a_table_killed_and_restarted(folder):
    config = table(folder, free())
    with hands(folder, f"unix:{folder.socket}", "--rounds", "6", "--seed", "1") as emulated:
        with start_table(config) as first:
            eventually(lambda: "dealt" in folder.kinds())
            first.process.kill()
            first.process.wait()
        with start_table(config):
            rule_until_it_ends(folder, emulated)
    assert "restarted" in folder.codes()
    assert settled(folder) + sum(kind == "cancelled" for kind in folder.kinds()) >= 6


BEST = {
    "unread_card": ("rescan",),
    "extra_card": ("burn",),
    "dealer_call": ("cancel",),
    "card_before_close": ("cancel",),
    "restarted": ("cancel",),
    "device_lost": ("cancel",),
    "missing_card": ("cancel",),
    "wrong_place": ("cancel",),
    "result_mismatch": ("cancel",),
    "duplicate_card": ("cancel",),
}
