"""A running table needs no file of its program's folder any more, so pip may replace the program."""

import json
import shutil
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from drivers.emulators.pty_port import PtyPort
from drivers.shoes.angel_eye_cards import DrawReport
from tests.end_to_end.rig import ROOT, Folder, RunningProgram, tablectl
from tests.patience import PATIENCE, eventually

PAGES = (
    "/dealer", "/manager", "/overlay", "/report", "/metrics", "/healthz", "/api/state", "/api/v1/state", "/api/v1/game",
    "/api/v1/openapi.json", "/api/v1/asyncapi.json", "/api/v1/schema", "/ograf/tablectl-overlay.ograf.json",
    "/ograf/tablectl-overlay.mjs", "/overlay?lang=ro", "/no-such-page",
)  # fmt: skip


@pytest.fixture
def port(tmp_path):
    port = PtyPort(tmp_path / "shoe")
    port.plug()
    yield port
    port.unplug()


def get(url: str, **headers: str) -> int:
    """Return the status code of the answer to GET."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=PATIENCE) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        error.read()
        return error.code


def post(url: str, body: object) -> int:
    data = json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"}, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            answer.read()
            return answer.status
    except urllib.error.HTTPError as error:
        error.read()
        return error.code


def started(table: RunningProgram) -> str:
    """Return the address of the table's pages; empty until the table has started."""
    lines = [json.loads(line) for line in table.errors().splitlines() if line.startswith("{")]
    return next((line["web"] for line in lines if line["event"] == "started"), "")


@pytest.mark.proof
def test_a_table_whose_program_was_replaced_imports_nothing_more(port, tmp_path):
    tree, imports, folder = tmp_path / "tree", tmp_path / "told", Folder(tmp_path)
    for package in ("controller", "drivers"):
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    config = folder.write_config(panel="xk24")
    program = [sys.executable, Path(__file__).with_name("upgraded_process.py"), tree, imports, config]
    with RunningProgram(program, tmp_path / "log") as table:
        web = eventually(lambda: started(table))
        eventually(lambda: folder.count("device_found"))
        shutil.rmtree(tree)
        before = imports.read_text(encoding="utf-8")
        assert "controller.station.station" in before
        plays_and_rules(port, folder)
        statuses = {page: get(f"{web}{page}") for page in PAGES}
        statuses["sign in"] = post(f"{web}/session", {"name": "anna", "pin": "123456"})
        assert {page: status for page, status in statuses.items() if status >= 500} == {}
        looked_for = imports.read_text(encoding="utf-8")[len(before) :].split()
        assert sorted(set(looked_for)) == []
        table.process.terminate()
        assert table.ends() == 0
        assert "crashed" not in table.events()


def plays_and_rules(port: PtyPort, folder: Folder) -> None:
    where = ("--socket", folder.socket)
    for number, command in enumerate(
        (("open",), ("close",), ("status",), ("press", "manager"), ("ack", "--by", "anna"))
    ):
        done = tablectl(*command, *where)
        assert done.returncode == 0, (number, done)
    ruled = tablectl("rule", "resume", "--by", "anna", "--because", "seen", *where)
    assert ruled.returncode == 0, ruled
    for sequence, side, position, card in (("1", "player", 1, "8S"), ("2", "banker", 1, "KH")):
        port.write(DrawReport(sequence, side, position, card).encode())
    eventually(lambda: folder.count("dealt") == 2)
