"""Output of read-only commands, line by line, for a night at a table in which everything is done."""

from pathlib import Path

import pytest

from tests.kept import is_kept
from tests.reports.night import night
from tests.reports.week import journal

HERE = Path(__file__).parent / "kept"
GAMES = ("baccarat", "thirty_two", "casino_holdem", "blackjack", "rhum32")
NIGHT = "night.journal"
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
    "script": ["journal", "export", NIGHT, "--script"],
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    journal(Path(NIGHT), night())


@pytest.mark.parametrize("name", COMMANDS)
def test_what_a_command_prints_is_as_it_was_kept(tablectl, here, name):
    result = tablectl(*COMMANDS[name])
    assert is_kept(HERE / f"{name}.txt", result.stdout)
