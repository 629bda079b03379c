"""Scoreboard of baccarat for players: the latest columns of each road that fit on the screen.

The layout is computed here; a page puts each sign into its cell.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from ...text.faults import Words
from . import player_texts as p
from . import roads as r
from . import texts as t
from .table_snapshot import LatestResult, TableSnapshot

COLUMNS = {"bead": 7, "big": 20, "eye": 14, "small": 14, "pig": 14}
READ_OUT = 10  # results


class Cell(Struct, frozen=True, omit_defaults=True):
    """Sign in one cell of a road."""

    column: int
    row: int
    kind: str  # player, banker, tie; red, blue
    letter: str = ""
    ties: int = 0
    pairs: tuple[str, ...] = ()
    newest: bool = False


class Road(Struct, frozen=True):
    """One road, ready to draw."""

    road: str  # bead, big, eye, small, pig
    name: str  # for screen readers
    columns: int
    rows: int
    cells: tuple[Cell, ...]


class ResultCount(Struct, frozen=True):
    """Count and percentage of one result in this shoe."""

    kind: str
    letter: str
    count: int
    percent: int


class NextRoadMarks(Struct, frozen=True):
    """Next entry of each derived road if this side wins: red, blue, or nothing yet."""

    kind: str  # player, banker
    letter: str
    roads: dict[str, str]


class Board(Struct, frozen=True):
    """Scoreboard: the roads, the counts, and the next entries."""

    roads: tuple[Road, ...]
    counts: tuple[ResultCount, ...]
    next: tuple[NextRoadMarks, ...]
    note: str  # how the last shoe ended, during a change of shoe


def board(snapshot: TableSnapshot, words: Words) -> Board | None:
    """Compose the scoreboard of this shoe; None for a game without roads."""
    if not snapshot.house.game.face.roads:
        return None
    results = [result_of(ended) for ended in snapshot.results]
    laid = r.roads(results)
    cells = {
        "bead": [Cell(one.column, one.row, one.winner, _letter(one.winner, words), 0, one.pairs) for one in laid.bead],
        "big": [Cell(one.column, one.row, one.winner or "tie", "", one.ties, one.pairs) for one in laid.big],
        "eye": _dots(laid.eye),
        "small": _dots(laid.small),
        "pig": _dots(laid.pig),
    }
    last = " ".join(_letter(result.winner, words) for result in results[-READ_OUT:])
    shown = tuple(_road(road, cells[road], last, words) for road in COLUMNS)
    return Board(shown, _counts(results, words), _next(results, words), _note(snapshot, words))


def result_of(ended: LatestResult) -> r.RoadResult:
    """Convert a settled round into a result for the roads."""
    return r.RoadResult(ended.outcome["winner"], tuple(ended.outcome["pairs"]))


def _dots(dots: Sequence[r.Dot]) -> list[Cell]:
    return [Cell(dot.column, dot.row, dot.colour) for dot in dots]


def _letter(winner: str, words: Words) -> str:
    return words.say(t.LETTERS[winner])


def _road(road: str, cells: Sequence[Cell], last: str, words: Words) -> Road:
    """Keep the latest columns of a road that fit on the screen, and mark its newest cell."""
    columns = COLUMNS[road]
    cells = [*cells[:-1], *(replace(cell, newest=True) for cell in cells[-1:])]
    first = max((cell.column for cell in cells), default=0) + 1 - columns
    shown = tuple(replace(cell, column=cell.column - max(0, first)) for cell in cells if cell.column >= first)
    name = words.say(t.ROADS[road])
    if road == "bead" and last:
        name = words.say(t.ROAD_ENDS).format(road=name, results=last)
    return Road(road, name, columns, r.ROWS, shown)


def _counts(results: Sequence[r.RoadResult], words: Words) -> tuple[ResultCount, ...]:
    counts, of = Counter[str](result.winner for result in results), len(results) or 1
    shares = {winner: round(100 * counts[winner] / of) for winner in t.LETTERS}
    return tuple(ResultCount(winner, _letter(winner, words), counts[winner], share) for winner, share in shares.items())


def _next(results: Sequence[r.RoadResult], words: Words) -> tuple[NextRoadMarks, ...]:
    return tuple(NextRoadMarks(side, _letter(side, words), dict(r.next_entries(results, side))) for side in r.SIDES)


def _note(snapshot: TableSnapshot, words: Words) -> str:
    if snapshot.state.shoe.changing:
        return words.say(p.SHOE_CHANGES)
    return "" if snapshot.results else words.say(p.NEW_SHOE)
