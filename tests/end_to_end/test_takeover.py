"""A PC dies in the middle of a round, and a second PC takes over its table, with real programs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.cli.client import ask
from controller.journal import head_of
from controller.web.net.sockets import answers
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, RunningProgram, start_table, tablectl
from tests.end_to_end.test_emulate import hands, rule_until_it_ends, table, wait_for_end
from tests.patience import eventually
from tests.ports import free
from tests.processes import TABLECTL


def pc(path: Path, anchor: Path) -> tuple[Folder, Path]:
    """Make a PC's folder with the table's config; return its files and the config's path."""
    path.mkdir()
    folder = Folder(path)
    config = table(folder, free())
    text = config.read_text(encoding="utf-8")
    config.write_text(text.replace("[journal]\n", f'[journal]\nanchor = "{anchor}"\n'), encoding="utf-8")
    return folder, config


def say(folder: Folder, command: str, **more: object) -> None:
    """Send a shift manager's command to the table; check that it is done."""
    words = {"command": command, "id": f"{command} {more}", **more}
    (verdict,) = ask(folder.socket, "POST", "/api/commands", words).body["verdicts"]
    assert verdict["verdict"] == "done", verdict


def shipped(parts: Path) -> str:
    """Return the text of the journal's last part that has been shipped so far; empty if there is none."""
    tail = parts / "tail.part"
    return tail.read_text(encoding="utf-8") if tail.exists() else ""


@contextmanager
def a_round_on(folder: Folder) -> Iterator[None]:
    """Settle a round, and deal two cards of the next one."""
    eventually(lambda: answers(folder.socket))
    with hands(folder, f"unix:{folder.socket}", "--seed", "1", "--rounds", "1") as emulated:
        wait_for_end(emulated)
    shoe = EmulatedAngelEye(PtyPort(folder.port), cards=("9C", "2D"))
    shoe.plug()
    try:
        eventually(lambda: folder.kinds()[-1] == "device_found")
        before = folder.count("dealt")
        say(folder, "open")
        say(folder, "close")
        for number in (1, 2):
            shoe.draw()
            eventually(lambda drawn=number: folder.count("dealt") == before + drawn)
        yield
    finally:
        shoe.unplug()


@pytest.mark.proof
def test_a_dead_pc_is_replaced_and_stays_off(tmp_path, capsys):
    (tmp_path / "shared").mkdir()
    parts, anchor = tmp_path / "parts", tmp_path / "shared" / "t1.anchor"
    parts.mkdir()
    (old, here), (new, config) = (pc(tmp_path / name, anchor) for name in ("old", "new"))
    ship = [TABLECTL, "journal", "ship", here, "--to", parts, "--follow"]
    with RunningProgram(ship, tmp_path / "ship.log") as shipping:
        with start_table(here) as first, a_round_on(old):
            refused = tablectl("takeover", config, "--from", parts, "--by", "eva")
            assert "the table still runs on the other PC" in refused.stderr
            first.process.kill()
            first.process.wait()
        last = head_of(old.journal)
        eventually(lambda: str(last) in shipped(parts))  # up to 5 s later, if shipping found no record at first
        assert shipping.running
    began, commands = time.monotonic(), 0
    result = tablectl("takeover", config, "--from", parts, "--by", "eva", "--because", "it does not start")
    commands += 1
    assert result.returncode == 0, result.stderr
    assert "it comes back paused, for a ruling" in result.stdout
    with start_table(config), hands(new, f"unix:{new.socket}", "--seed", "2", "--rounds", "2") as emulated:
        commands += 1
        rule_until_it_ends(new, emulated)
        took = time.monotonic() - began
        back = tablectl("run", here)  # the old PC with its old files
        assert back.returncode == 2
        assert f"after record {last.seq} the record continued elsewhere" in back.stderr.splitlines()[-1]
    for command in ("verify", "replay"):
        assert tablectl("journal", command, new.journal).returncode == 0
    assert [record.seq for record in new.records()] == list(range(1, head_of(new.journal).seq + 1))
    assert new.records()[: last.seq] == old.records()[: last.seq]
    assert new.count("loss_accepted", by="eva") == 1
    assert "restarted" in new.codes()
    with capsys.disabled():
        print(f"\na dead PC is replaced: {commands} commands, {took:.0f} s to the next rounds settled")


@pytest.mark.proof
@pytest.mark.parametrize(
    ("made", "says"),
    [(False, "no such file"), (True, "an empty file, not a journal of tablectl")],
    ids=["missing", "only just made"],
)
def test_a_followed_journal_is_shipped_to_its_head(folder, tmp_path, made, says):
    config, parts = table(folder, free()), tmp_path / "parts"
    parts.mkdir()
    if made:
        folder.journal.touch()
    with RunningProgram(
        [TABLECTL, "journal", "ship", config, "--to", parts, "--follow"], tmp_path / "ship.log"
    ) as shipping:
        assert shipping.process.stdout.readline() == f"not shipped: {folder.journal}: {says}\n"
        with start_table(config):
            eventually(folder.records)
            eventually(lambda: f"\n{head_of(folder.journal)}\t" in shipped(parts))
