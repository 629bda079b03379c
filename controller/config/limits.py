"""How much may be staked: the `[limits]` section of a config, and what a table makes of it.

A limit at which a market would return more than it takes is refused before a bet is.
"""

from decimal import Decimal
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from ..core.bounds import MOST_STAKE
from ..core.currency import decimals, in_currency, minor_units, of_sheet
from ..core.house import Limits
from ..rules.game import Game, Market
from ..text.errors import as_key, did_you_mean, listing
from .mistakes import BadConfig

Amount = Annotated[float, Meta(ge=0.001, le=MOST_STAKE)]  # of the table's currency, as TOML writes 5.00


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one bet."""

    minimum: Amount | None = None  # of one bet
    maximum: Amount | None = None  # of one bet


class Bound(NamedTuple):
    """A limit in minor units, and the key that says it; none where the rule sheet does."""

    key: str
    units: int


class LimitsSection(Stakes, frozen=True, forbid_unknown_fields=True):
    """The limits of a bet on any market, of a bet on some, and of a prize."""

    prize: Amount | None = None  # "ace to five payment may vary according to table limit" (Rhum 32)
    markets: dict[str, Stakes] = {}

    def of(self, game: Game, currency: str) -> dict[str, Limits]:
        """The limits of each market. Raises BadConfig."""
        names = [market.name for market in game.markets]
        for name in self.markets:
            if name not in names:
                hint = did_you_mean(name, names)
                at = f"limits.markets.{as_key(name)}"
                raise BadConfig(f"{at}: no such market{hint}; {game.name} has {listing(names)}")
        return {market.name: self._of(market, currency) for market in game.markets}

    def _of(self, market: Market, currency: str) -> Limits:
        lowest, highest = self._minimum(market, currency), self._maximum(market, currency)
        floor = of_sheet(market.floor, currency)
        if lowest.units < floor:
            least, got = in_currency(floor, currency), in_currency(lowest.units, currency)
            told = f"below it {market.name} returns more than 100 %"
            raise BadConfig(f"{lowest.key}: expected at least {least}, {told}, got {got}")
        if highest is not None and highest.units < lowest.units:
            raise BadConfig(_crossed(market, lowest, highest, currency))
        return Limits(lowest.units) if highest is None else Limits(lowest.units, highest.units)

    def _minimum(self, market: Market, currency: str) -> Bound:
        of_the_sheet = Bound("", of_sheet(market.minimum, currency))
        own, key = self.markets.get(market.name, Stakes()).minimum, f"limits.markets.{market.name}.minimum"
        if own is not None:
            return Bound(key, minor(own, key, currency))
        if self.minimum is not None:  # it does not lower what the sheet asks for
            general = Bound("limits.minimum", minor(self.minimum, "limits.minimum", currency))
            return max(of_the_sheet, general, key=lambda bound: bound.units)
        return of_the_sheet

    def _maximum(self, market: Market, currency: str) -> Bound | None:
        own, key = self.markets.get(market.name, Stakes()).maximum, f"limits.markets.{market.name}.maximum"
        if own is None:
            own, key = self.maximum, "limits.maximum"
        return None if own is None else Bound(key, minor(own, key, currency))

    def prize_limit(self, currency: str) -> int | None:
        """The highest fixed prize, in minor units. Raises BadConfig."""
        return None if self.prize is None else minor(self.prize, "limits.prize", currency)


def _crossed(market: Market, lowest: Bound, highest: Bound, currency: str) -> str:
    """What is wrong, by the key that was written: the minimum's, unless it is the sheet's."""
    low, high = in_currency(lowest.units, currency), in_currency(highest.units, currency)
    if not lowest.key:
        return f"{highest.key}: expected at least the rule sheet's minimum of {market.name}, {low}, got {high}"
    return f"{lowest.key}: expected at most the maximum, {high} ({highest.key}), got {low}"


def minor(amount: float, path: str, currency: str) -> int:
    """An amount in minor units. Raises BadConfig where it is not a whole number of them, or above all stakes."""
    units = minor_units(Decimal(str(amount)), currency)
    if units is None:
        most = ("no decimals", "", "two decimals at most", "three decimals at most")[decimals(currency)]
        raise BadConfig(f"{path}: expected an amount with {most}, got {amount}")
    if units > MOST_STAKE:
        most = f"{in_currency(MOST_STAKE, currency):,}"
        raise BadConfig(f"{path}: expected at most {most}, got {amount}")
    return units
