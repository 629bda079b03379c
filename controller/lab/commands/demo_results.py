"""Last line of a demo: the number of its rounds, and their results."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...accounts.money import money_of
from ...core.records import Cancelled, Faulted, Opened, Record, Settled
from ...rules.game import Game
from ...table.loop import Table
from ...text.faults import Words
from ...text.money import money
from ...text.results import sentence


class DemoCounter:
    """Counter of a demo's rounds, results and faults, called with the records of a table."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.kinds: Counter[type] = Counter()
        self.results: Counter[str] = Counter()
        self.sums: Counter[str] = Counter()  # money by figure, in minor units

    def __call__(self, _table: Table, records: Sequence[Record]) -> None:
        """Count records by kind, settled rounds by result, and money as in all figures of the table."""
        self.kinds.update(type(record.what) for record in records)
        for record in records:
            if isinstance(record.what, Settled):
                self.results.update(_results(self._game, record.what.outcome))
            for entry in money_of(record):
                self.sums[entry.figure] += entry.amount

    def summary(self) -> str:
        """Summary of all counted rounds in one line."""
        kinds = self.kinds
        results = ", ".join(f"{name} {number}" for name, number in sorted(self.results.items()))
        settled = f"{kinds[Settled]} settled ({results})" if results else "0 settled"
        rounds, faults = (_so_many(kinds[kind], name) for kind, name in ((Opened, "round"), (Faulted, "fault")))
        return f"{rounds}: {settled}, {kinds[Cancelled]} cancelled; {faults}"

    def money_line(self, currency: str) -> str:
        """Sums of money in one line; resettlements only if there were any."""
        shown = ("staked", "withdrawn", "paid_out", "refunded", *(("adjusted",) if self.sums["adjusted"] else ()))
        return f"money: {', '.join(f'{money(self.sums[name], currency)} {_figure_words(name)}' for name in shown)}"


def _figure_words(figure: str) -> str:
    return figure.replace("_", " ")


def _so_many(number: int, name: str) -> str:
    return f"{number} {name}" if number == 1 else f"{number} {name}s"


def _results(game: Game, outcome: dict[str, Any]) -> Iterator[str]:
    """Yield the winner of a round, or the result of each hand; else the game's own sentence."""
    if "hands" in outcome:
        yield from (hand["result"] for hand in outcome["hands"].values())
    elif "winner" in outcome:
        yield outcome["winner"] or sentence(game, outcome, Words("en"))
    else:
        yield sentence(game, outcome, Words("en"))
