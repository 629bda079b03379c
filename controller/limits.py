"""How much may be staked: the `[limits]` section of a config, and what a table makes of it.

The one rule: a limit at which a market would return more than it takes is refused before a bet is.
"""

from decimal import Decimal
from typing import Annotated

from msgspec import Meta, Struct

from .core.decide.bets import MINOR
from .core.house import Limits
from .mistakes import BadConfig, did_you_mean, listing
from .procedure import Game, Market

Amount = Annotated[float, Meta(ge=0.01, le=1_000_000_000)]  # of the table's currency, as TOML writes 5.00


class Stakes(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one bet."""

    minimum: Amount | None = None
    maximum: Amount | None = None


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
                raise BadConfig(f"limits.markets.{name}: no such market{hint}; {game.name} has {listing(names)}")
        return {market.name: self._of(market) for market in game.markets}

    def _of(self, market: Market) -> Limits:
        own, at = self.markets.get(market.name, Stakes()), f"limits.markets.{market.name}"
        general = _minor(self.minimum, "limits.minimum") or 1  # it does not lower what the sheet asks for
        minimum = _minor(own.minimum, f"{at}.minimum") or max(general, market.minimum)
        maximum = _minor(own.maximum, f"{at}.maximum") or _minor(self.maximum, "limits.maximum")
        if minimum < market.floor:
            told = f"below it {market.name} returns more than 100 %"
            raise BadConfig(f"{at}.minimum: expected at least {_text(market.floor)}, {told}, got {_text(minimum)}")
        if maximum is not None and maximum < minimum:
            raise BadConfig(f"{at}.maximum: expected at least the minimum, {_text(minimum)}, got {_text(maximum)}")
        return Limits(minimum, maximum)

    def prize_limit(self) -> int | None:
        """The highest fixed prize, in minor units. Raises BadConfig."""
        return _minor(self.prize, "limits.prize")


def _minor(amount: float | None, path: str) -> int | None:
    """An amount in minor units. Raises BadConfig where it is not a whole number of them."""
    if amount is None:
        return None
    units = Decimal(str(amount)) * MINOR
    if units != int(units):
        raise BadConfig(f"{path}: expected an amount with two decimals at most, got {amount}")
    return int(units)


def _text(units: int) -> str:
    return f"{Decimal(units) / MINOR:.2f}"
