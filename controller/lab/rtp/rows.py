"""Rows about a market's return, with figures in percent of the stake."""

from fractions import Fraction

from msgspec import Struct, field
from msgspec.structs import replace

from ...rules.game import Market
from ...rules.returns import Exact
from .simulate import Estimate


class MarketRow(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Figures of one market, for one stake if the return depends on the stake."""

    market: str
    returned: float = field(name="return")
    sheet: float | None  # return published in the rule sheet
    difference: float | None
    method: str  # exact, simulated
    rounds: int | None
    standard_error: float | None
    counted: str | None = None  # of an exact figure: the counted cases, in words
    stake: str | None = None  # in table currency
    hands: dict[str, int] | None = None  # number of hands by points, if the game counts them
    four_faces: dict[str, int] | None = None  # number of hands that a second pay table pays, by points
    strategy: str | None = None
    regret: float | None = None  # loss of the strategy against looking ahead
    regret_standard_error: float | None = None
    regret_decisions: int | None = None
    simulated: float | None = None  # of an exact figure: return of the simulated rounds it was compared with
    simulated_standard_error: float | None = None
    simulated_rounds: int | None = None


def counted_row(market: Market, counted: Exact) -> MarketRow:
    """Return the row of a counted return per unit staked."""
    row = _row(market, counted.returned, None, counted.over)
    return replace(row, stake=counted.stake, hands=counted.hands, four_faces=counted.paid)


def with_sample(row: MarketRow, estimate: Estimate) -> MarketRow:
    """Add the simulated figure to the row of an exact one."""
    mean, error = float(100 * estimate.mean), 100 * estimate.error
    return replace(row, simulated=mean, simulated_standard_error=error, simulated_rounds=estimate.rounds)


def simulated_row(market: Market, estimate: Estimate) -> MarketRow:
    """Return the row of a simulated return per unit staked."""
    return _row(market, estimate.mean, estimate, None)


def _row(market: Market, returned: Fraction, estimate: Estimate | None, counted: str | None) -> MarketRow:
    sheet = market.published
    return MarketRow(
        market=market.name,
        returned=float(100 * returned),
        sheet=None if sheet is None else float(sheet),
        difference=None if sheet is None else float(100 * returned - sheet),
        method="exact" if estimate is None else "simulated",
        rounds=None if estimate is None else estimate.rounds,
        standard_error=None if estimate is None else 100 * estimate.error,
        counted=counted,
    )
