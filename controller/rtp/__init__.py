"""Return to player: what every market of a game gives back, beside the figure its rule sheet publishes.

The table's own procedures and settlement say what a round returns; no rule is written here a second time.
"""

from collections.abc import Callable, Iterable, Sequence
from pkgutil import resolve_name

from msgspec import Struct
from msgspec.structs import replace

from ..games import GAMES
from ..rules.game import Game
from ..rules.returns import Exact
from ..rules.strategy import Count
from .look_ahead import regret
from .rounds import market_of
from .rows import Row, exact, simulated
from .simulate import Estimate, simulate

DECISIONS = 10_000  # looked ahead from at most; one for every 300 rounds

Watch = Callable[[str, int, int], None]  # what is being done, how much of it, out of how much


class Report(Struct, frozen=True):
    """The rows, and how those that are simulated came about."""

    rows: list[Row]
    courses: dict[str, list[Estimate]]


class Task(Struct, frozen=True):
    """What is to be said: of which markets, from how many rounds, dealt from which seed."""

    game: str
    markets: Sequence[str]
    rounds: int
    seed: int

    @property
    def simulated(self) -> list[str]:
        """The markets that are not counted."""
        counted = GAMES[self.game].counted
        return [market for market in self.markets if counted is None or market not in counted.markets]


def report(task: Task, watch: Watch) -> Report:
    """One row for each market, in the order of the sheet; more than one where the return depends on the stake."""
    courses = _simulate(task, watch) if task.simulated else {}
    rows = [
        _with_strategy(task, simulated(market_of(GAMES[task.game], name), course[-1]), watch)
        for name, course in courses.items()
    ]
    if set(task.markets) - set(task.simulated):
        watch("counting", 0, 0)
        rows += [row for row in _counted(GAMES[task.game]) if row.market in task.markets]
    return Report(sorted(rows, key=lambda row: task.markets.index(row.market)), courses)


def _counted(game: Game) -> list[Row]:
    """One row for each return that the game counts."""
    assert game.counted is not None  # noqa: S101 - one of its markets is counted
    count: Callable[[], Iterable[Exact]] = resolve_name(game.counted.by)
    return [exact(market_of(game, one.market), one) for one in count()]


def _simulate(task: Task, watch: Watch) -> dict[str, list[Estimate]]:
    courses: dict[str, list[Estimate]] = {market: [] for market in task.simulated}
    for estimates in simulate(task.game, task.simulated, task.rounds, task.seed):
        for market, estimate in estimates.items():
            courses[market].append(estimate)
            watch("rounds", estimate.rounds, task.rounds)
    return courses


def _with_strategy(task: Task, row: Row, watch: Watch) -> Row:
    """The row, with how the player decided, and what that gives away where it was found by search."""
    strategy = GAMES[task.game].strategy
    if strategy is None:
        return row
    row = replace(row, strategy=strategy.words)
    if not isinstance(strategy, Count) or row.market != strategy.market:
        return row
    decisions = max(1, min(DECISIONS, task.rounds // 300))
    for lost in regret(task.game, row.market, decisions, task.seed):
        watch("looking ahead", lost.decisions, decisions)
    return replace(row, regret=100 * lost.mean, regret_standard_error=100 * lost.error, regret_decisions=lost.decisions)
