"""How much may be staked: the `[limits]` section of a config, and what a table makes of it.

A limit at which a market would return more than it takes is refused before a bet is.
"""

from decimal import Decimal
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct

from ..core.decide.bets import MINOR
from ..core.house import Limits
from ..rules.game import Game, Market
from ..text.errors import as_key, did_you_mean, listing
from .mistakes import BadConfig

Amount = Annotated[float, Meta(ge=0.01, le=1_000_000_000)]  # of the table's currency, as TOML writes 5.00


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one bet."""

    minimum: Amount | None = None
    maximum: Amount | None = None


class Bound(NamedTuple):
    """A limit in minor units, and the key that says it; none where the rule sheet does."""

    key: str
    units: int


class LimitsSection(Stakes, frozen=True, forbid_unknown_fields=True):
    """The limits of a bet on any market, of a bet on some, and of a prize."""

    prize: Amount | None = None  # "ace to five payment may vary according to table limit" (Rhum 32)
    markets: dict[str, Stakes] = {}

    def of(self, game: Game) -> dict[str, Limits]:
        """The limits of each market. Raises BadConfig."""
        names = [market.name for market in game.markets]
        for name in self.markets:
            if name not in names:
                hint = did_you_mean(name, names)
                at = f"limits.markets.{as_key(name)}"
                raise BadConfig(f"{at}: no such market{hint}; {game.name} has {listing(names)}")
        return {market.name: self._of(market) for market in game.markets}

    def _of(self, market: Market) -> Limits:
        lowest, highest = self._minimum(market), self._maximum(market)
        if lowest.units < market.floor:
            told = f"below it {market.name} returns more than 100 %"
            raise BadConfig(f"{lowest.key}: expected at least {_text(market.floor)}, {told}, got {_text(lowest.units)}")
        if highest is not None and highest.units < lowest.units:
            raise BadConfig(_crossed(market, lowest, highest))
        return Limits(lowest.units, None if highest is None else highest.units)

    def _minimum(self, market: Market) -> Bound:
        own, key = self.markets.get(market.name, Stakes()).minimum, f"limits.markets.{market.name}.minimum"
        if own is not None:
            return Bound(key, _minor(own, key))
        if self.minimum is not None:  # it does not lower what the sheet asks for
            general = Bound("limits.minimum", _minor(self.minimum, "limits.minimum"))
            return general if general.units >= market.minimum else Bound("", market.minimum)
        return Bound("", market.minimum)

    def _maximum(self, market: Market) -> Bound | None:
        own, key = self.markets.get(market.name, Stakes()).maximum, f"limits.markets.{market.name}.maximum"
        if own is None:
            own, key = self.maximum, "limits.maximum"
        return None if own is None else Bound(key, _minor(own, key))

    def prize_limit(self) -> int | None:
        """The highest fixed prize, in minor units. Raises BadConfig."""
        return None if self.prize is None else _minor(self.prize, "limits.prize")


def _crossed(market: Market, lowest: Bound, highest: Bound) -> str:
    """What is wrong, by the key that was written: the minimum's, unless it is the sheet's."""
    low, high = _text(lowest.units), _text(highest.units)
    if not lowest.key:
        return f"{highest.key}: expected at least the rule sheet's minimum of {market.name}, {low}, got {high}"
    return f"{lowest.key}: expected at most the maximum, {high} ({highest.key}), got {low}"


def _minor(amount: float, path: str) -> int:
    """An amount in minor units. Raises BadConfig where it is not a whole number of them."""
    units = Decimal(str(amount)) * MINOR
    if units != int(units):
        raise BadConfig(f"{path}: expected an amount with two decimals at most, got {amount}")
    return int(units)


def _text(units: int) -> str:
    return f"{Decimal(units) / MINOR:.2f}"
