"""What is asked a hundred times a shift answers at once: it imports nothing that it does not need."""

import subprocess
import sys

import pytest

from tests.bench.start import TABLECTL, answering

HEAVY = {"rich", "structlog", "asyncio", "sqlite3", "controller.games", "controller.config.table_file"}


def imported(*words):
    """The modules that a command of tablectl imports, and what it says."""
    command = [sys.executable, "-X", "importtime", TABLECTL, *words]
    ended = subprocess.run(command, capture_output=True, text=True, check=True)
    return {line.rpartition("|")[2].strip() for line in ended.stderr.splitlines()}, ended.stdout


def test_the_version_is_told_without_what_runs_a_table():
    modules, said = imported("--version")
    assert said.startswith("tablectl, version ")
    assert modules & {*HEAVY, "msgspec", "controller.journal"} == set()


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_where_a_table_stands_is_told_without_what_runs_one(words, tmp_path):
    path = str(tmp_path / "table.sock")
    with answering(path):
        modules, said = imported("status", "--socket", path, *words)
    assert "table" in said
    assert modules & HEAVY == set()
