"""Last line of a demo: the number of its rounds, and their results."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ...core.records import Cancelled, Faulted, Opened, Record, Settled
from ...rules.game import Game
from ...table.loop import Table
from ...text.faults import Words
from ...text.results import sentence


class DemoCounter:
    """Counter of a demo's rounds, results and faults, called with the records of a table."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.kinds: Counter[type] = Counter()
        self.results: Counter[str] = Counter()

    def __call__(self, _table: Table, records: Sequence[Record]) -> None:
        """Count records by kind, and settled rounds by result."""
        self.kinds.update(type(record.what) for record in records)
        for record in records:
            if isinstance(record.what, Settled):
                self.results.update(_results(self._game, record.what.outcome))

    def told(self) -> str:
        """Summary of all counted rounds in one line."""
        kinds = self.kinds
        results = ", ".join(f"{name} {number}" for name, number in sorted(self.results.items()))
        settled = f"{kinds[Settled]} settled ({results})" if results else "0 settled"
        rounds, faults = (_so_many(kinds[kind], name) for kind, name in ((Opened, "round"), (Faulted, "fault")))
        return f"{rounds}: {settled}, {kinds[Cancelled]} cancelled; {faults}"


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
