"""Return to player: returns of a game's markets, beside the figures that its sheet publishes.

The table's own procedures and settlement say what a round returns; no rule is written here a second time. A figure that
a game counts is a claim of its author, so it is compared with simulated rounds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pkgutil import resolve_name

from msgspec import Struct
from msgspec.structs import replace

from ...games import GAMES
from ...rules.dealing import RuleSheetCall
from ...rules.game import Game
from ...rules.returns import Exact
from ...rules.strategy import Count
from .comparison import Sample, bettor_of, highest_return, published_deviations, simulated_deviations
from .look_ahead import regret
from .rounds import NoStrategy, market_of
from .rows import MarketRow, counted_row, simulated_row, with_sample
from .simulate import STANDARD, Bettor, Came, Estimate, samples

DECISIONS = 10_000  # most decisions to look ahead from; one for every 300 rounds
HELD_AGAINST = 50_000  # most simulated rounds that a counted return is compared with

Watch = Callable[[str, int, int], None]  # called with the work, the number done, and the whole number


class ReturnReport(Struct, frozen=True):
    """Rows of a report, the course of each simulated figure, and a sentence for each disagreement."""

    rows: list[MarketRow]
    courses: dict[str, list[Estimate]]
    disagreements: list[str]


class Task(Struct, frozen=True):
    """Task of a report: game, markets, number of rounds, seed."""

    game: str
    markets: Sequence[str]
    rounds: int
    seed: int

    @property
    def simulated_markets(self) -> list[str]:
        """Names of the markets for which the game has no counted return."""
        counted = GAMES[self.game].counted
        return [market for market in self.markets if counted is None or market not in counted.markets]


def report(task: Task, watch: Watch) -> ReturnReport:
    """Compute one row for each market, in the order of the sheet.

    More than one where the return depends on the stake. Raises SheetFailed.
    """
    result = ReturnReport([], {market: [] for market in task.simulated_markets}, [])
    if task.simulated_markets:
        _simulate(task, watch, result)
    if set(task.markets) - set(task.simulated_markets):
        watch("counting", 0, 0)
        with RuleSheetCall():
            counted = [one for one in count_returns(GAMES[task.game]) if one.market in task.markets]
        result.disagreements.extend(text for _, text in published_deviations(GAMES[task.game], counted))
        for bettor in dict.fromkeys(map(bettor_of, counted)):
            returns = [one for one in counted if bettor_of(one) == bettor]
            result.rows.extend(_compare(task, bettor, returns, watch, result))
    result.rows.sort(key=lambda row: task.markets.index(row.market))
    return result


def count_returns(game: Game) -> list[Exact]:
    """Call the game's own function that counts returns; an empty list if it has none."""
    if game.counted is None:
        return []
    count: Callable[[], Iterable[Exact]] = resolve_name(game.counted.by)
    return list(count())


def _simulate(task: Task, watch: Watch, result: ReturnReport) -> None:
    """Add a row for each market that is not counted."""
    game = GAMES[task.game]
    for counts in _deal_chunks(task, task.simulated_markets, STANDARD, watch):
        for name, returns in counts.items():
            result.courses[name].append(Estimate.of(returns))
    for name, returns in counts.items():
        market = market_of(game, name)
        sample = Sample.of(returns, highest_return(game, market, STANDARD))
        result.disagreements.extend(simulated_deviations(market, None, sample))
        result.rows.append(_with_strategy(task, simulated_row(market, sample.estimate), watch))


def _compare(
    task: Task, bettor: Bettor, counted: Sequence[Exact], watch: Watch, result: ReturnReport
) -> Iterator[MarketRow]:
    """Yield rows of counted returns, beside simulated rounds of the same bettor.

    If the game has no strategy, the rows have no simulated figures.
    """
    game = GAMES[task.game]
    short = Task(task.game, [one.market for one in counted], min(task.rounds, HELD_AGAINST), task.seed)
    try:
        *_, counts = _deal_chunks(short, short.markets, bettor, watch)
    except NoStrategy:
        counts = {}
    for one in counted:
        market, row = market_of(game, one.market), counted_row(market_of(game, one.market), one)
        if one.market in counts:
            sample = Sample.of(counts[one.market], highest_return(game, market, bettor))
            result.disagreements.extend(simulated_deviations(market, one, sample))
            row = with_sample(row, sample.estimate)
        yield row


def _deal_chunks(task: Task, markets: Sequence[str], bettor: Bettor, watch: Watch) -> Iterator[Came]:
    """Yield after each chunk of rounds how often each return occurred so far."""
    for counts in samples(task.game, markets, task.rounds, task.seed, bettor=bettor):
        watch("rounds", counts[markets[0]].total(), task.rounds)
        yield counts


def _with_strategy(task: Task, row: MarketRow, watch: Watch) -> MarketRow:
    """Add the player's strategy to a row, and its regret if the strategy was found by search."""
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
