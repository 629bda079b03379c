"""Frequent commands start fast: they import no module that they do not need."""

import subprocess
import sys

import pytest

from controller.cli import main
from controller.cli.journal import COMMANDS as JOURNAL
from tests.bench.start import TABLECTL, answering
from tests.cli.conftest import SETTLED

HEAVY = {"rich", "structlog", "asyncio", "sqlite3", "controller.games", "controller.config.table_file"}


SERVING = {  # what only a running table, its pages, its calls and its bus need
    "rich", "structlog", "asyncio", "concurrent.futures", "multiprocessing", "starlette", "httptools", "http.client",
    "urllib.request", "prometheus_client", "apprise", "nats", "controller.station.station", "controller.web.site",
    "controller.web.listeners", "controller.table.loop", "controller.outputs.delivery", "controller.cli.bus_import",
    "controller.cli.run", "controller.cli.floor_checks",
}  # fmt: skip
READING = {  # what only the other commands over a record, and commands with a config, need
    "serial", "usb.core", "ssl", "argon2", "controller.config.table_file", "controller.cli.journal_files",
    "controller.cli.ship", "controller.cli.stats", "controller.web",
}  # fmt: skip


def imported(*words, code=0):
    """Run a tablectl command; return the modules that it imports and its standard output."""
    command = [sys.executable, "-X", "importtime", TABLECTL, *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == code, ended.stderr
    return {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}, ended.stdout


def test_the_version_imports_nothing_that_runs_a_table():
    modules, output = imported("--version")
    assert output.startswith("tablectl, version ")
    assert modules & {*HEAVY, "msgspec", "controller.journal"} == set()


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_status_imports_nothing_that_runs_a_table(words, tmp_path):
    path = str(tmp_path / "table.sock")
    with answering(path):
        modules, output = imported("status", "--socket", path, *words)
    assert "table" in output
    assert modules & HEAVY == set()


@pytest.mark.parametrize(("command", "code"), [("check", 0), ("doctor", 1)])
def test_check_and_doctor_import_nothing_that_serves_a_table(tablectl, tmp_path, command, code):
    config = tmp_path / "t1.toml"
    text = tablectl("init", "baccarat", "--port", "/dev/null").stdout
    text = text.replace('path = "baccarat-1.journal"', f'path = "{tmp_path}/t1.journal"')
    config.write_text(text.replace('# listen = "127.0.0.1:8032"', 'listen = "off"'), encoding="utf-8")
    modules, output = imported(command, config, code=code)
    assert "sound" in output
    assert modules & SERVING == set()


def test_journal_list_imports_nothing_that_other_commands_need(record):
    modules, output = imported("journal", "list", record(SETTLED))
    assert "settled" in output
    assert modules & {*SERVING, *READING} == set()


def test_every_command_of_the_journal_is_found_by_its_name():
    modules = {name: main.get_command(None, "journal").get_command(None, name).name for name in JOURNAL}
    assert modules == {name: name for name in JOURNAL}


STUDIES = ("controller.lab", "controller.testing", "drivers.emulators")  # for studies and emulation only


@pytest.mark.parametrize("command", ["run", "floor", "status"])
def test_a_service_imports_no_module_for_studies(command):
    """Not even indirectly: a new Python imports the command's module and lists all loaded modules."""
    code = f"import sys, controller.cli.{command}; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    modules = set(ended.stdout.split())
    assert f"controller.cli.{command}" in modules
    assert {name for name in modules if name.startswith(STUDIES)} == set()
    assert "PIL" not in modules


@pytest.mark.parametrize(
    "modules",
    [("controller.cli.run", "controller.web.listeners"), ("controller.cli.floor", "controller.floor.process")],
)
def test_a_service_loads_neither_rich_nor_pillow(modules):
    code = f"import sys, {', '.join(modules)}; print(*sorted({{'rich', 'PIL', 'structlog'}} & sys.modules.keys()))"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "structlog\n"
