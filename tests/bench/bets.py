"""Measure the cost of a bet, alone and in lists, at an empty and a full book, and how long cards wait.

Two tables, each in a process of its own, are measured in turns: one with an empty book, one with a book of 20,000 bets.
The bets are sent to the table's own socket and taken back, unmeasured, before the next turn. The result is the median
of the turns in processor time of the table, which other programs on this PC change little. For comparison, the bare
journal writes the same records to this disk, one bet at a time and fifty at a time.

A card waits while the table's loop does not look at received data: from one look to the next but one, as work that was
due before is done first. Wall time includes the disk and other programs; processor time is only what the commands
cause.

    python -m tests.bench.bets [--book N] [--turns N] [--folder DIR]
"""

import argparse
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from controller.core.records import Record
from controller.journal import Journal, read

from .bet_tables import BetServer, MeasuredSeconds, now, served, since

LIST, PORTION, SOME, LONGEST = 500, 50, 1000, 5000  # bets: in a list, in a write, in a turn, at most
KINDS = {"1": (100, 1), f"{LIST}": (SOME, LIST), "100, all or none": (100, 0)}  # bets of a turn, length of their lists
QUIET = 2.0  # seconds
LINES, SINGLY = (1, 20), 400  # open connections; bets of a turn that are sent alone over them


class BetCosts:
    """Measured costs of a bet at each table, by kind of list and turn, and how long cards could wait."""

    def __init__(self) -> None:
        self.costs = defaultdict[str, list[tuple[MeasuredSeconds, ...]]](list)
        self.waits = defaultdict[str, list[MeasuredSeconds]](list)
        self.singly = defaultdict[int, list[tuple[MeasuredSeconds, float]]](
            list
        )  # by the number of connections, at the empty book

    def turn(self, servers: Sequence[BetServer]) -> None:
        """Measure each kind of list at each of the tables once."""
        for kind, (count, length) in KINDS.items():
            self.costs[kind].append(tuple(server.costs(count, length) for server in servers))
            self.waited(f"bets in lists of {kind}", servers)
        for lines in LINES:
            self.singly[lines].append(servers[0].at_once(SINGLY, lines))
            self.waited(f"bets alone, {lines} at once", servers)

    def waited(self, meanwhile: str, servers: Sequence[BetServer]) -> None:
        for server in servers:
            self.waits[meanwhile] += server.asks("waits")


def bare(folder: Path, at_once: int) -> MeasuredSeconds:
    """Write recorded bets of a table to a new journal, `at_once` at a time; return the cost of one bet."""
    bets = [one for one in read(folder / "t.journal") if one.kind == "bet_accepted"][:SOME]
    fields = Record.__struct_fields__[1:]
    records = [Record(seq, *(getattr(one, name) for name in fields)) for seq, one in enumerate(bets, 1)]
    journal, began = Journal(folder / f"bare{at_once}.journal"), now()
    for start in range(0, len(records), at_once):
        journal.append(records[start : start + at_once])
    spent = since(began)
    journal.close()
    return MeasuredSeconds(*(seconds / len(records) for seconds in spent))


def tell_costs(
    found: BetCosts, books: Sequence[str], bare_: dict[str, MeasuredSeconds], show: Callable[[str], None]
) -> None:
    show(f"{'one bet, in lists of':34}{'wall':>10}{'processor':>12}{'of the bare journal':>22}")
    for kind, turns in found.costs.items():
        for book, costs in zip(books, zip(*turns, strict=True), strict=True):
            wall, own = (median(one[which] for one in costs) for which in (0, 1))
            beside = wall / bare_[kind].wall
            show(f"{f'{kind}, book {book}':34}{wall * 1e6:>7.0f} us{own * 1e6:>9.0f} us{beside:>20.1f}x")
    for kind, turns in found.costs.items():
        grown = median(full.processor / empty.processor for empty, full in turns)
        show(f"book of {books[1]} / book of 0, in lists of {kind} (aim: at most 1.2): {grown:.2f}")


def tell_singly(found: BetCosts, show: Callable[[str], None]) -> None:
    show(f"{'a bet alone, over HTTP kept alive':34}{'wall':>10}{'processor':>12}{'a second':>12}{'commits':>10}")
    for lines, turns in found.singly.items():
        wall, own = (median(cost[which] for cost, _ in turns) for which in (0, 1))
        commits = median(each for _, each in turns)
        show(f"{f'{lines} at once':34}{wall * 1e6:>7.0f} us{own * 1e6:>9.0f} us{1 / wall:>12.0f}{commits:>10.2f}")


def tell_waits(found: BetCosts, show: Callable[[str], None]) -> None:
    show(f"{'a card waits (aim: 10 ms)':34}{'of 100 the longest':>20}{'the longest':>14}{'processor':>12}")
    for meanwhile, waits in found.waits.items():
        wall, own = sorted(one.wall for one in waits), max(one.processor for one in waits)
        late = wall[-1 - len(wall) // 100]
        show(f"{meanwhile:34}{late * 1e3:>17.1f} ms{wall[-1] * 1e3:>11.1f} ms{own * 1e3:>9.1f} ms")


def run(folder: Path, book: int, turns: int, show: Callable[[str], None]) -> None:
    found = BetCosts()
    with ExitStack() as tables:
        empty, full = servers = [tables.enter_context(served(folder / name)) for name in ("empty", "full")]
        full.bets(book, LIST)
        found.waited("the book is filled", servers)
        time.sleep(QUIET)
        found.waited("nothing", servers)
        for _ in range(turns):
            found.turn(servers)
        full.bets(LONGEST, LONGEST)
        found.waited(f"one list of {LONGEST:,}", servers)
        empty.bets(SOME, LIST)
        settled = [(SOME, empty.asks("settled")), (book + LONGEST, full.asks("settled"))]
    one, many = bare(folder / "full", 1), bare(folder / "full", PORTION)
    tell_costs(found, ("0", f"{book:,}"), {kind: one if kind == "1" else many for kind in KINDS}, show)
    tell_singly(found, show)
    show(f"the bare journal: {one.wall * 1e6:.0f} us a bet alone, {many.wall * 1e6:.0f} us with {PORTION} at a time")
    tell_waits(found, show)
    for bets, (*dealt, end) in settled:
        before = max(one.wall for one in dealt)
        took = f"{end.wall * 1e3:.0f} ms, {end.processor * 1e3:.0f} ms of them processor time"
        show(f"the card that settles {bets:,} bets takes {took}; those before {before * 1e3:.1f} ms at most")


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--book", type=int, default=20_000, help="bets in the full book; a multiple of 500")
    words.add_argument("--turns", type=int, default=15, help="of each table")
    words.add_argument("--folder", type=Path, help="where to write; on the disk that is to be measured")
    given = words.parse_args()
    with tempfile.TemporaryDirectory(dir=given.folder or Path.cwd()) as folder:
        run(Path(folder), given.book, given.turns, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
