"""Comparison of a game's published, counted, simulated and paid returns."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from ...rules.game import Game, Market
from ...rules.returns import Exact
from ..rtp import count_returns
from ..rtp.comparison import BAND, Sample, bettor_of, highest_return, published_deviations, simulated_deviations
from ..rtp.rounds import NoStrategy, decider, market_of, option_decider
from ..rtp.simulate import STANDARD, Bettor, Chunk, Estimate, deal_chunk
from ..rtp.small_walks import exact_returns
from .broken import Broken

SAMPLES = (
    (12_000, "1", 2),  # rounds, seed, and the distance in tolerances at which a figure is certainly wrong
    (60_000, "2", 1),  # second sample, if a figure is doubtful in the first
)
DOUBTFUL = 2.5  # standard errors from which a figure is doubtful, so that more rounds are dealt

CORRECT_COUNT = "correct the function that counts, the procedure or pay: all three have to follow the same rules"
CORRECT_PUBLISHED = "correct the procedure, the pay table that `pay` reads, or the market's `published`"
GIVE_STRATEGY = "give GAME.strategy, such as a Chart; or name in Exact.decision the option that was counted"
CORRECT_COUNTED = (
    "return one Exact for each market that GAME.counted names, its `returned` a Fraction for one unit staked"
)


def check_returns(game: Game) -> None:
    """Check that the figures of every market agree. Raises Broken."""
    counted = _counted_returns(game)
    for market, text in published_deviations(game, counted):
        raise Broken(
            f"expected the published return of {market.name} to be the counted one, {text}", change=CORRECT_PUBLISHED
        )
    for bettor in dict.fromkeys([*map(bettor_of, counted), STANDARD]):
        if figures := _figures(game, bettor, counted):
            _check_bettor(game, bettor, figures)


def _counted_returns(game: Game) -> Sequence[Exact]:
    """Count the game's returns. Raises Broken if other markets come than named, or it fails."""
    named = set(game.counted.markets) if game.counted else set()
    try:
        counted = count_returns(game)
        markets = {one.market for one in counted if isinstance(one.returned, Fraction)}
    except Exception as error:  # noqa: BLE001 - anybody's function
        raise Broken(
            f"expected the function of GAME.counted to count, it failed ({type(error).__name__}: {error})",
            change=CORRECT_COUNTED,
        ) from None
    if markets != named or not named <= {market.name for market in game.markets}:
        texts = ", ".join(sorted(named)), ", ".join(sorted(markets)) or "none"
        raise Broken(f"expected returns of {texts[0]} to be counted, got those of {texts[1]}", change=CORRECT_COUNTED)
    return counted


class StatedReturn(Struct, frozen=True):
    """Stated return of a market per unit staked: counted exactly, otherwise published."""

    market: Market
    returned: Fraction
    exact: Exact | None = None

    @property
    def change(self) -> str:
        """Sentence with what the author may have to change."""
        return CORRECT_PUBLISHED if self.exact is None else CORRECT_COUNT

    def is_doubtful(self, estimate: Estimate) -> bool:
        """True if the estimate is so far from this figure that more rounds are needed."""
        return abs(float(estimate.mean - self.returned)) > DOUBTFUL * estimate.error + float(BAND / 100)


def _check_bettor(game: Game, bettor: Bettor, figures: Sequence[StatedReturn]) -> None:
    """Compare the figures of one kind of bettor with rounds.

    These are all possible rounds if there are few, else random ones.
    """
    decide = decider(game) if bettor.decision is None else option_decider(bettor.decision)
    try:
        whole = exact_returns(game, decide, bettor.stake)
        if whole is None:
            _compare_by_chance(game, bettor, figures)
            return
    except NoStrategy as error:
        raise Broken(f"expected a strategy, as the game states returns; {error}", change=GIVE_STRATEGY) from None
    for figure in figures:
        _compare_exactly(figure, whole[figure.market.name])


def _figures(game: Game, bettor: Bettor, counted: Sequence[Exact]) -> list[StatedReturn]:
    """Figures of the markets counted for this bettor, and of those that are only published."""
    figures = [
        StatedReturn(market_of(game, one.market), one.returned, one) for one in counted if bettor_of(one) == bettor
    ]
    others = [one for one in game.markets if one.name not in {exact.market for exact in counted}]
    if bettor == STANDARD:
        figures += [StatedReturn(one, one.published / 100) for one in others if one.published is not None]
    return figures


def _compare_exactly(figure: StatedReturn, actual_return: Fraction) -> None:
    if abs(figure.returned - actual_return) > (BAND / 100 if figure.exact is None else 0):
        kind = "published" if figure.exact is None else "counted"
        name, stated, actual = figure.market.name, float(100 * figure.returned), float(100 * actual_return)
        raise Broken(
            f"expected the figures of {name} to agree, it is {kind} with {stated:.4f} %, and all possible rounds give "
            f"{actual:.4f} %",
            change=figure.change,
        )


def _compare_by_chance(game: Game, bettor: Bettor, figures: Sequence[StatedReturn]) -> None:
    doubtful = figures
    for rounds, seed, tolerances in SAMPLES:
        counts = deal_chunk(game, Chunk(game.name, _names(doubtful), rounds, seed, bettor)) if doubtful else {}
        for figure in doubtful:
            sample = Sample.of(counts[figure.market.name], highest_return(game, figure.market, bettor))
            wide = replace(sample, tolerance=tolerances * sample.tolerance)
            for text in simulated_deviations(figure.market, figure.exact, wide):
                raise Broken(f"expected the figures of {figure.market.name} to agree, {text}", change=figure.change)
        doubtful = [one for one in doubtful if one.is_doubtful(Estimate.of(counts[one.market.name]))]


def _names(figures: Sequence[StatedReturn]) -> tuple[str, ...]:
    return tuple(figure.market.name for figure in figures)
