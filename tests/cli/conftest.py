"""Fixtures that run the command line within this process, as a person uses it."""

import re
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from controller.cli import main
from controller.config.table_file import Config
from controller.journal import Journal
from controller.script.play import Play
from controller.script.reader import parse
from tests.disk import image

__all__ = ["image"]

Tablectl = Callable[..., Result]

SETTLED = "open\nbet p1 player 10.00\nclose\ncard 9C\ncard 2D\ncard KH\ncard 3S\n"
CANCELLED = 'open\nbet p1 player 10.00\ncard 9C\nrule cancel by manager1 because "wrong shoe"\n'
HOLDEM_LIVE = """shuffled
open
bet p1 ante 10.00
close
card KS
card KD
card 5C
card 5D
card 2H
card 7S
card 9D
"""


def named(cards: Iterable[str], text: str) -> list[str]:
    """Return the cards that a text names as whole words: a round's id may contain the same letters."""
    return [card for card in cards if re.search(rf"\b{card}\b", text)]


@pytest.fixture
def tablectl() -> Tablectl:
    def run(*arguments: object, stdin: str = "", exit_code: int = 0) -> Result:
        """Run tablectl and check its exit code; an exception without its own message fails the test."""
        result = CliRunner().invoke(main, [str(one) for one in arguments], input=stdin, catch_exceptions=False)
        assert result.exit_code == exit_code, result.output
        return result

    return run


@pytest.fixture
def record(tablectl: Tablectl, tmp_path: Path) -> Callable[..., Path]:
    def play(script: str, game: str = "baccarat") -> Path:
        """Play a script; return the path of its journal."""
        path = tmp_path / "table.journal"
        tablectl("play", game, "--journal", path, stdin=script)
        return path

    return play


def play_in_files(path: Path, *scripts: str) -> None:
    """Play scripts into one record; a new file begins after each but the last."""
    with closing(Journal(path)) as journal:
        table = Play(Config().house("auto", "baccarat"), journal)
        for number, script in enumerate(scripts, 1):
            for _ in table.run(parse(script)):
                pass
            if number < len(scripts):
                journal.rotate()


@pytest.fixture
def path(tmp_path) -> Path:
    """Path of a journal on a disk of its own."""
    (tmp_path / "disk").mkdir()
    return tmp_path / "disk" / "t.journal"


@pytest.fixture
def anchor(tmp_path) -> Path:
    """Path of an anchor on another disk than the journal."""
    return tmp_path / "t.anchor"
