"""Output of read-only commands over one eventful night, line by line against kept files."""

import json
from pathlib import Path

import pytest

from tests.kept_files import is_kept, of_any_version
from tests.reports.night import night
from tests.reports.week import journal

HERE = Path(__file__).parent / "kept"
GAMES = ("baccarat", "thirty_two", "casino_holdem", "blackjack", "rhum32")
NIGHT, ROUND = "night.journal", "round.txt"
SCRIPT = "open; bet p1 player 10.00; close; card 2C; card 3D; card 2D; card AS; card 8H; unread; press finish"
COMMANDS = {
    "faults": ["faults"],
    "faults-json": ["faults", "--json"],
    "irregularities": ["faults", "--irregularities"],
    "glossary": ["glossary"],
    "help": ["help"],
    "diagram-round": ["diagram", "round"],
    **{f"diagram-{game}": ["diagram", game] for game in GAMES},
    **{f"init-{game}": ["init", game] for game in GAMES},
    "list": ["journal", "list", NIGHT],
    "list-json": ["journal", "list", NIGHT, "--json"],
    "show": ["journal", "show", NIGHT],
    "show-round": ["journal", "show", NIGHT, "2"],
    "events": ["journal", "events", NIGHT],
    "stats": ["journal", "stats", NIGHT],
    "stats-csv": ["journal", "stats", NIGHT, "--csv"],
    "stats-json": ["journal", "stats", NIGHT, "--json", "--shift", "06:00,14:00,22:00", "--zone", "Europe/Bucharest"],
    "play": ["play", "baccarat", "--json", ROUND],
    "script": ["journal", "export", NIGHT, "--script"],
    "export-csv": ["journal", "export", NIGHT, "--format", "csv", "--round", "1..2"],
    **{
        f"export-{who}": ["journal", "export", NIGHT, "--audience", who, "--round", "2"] for who in ("dealer", "player")
    },
    "export-server": ["journal", "export", NIGHT, "--audience", "server", "--fault", "foreign_card"],
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    journal(Path(NIGHT), night())
    Path(ROUND).write_text(SCRIPT.replace("; ", "\n"), encoding="utf-8")


def test_the_tables_of_an_export_are_as_they_were_kept(tablectl, here):
    tablectl("journal", "export", NIGHT, "--tables", "tables")
    for file in sorted(Path("tables").iterdir()):
        assert is_kept(HERE / "tables" / f"{file.name}.txt", of_any_version(file.read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_prints_is_as_it_was_kept(tablectl, here, name):
    result = tablectl(*COMMANDS[name])
    assert is_kept(HERE / f"{name}.txt", of_any_version(result.stdout))


@pytest.mark.parametrize("listed", [[], ["--irregularities"]])
def test_a_list_of_faults_in_a_pipe_is_never_cut(tablectl, listed):
    shown = tablectl("faults", *listed).stdout
    rows = json.loads(tablectl("faults", *listed, "--json").stdout)
    codes = {row["caught_by" if listed else "code"] for row in rows}
    assert [code for code in codes if not any(f"│ {code} " in line for line in shown.splitlines())] == []
    assert "…" not in shown
