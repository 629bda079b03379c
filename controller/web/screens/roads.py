"""Layout of a shoe's results on the five roads of baccarat.

    bead plate     every result, down in columns of six
    big road       a column for every run of one winner; a tie is a mark on the result before it
    derived roads  big eye boy, small road, cockroach pig: whether the big road repeats itself, red or blue

The derived roads look at the big road as runs, whatever way a long one had to be laid. Each compares with the run one,
two or three columns back (its `back`), and begins with the second result of the run that has so many before it, or,
where that run has no second, with the first of the next:

    a run has begun        red, where the run before it is as long as the one `back` columns before that
    a run has gone on      blue, where the run `back` columns before it ended in the row above this one; else red

A road is laid in six rows. A run goes down; where the next cell is taken, or there is no row left, it turns right and
stays in its row (a dragon's tail). The next run begins in the first row, in the column after the one where the run
before it began, or in the next one whose first row is free.

A road is a function of the results alone. A round without a result is in none of them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

ROWS = 6
BACK = {"eye": 1, "small": 2, "pig": 3}  # columns that each derived road compares with

SIDES: tuple[Literal["player", "banker"], ...] = ("player", "banker")

Winner = Literal["player", "banker", "tie"]
Colour = Literal["red", "blue"]


class RoadResult(Struct, frozen=True):
    """Winner and pairs of a round, for the roads."""

    winner: Winner
    pairs: tuple[str, ...] = ()  # player, banker


class Bead(Struct, frozen=True):
    """One result on the bead plate."""

    column: int
    row: int
    winner: Winner
    pairs: tuple[str, ...]


class BigRoadMark(Struct, frozen=True):
    """One result on the big road. `winner` is null as long as there have been ties alone."""

    column: int
    row: int
    winner: Literal["player", "banker"] | None
    ties: int
    pairs: tuple[str, ...]


class Dot(Struct, frozen=True):
    """One entry of a derived road."""

    column: int
    row: int
    colour: Colour


class Roads(Struct, frozen=True):
    """The five roads of one shoe."""

    bead: tuple[Bead, ...] = ()
    big: tuple[BigRoadMark, ...] = ()
    eye: tuple[Dot, ...] = ()
    small: tuple[Dot, ...] = ()
    pig: tuple[Dot, ...] = ()


class _Entry(Struct, frozen=True):
    """Result on the big road, before it has a column and a row."""

    winner: Literal["player", "banker"] | None
    ties: int = 0
    pairs: tuple[str, ...] = ()


def roads(results: Sequence[RoadResult]) -> Roads:
    """Lay out the roads of these results, in their order."""
    entries = _entries(results)
    runs = _runs(entries)
    cells = lay(entry.winner or "" for entry in entries)
    return Roads(
        bead=tuple(Bead(*divmod(index, ROWS), one.winner, one.pairs) for index, one in enumerate(results)),
        big=tuple(
            BigRoadMark(column, row, entry.winner, entry.ties, entry.pairs)
            for (column, row), entry in zip(cells, entries, strict=True)
        ),
        **{road: _dots(derived_road(runs, back)) for road, back in BACK.items()},
    )


def next_entries(results: Sequence[RoadResult], winner: Winner) -> Mapping[str, Colour]:
    """Next entry of each derived road if this side wins; without roads that would still have no entry."""
    before, after = _runs(_entries(results)), _runs(_entries([*results, RoadResult(winner)]))
    roads_after = {road: derived_road(after, back) for road, back in BACK.items()}
    return {road: dots[-1] for road, dots in roads_after.items() if len(dots) > len(derived_road(before, BACK[road]))}


def _runs(entries: Iterable[_Entry]) -> list[int]:
    """Lengths of the big road's runs, in order."""
    return [len(list(run)) for _, run in groupby(entry.winner for entry in entries if entry.winner)]


def _entries(results: Iterable[RoadResult]) -> list[_Entry]:
    """Results without ties; ties are marks on the result before, or on the first winner."""
    entries: list[_Entry] = []
    for result in results:
        last = entries[-1] if entries else _Entry(None)
        if result.winner == "tie":
            entries[-1:] = [_Entry(last.winner, last.ties + 1, last.pairs)]
        elif last.winner is None:
            entries = [_Entry(result.winner, last.ties, result.pairs)]
        else:
            entries.append(_Entry(result.winner, 0, result.pairs))
    return entries


def derived_road(runs: Sequence[int], back: int) -> list[Colour]:
    """Colours of a derived road, from the lengths of the big road's runs."""
    colours: list[Colour] = []
    for column, length in enumerate(runs):
        for row in range(length):
            if row == 0 and column > back:
                colours.append("red" if runs[column - 1] == runs[column - 1 - back] else "blue")
            elif row and column >= back:
                colours.append("blue" if runs[column - back] == row else "red")
    return colours


def _dots(colours: Sequence[Colour]) -> tuple[Dot, ...]:
    return tuple(Dot(column, row, colour) for (column, row), colour in zip(lay(colours), colours, strict=True))


def lay(kinds: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Yield column and row of each entry: equal entries in a row go down together."""
    cells: set[tuple[int, int]] = set()
    start = -1
    for _, run in groupby(kinds):
        start = next(column for column in range(start + 1, len(cells) + 1) if (column, 0) not in cells)
        cell = start, 0
        for index, _ in enumerate(run):
            cell = _next(cell, cells, start) if index else cell
            cells.add(cell)
            yield cell


def _next(cell: tuple[int, int], cells: set[tuple[int, int]], start: int) -> tuple[int, int]:
    column, row = cell
    down = column, row + 1
    return down if column == start and row + 1 < ROWS and down not in cells else (column + 1, row)
