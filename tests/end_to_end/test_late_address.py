"""A PC starts before its network after a power cut: the table runs, and its pages follow the address."""

import json

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.cli.client import ask
from tests.end_to_end.rig import Folder, RunningProgram
from tests.networks import add_address, alone, get
from tests.patience import eventually
from tests.processes import TABLECTL

PLACE = "10.77.0.1:8032"


@pytest.fixture
def folder(tmp_path) -> Folder:
    folder = Folder(tmp_path)
    text = folder.write_config(panel=None).read_text(encoding="utf-8")
    folder.config.write_text(text.replace('"127.0.0.1:0"', f'"{PLACE}"\nplain = true'), encoding="utf-8")
    return folder


def test_a_table_gets_its_pages_when_its_address_comes(folder):
    with RunningProgram(alone(TABLECTL, "run", folder.config), folder.config.with_suffix(".log")) as table:
        eventually(lambda: "started" in table.events())
        says = "no pages: this PC has no address 10.77.0.1 now; they are there as soon as it has"
        assert troubles(folder) == [says]
        assert CliRunner().invoke(main, ["status", "--socket", str(folder.socket)]).output.splitlines()[-1] == says
        eventually(lambda: "web_address_missing" in table.events())
        assert folder.count("table_opened") == 1

        add_address(table.process.pid, "10.77.0.1")
        assert json.loads(get(table.process.pid, f"http://{PLACE}/healthz"))["ok"]
        eventually(lambda: troubles(folder) == [])
        eventually(lambda: "web_address_there" in table.events())  # the log is written after the record
    assert [table.events().count(f"web_address_{way}") for way in ("missing", "there")] == [1, 1]


def troubles(folder: Folder) -> list[str]:
    health = ask(folder.socket, "GET", "/healthz")
    assert health.status == 200
    return health.body["troubles"]
