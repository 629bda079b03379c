"""Rounds of an archive that a later file corrects: `list` and `export --tables` show the correction or say so."""

import csv
import shutil

import pytest

from controller.journal import archives
from tests.cli.conftest import play_in_files
from tests.cli.test_journal_commands import SETTLED, lines

CORRECTED = f"{SETTLED}{SETTLED}open\nresettle 1 void by m with n because misread\n"
SAYS = "is an archive; later files may correct its rounds"


@pytest.fixture
def rotated(tablectl, record):
    """Archive of two rounds, and its journal, which corrects the first one."""
    path = record(CORRECTED)
    tablectl("journal", "rotate", path)
    return path.with_name("table.000000000001.journal"), path


def ends(tablectl, file):
    listed = lines(tablectl("journal", "list", file, "--json").stdout)
    return [(one["round"], one["end"], one["revision"]) for one in listed]


def test_a_corrected_round_of_an_archive_is_listed_corrected(tablectl, rotated):
    assert ends(tablectl, rotated[0]) == [(1, "cancelled", 1), (2, "settled", 0)]
    assert SAYS not in tablectl("journal", "list", rotated[0]).stderr


def test_exported_tables_of_an_archive_have_later_corrections(tablectl, rotated, tmp_path):
    tablectl("journal", "export", rotated[0], "--tables", tmp_path / "out")
    with (tmp_path / "out" / "bets.csv").open(encoding="utf-8", newline="") as file:
        assert [row["adjusted"] for row in csv.DictReader(file)] == ["-1000", "0"]


def test_a_correction_behind_a_later_archive_is_listed(tablectl, path):
    play_in_files(path, SETTLED, SETTLED, "resettle 1 void by m with n because misread\n")
    archive, later = archives(path)
    assert ends(tablectl, archive) == [(1, "cancelled", 1)]
    later.unlink()
    assert ends(tablectl, archive) == [(1, "settled", 0)]
    assert SAYS in tablectl("journal", "list", archive).stderr


@pytest.mark.parametrize("command", ["list", "show", "export", "events"])
def test_an_archive_alone_says_that_later_files_may_correct(tablectl, rotated, tmp_path, command):
    alone = tmp_path / "alone" / rotated[0].name
    alone.parent.mkdir()
    shutil.copy(rotated[0], alone)
    note = f"tablectl: {alone} {SAYS}"
    assert note in tablectl("journal", command, alone).stderr.splitlines()
    another = tmp_path / "another"
    tablectl("play", "baccarat", "--journal", another, stdin=CORRECTED)
    another.rename(alone.with_name("table.journal"))  # a journal that does not continue this archive
    assert note in tablectl("journal", command, alone).stderr.splitlines()
    assert SAYS not in tablectl("journal", command, alone.with_name("table.journal")).stderr


@pytest.mark.parametrize("command", ["show", "export", "events"])
def test_commands_without_later_corrections_name_the_corrected_rounds(tablectl, rotated, command):
    archive, later = rotated
    corrected = f"tablectl: {later} corrects round 1 of {archive}"
    one_round = ("journal", command, archive, *(() if command == "show" else ("--round",)))
    assert tablectl("journal", command, archive).stderr.splitlines()[0] == corrected
    assert corrected in tablectl(*one_round, "1").stderr
    assert "corrects" not in tablectl(*one_round, "2").stderr
