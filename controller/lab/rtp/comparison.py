"""Comparison of published, counted and simulated figures of one return.

Exact figures must agree to a hundredth of a percent. A simulated figure may differ as much as chance explains.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction

from msgspec import Struct

from ...rules.game import Game, Market
from ...rules.returns import Exact
from .rounds import market_of
from .simulate import Bettor, Estimate

BAND = Fraction(1, 100)  # percent; rule sheets round or cut their figures to this
SIGMAS = 4  # standard errors by which a simulated figure may differ
MISSED = 9  # a return expected so many times in a sample is missing by chance once in 8 000 samples


class Sample(Struct, frozen=True):
    """Simulated return per unit staked, and the largest error that chance explains."""

    estimate: Estimate
    tolerance: float

    @classmethod
    def of(cls, returns: Counter[Fraction], highest: Fraction) -> "Sample":
        """Build a sample from the count of each return. `highest`: the largest return in the pay tables.

        The standard error misses rare large returns until they have occurred often enough, so the tolerance has a part
        of its own for them.
        """
        estimate, top = Estimate.of(returns), max(highest, *returns)
        often = sum(times for won, times in returns.items() if won >= top)
        rare = float(MISSED * top) / estimate.rounds if often < MISSED else 0.0
        return cls(estimate, SIGMAS * estimate.error + rare)

    def is_apart(self, figure: Fraction) -> bool:
        """True if chance does not explain the distance of this figure (per unit staked) from the sample."""
        return abs(float(self.estimate.mean - figure)) > self.tolerance + float(BAND / 100)

    def summary(self) -> str:
        """Sentence with the number of rounds, the simulated return and its error."""
        mean, error = float(100 * self.estimate.mean), 100 * self.estimate.error
        return f"{self.estimate.rounds} simulated rounds give {mean:.2f} % ± {error:.2f} %"


def highest_return(game: Game, market: Market, bettor: Bettor) -> Fraction:
    """Upper bound of the return of one unit on a market, from the largest number in all pay tables and odds.

    Stakes added with decisions are assumed to win as much.
    """
    odds = [Fraction(one.odds) for one in game.markets if one.odds is not None]
    most = max([*_numbers(game.tables), *odds], default=Fraction(0))
    stakes = 1 + sum(added.times for added in game.follow_ons.values() if added.of == market.name)
    return (1 + most / min(bettor.stake, Fraction(1))) * stakes


def _numbers(tables: object) -> Iterator[Fraction]:
    if isinstance(tables, Mapping):
        for value in tables.values():
            yield from _numbers(value)
    elif isinstance(tables, Sequence) and not isinstance(tables, str):
        for value in tables:
            yield from _numbers(value)
    elif isinstance(tables, int | float | Decimal | Fraction):
        yield Fraction(tables)


def bettor_of(exact: Exact) -> Bettor:
    """Player of simulated rounds with the stake and decision of a counted return."""
    return Bettor(Fraction(exact.stake) if exact.stake else Fraction(1), exact.decision)


def published_deviations(game: Game, counted: Sequence[Exact]) -> Iterator[tuple[Market, str]]:
    """Yield the markets with a counted return other than the published one, with both figures in a sentence.

    For a market that is counted at several stakes, one of the returns has to be the published one.
    """
    for name in dict.fromkeys(one.market for one in counted):
        market = market_of(game, name)
        figures = [100 * one.returned for one in counted if one.market == name]
        published = market.published
        if published is not None and all(abs(figure - published) > BAND for figure in figures):
            text = " or ".join(f"{float(figure):.4f} %" for figure in figures)
            yield market, f"{name} is published with {float(published):.2f} %, and counted {text}"


def simulated_deviations(market: Market, exact: Exact | None, sample: Sample) -> Iterator[str]:
    """Sentence if the simulated return differs from the counted or published one.

    Without a counted return the published one is compared.
    """
    published = market.published
    if exact is not None and sample.is_apart(exact.returned):
        yield f"{market.name} is counted {float(100 * exact.returned):.2f} %, and {sample.summary()}"
    elif exact is None and published is not None and sample.is_apart(published / 100):
        yield f"{market.name} is published with {float(published):.2f} %, and {sample.summary()}"
