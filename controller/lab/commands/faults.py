"""`tablectl faults`: what can go wrong, in which game, and what the shift manager may rule."""

import json
import sys

import click
from rich.table import Table as Grid

from ...cli.pipe_console import PipeConsole
from ...core.fault_matrix import matrix
from ...games import GAMES
from ...text.fault_conditions import WHEN
from ..catalogue.irregularities import game_of, irregularities

ONE_LINE = 1000  # columns that hold any row, for a pipe
Shown = dict[str, str | list[str]]  # row of the list


@click.command
@click.option(
    "--irregularities",
    "listed",
    is_flag=True,
    help="Print the irregularities in casino rules, and how each is detected.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
def faults(*, listed: bool, as_json: bool) -> None:
    """Print every fault with the games in which it can occur and the rulings it allows."""
    rows = _irregularities() if listed else _faults()
    if as_json:
        print(json.dumps(rows, indent=2))
        return
    shown = rows if listed else _join_rows(rows)
    grid = Grid(header_style="bold")
    for name in shown[0]:
        grid.add_column(name.replace("_", " "), overflow="fold")  # a code is never cut
    for row in shown:
        grid.add_row(*(", ".join(value) if isinstance(value, list) else value for value in row.values()))
    PipeConsole(width=None if sys.stdout.isatty() else ONE_LINE).print(grid)


def _join_rows(rows: list[Shown]) -> list[Shown]:
    """Join rows of games that have the same rulings for a fault."""
    games: dict[tuple[str, str, str], list[str]] = {}
    for row in rows:
        games.setdefault((str(row["code"]), ", ".join(row["rulings"]), str(row["when"])), []).append(str(row["game"]))
    every = len(GAMES)
    return [
        {"code": code, "games": "all" if len(names) == every else names, "rulings": rulings, "when": when}
        for (code, rulings, when), names in games.items()
    ]


def _faults() -> list[Shown]:
    """One row for each fault code and game, with the allowed rulings."""
    return [
        {"code": row.code, "game": row.game, "rulings": list(row.rulings), "when": WHEN[row.code]}
        for row in matrix(GAMES)
    ]


def _irregularities() -> list[Shown]:
    return [
        {"number": one.number, "game": game_of(one), "what": one.what, "caught_by": code or "none", "how": one.how}
        for one, code in irregularities()
    ]
