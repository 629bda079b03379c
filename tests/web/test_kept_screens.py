"""Screens of every game in every state equal their stored copies, field by field.

A copy lists for each state the fields that differ from the state before.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.views import Audience
from controller.games import GAMES
from controller.text.faults import Words
from controller.web.screens.screens import COMPOSERS
from controller.web.screens.table_snapshot import Equipment, TableSnapshot
from tests.browser.scenes import scenes
from tests.core.bench import START, Bench
from tests.core.test_catalogue import RAISE, ROWS
from tests.kept_files import is_kept
from tests.web.bench_screens import bench_look

HERE = Path(__file__).parent / "kept"


@cache
def looks_by_state(game: str) -> dict[str, TableSnapshot]:
    """Return every state of a game by its name, and some of them halted or with other devices."""
    tables: dict[str, Bench] = {}
    for name, scene in scenes(game).items():
        tables[name] = Bench(game, confirm="dealer", carry=True)
        tables[name].says(scene.script)
    tables |= {row.code: RAISE[row.code](game) for row in ROWS if row.game == game}
    snapshots = {name: bench_look(table) for name, table in tables.items()}
    dealing = snapshots["dealing"]
    snapshots["halted"] = replace(dealing, halted="no space left on device", halted_at=START)
    snapshots["without a panel"] = replace(dealing, equipment=Equipment(("shoe",)))
    snapshots["idle without a panel"] = replace(snapshots["idle"], equipment=Equipment())
    return snapshots


def screen_lines(value: object, path: str = "") -> Iterator[str]:
    """Yield the fields of a screen, each with its path, without empty fields."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from screen_lines(part, f"{path}.{name}")
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from screen_lines(part, f"{path}.{number}")
    elif value not in (None, "", False):
        yield f"{path[1:]}: {value}"


def screen_changes(game: str, role: Audience) -> Iterator[str]:
    """Yield for each state its name and the fields that differ from the state before."""
    before: set[str] = set()
    for name, snapshot in looks_by_state(game).items():
        screen = list(screen_lines(msgspec.to_builtins(COMPOSERS[role](snapshot, Words("en")))))
        yield f"── {name}"
        yield from (line for line in screen if line not in before)
        before = set(screen)


@pytest.mark.parametrize("role", COMPOSERS)
@pytest.mark.parametrize("game", GAMES)
def test_a_screen_in_every_state_equals_its_stored_copy(game, role):
    assert is_kept(HERE / f"{game}.{role}.txt", "\n".join(screen_changes(game, role)))
