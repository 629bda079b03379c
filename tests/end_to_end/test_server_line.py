"""A table pauses its round when the game server is killed, and continues by a ruling once one is back."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from tests.end_to_end.rig import Folder, start_table, tablectl
from tests.end_to_end.test_journal_edges import web_of
from tests.patience import eventually
from tests.processes import ForkableProgram

PLATFORM = """
import sys, urllib.request
url, token = sys.argv[1:]
asked = urllib.request.Request(f"{url}/api/v1/events", headers={"authorization": f"Bearer {token}"})
for line in urllib.request.urlopen(asked):
    print("there", flush=True)
"""


@contextmanager
def platform(url: str, token: str) -> Iterator["subprocess.Popen[str]"]:
    """Run a game server that follows the table's events; killed at the end."""
    with ForkableProgram([sys.executable, "-c", PLATFORM, url, token], stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout.readline() == "there\n"
            yield program
        finally:
            program.kill()


@pytest.fixture
def folder(tmp_path) -> Folder:
    folder = Folder(tmp_path)
    folder.write_config(panel=None)
    with folder.config.open("a") as config:
        config.write('[server]\nnames = ["platform"]\ngrace = 1\n')
    return folder


@pytest.fixture
def shoe(folder) -> Iterator[EmulatedAngelEye]:
    emulated = EmulatedAngelEye(PtyPort(folder.port), cards=())
    emulated.plug()
    yield emulated
    emulated.unplug()


def last_of_server(folder: Folder) -> str:
    kinds = [one.kind for one in folder.records() if getattr(one.what, "device", "") == "server"]
    return kinds[-1] if kinds else ""


def opened(folder: Folder) -> "subprocess.CompletedProcess[str]":
    return tablectl("open", "--socket", folder.socket, "--by", "anna")


def test_a_killed_game_server_holds_betting_until_the_next_comes(folder, shoe):
    token = tablectl("token", "add", folder.config, "platform").stdout.strip()
    with start_table(folder.config) as table:
        url = eventually(lambda: web_of(table))
        eventually(lambda: folder.count("device_found", device="shoe"))
        with platform(url, token) as server:
            eventually(lambda: last_of_server(folder) != "device_lost")
            assert opened(folder).returncode == 0
            server.kill()
            eventually(lambda: folder.codes() == ["server_lost"])
        with platform(url, token):
            eventually(lambda: last_of_server(folder) == "device_found")
            ruled = tablectl("rule", "resume", "--socket", folder.socket, "--by", "bea", "--because", "Line is back")
            assert ruled.returncode == 0
            table.process.terminate()
            assert table.ends() == 0
    assert folder.kinds()[-1] == "resumed"  # the table's own stop is no loss of the server
    assert tablectl("journal", "replay", folder.journal).returncode == 0
