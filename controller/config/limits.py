"""The `[limits]` section of a config: smallest and largest stakes, ceilings of payment, the exposure warning.

A limit at which a market would return more than it takes is refused when the config is read.
"""

from decimal import Decimal
from typing import Annotated, Any, NamedTuple, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType
from msgspec.structs import replace

from ..core.bounds import MOST_STAKE
from ..core.currency import decimals, minor_units, sheet_stake, to_amount
from ..core.house import Ceilings, Limits, PlayerCeilings, PlayerLimits, StakeLimits, SumLimits
from ..rules.game import Game, Market
from ..text.errors import as_key, did_you_mean, listing
from .mistakes import BadConfig

_Section = TypeVar("_Section", bound=Struct)
Amount = Annotated[float, Meta(ge=0.001, le=MOST_STAKE)]  # of the table's currency, as TOML writes 5.00


class BetLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """The limits of one bet."""

    minimum: Amount | None = None  # of the stake of one bet
    maximum: Amount | None = None  # of the stake of one bet


class SumOfStakes(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of a sum of stakes."""

    minimum: Amount | None = None  # of the sum when betting closes; if it is lower, bets of that window are returned
    maximum: Amount | None = None  # of the sum at each bet: a bet that would exceed it is refused


class MarketStakes(BetLimits, frozen=True, forbid_unknown_fields=True):
    """Limits of the bets on one market."""

    player: SumOfStakes = SumOfStakes()  # of all bets of a player on it, over windows and seats


class PlayersWinnings(Struct, frozen=True, forbid_unknown_fields=True):
    """Ceilings of payment for one player: most that is paid beyond the stakes."""

    bet: Amount | None = None  # most that one bet wins above its stake
    player: Amount | None = None  # most that all bets of a player win in a round


class Winnings(PlayersWinnings, frozen=True, forbid_unknown_fields=True):
    """Ceilings of payment, off until they are set: most that is paid beyond the stakes, which are always returned."""

    round: Amount | None = None  # most that all bets of all players win in a round


class ClassSection(BetLimits, frozen=True, forbid_unknown_fields=True):
    """Limits of a class of players, in place of the table's."""

    player: SumOfStakes = SumOfStakes()  # of all bets of a player in a round
    player_market: SumOfStakes = SumOfStakes()  # of a player's bets on any one market, over windows and seats
    markets: dict[str, MarketStakes] = {}
    ceilings: PlayersWinnings = PlayersWinnings()


class Bound(NamedTuple):
    """Limit in minor units, and the config key that sets it; an empty key if the rule sheet sets it."""

    key: str
    units: int


class LimitsSection(ClassSection, frozen=True, forbid_unknown_fields=True):
    """Limits of stakes and prizes, for one bet, a player, a round, and for classes of players."""

    prize: Amount | None = None  # "ace to five payment may vary according to table limit" (Rhum 32)
    round: SumOfStakes = SumOfStakes()  # of all bets of all players in a round
    classes: dict[str, ClassSection] = {}  # by the name that the game server gives with a bet
    ceilings: Winnings = Winnings()
    exposure_warning: Amount | None = None  # alert if the bets of a round can win more than this

    def terms(self, game: Game, currency: str) -> dict[str, Any]:
        """Fields of the table's terms that this section sets. Raises BadConfig."""
        return {
            "limits": self.market_limits(game, currency),
            "stakes": self.stakes(game, currency),
            **self.money_terms(currency),
        }

    def money_terms(self, currency: str) -> dict[str, Any]:
        """Fields of the terms that do not depend on the game: prize, ceilings, warning. Raises BadConfig."""
        ceilings, warning = self.payment_ceilings(currency), self.warning(currency)
        return {"prize_limit": self.prize_limit(currency), "ceilings": ceilings, "exposure_warning": warning}

    def market_limits(self, game: Game, currency: str) -> dict[str, Limits]:
        """Limits of one bet, by market. Raises BadConfig."""
        return _Bounds(self, game, currency, "limits").bets()

    def stakes(self, game: Game, currency: str) -> StakeLimits:
        """Limits of sums of stakes, for the table and for each class of players. Raises BadConfig."""
        own = _Bounds(self, game, currency, "limits").player()
        classes = {
            name: _Bounds(_fill_class(self, section), game, currency, _at_class(name))
            for name, section in self.classes.items()
        }
        of_classes = {name: replace(one.player(), bets=one.bets()) for name, one in classes.items()}
        return StakeLimits(own, _sum(self.round, "limits.round", currency), of_classes)

    def payment_ceilings(self, currency: str) -> Ceilings | UnsetType:
        """Ceilings of payment, for the table and each class of players; UNSET if there are none. Raises BadConfig."""
        classes = {
            name: PlayerCeilings(*_player_ceilings(_fill(section.ceilings, self.ceilings), _at_class(name), currency))
            for name, section in self.classes.items()
            if section.ceilings != PlayersWinnings()
        }
        own = _player_ceilings(self.ceilings, "limits", currency)
        ceilings = Ceilings(*own, _minor(self.ceilings.round, "limits.ceilings.round", currency), classes)
        return UNSET if ceilings == Ceilings() else ceilings

    def warning(self, currency: str) -> int | UnsetType:
        """Exposure of a round above which a warning comes, in minor units; UNSET: never. Raises BadConfig."""
        units = _minor(self.exposure_warning, "limits.exposure_warning", currency)
        return UNSET if units is None else units

    def prize_limit(self, currency: str) -> int | None:
        """The highest fixed prize, in minor units. Raises BadConfig."""
        return _minor(self.prize, "limits.prize", currency)


def _fill_class(table: ClassSection, section: ClassSection) -> ClassSection:
    """Limits of a class: its own, and the table's for each key that it does not set."""
    return ClassSection(**{name: _set(section, table, name) for name in ClassSection.__struct_fields__})


def _set(section: Struct, below: Struct, name: str) -> Any:  # noqa: ANN401 - a key of any section
    own, other = getattr(section, name), getattr(below, name)
    match own:
        case Struct():
            return _fill(own, other)
        case dict():
            return {**other, **{key: _fill(one, other.get(key, type(one)())) for key, one in own.items()}}
    return other if own is None else own


def _fill(own: _Section, below: _Section) -> _Section:
    """Section with the values of another one for the keys that it does not set."""
    return type(own)(**{name: _set(own, below, name) for name in own.__struct_fields__})


def _player_ceilings(ceilings: PlayersWinnings, at: str, currency: str) -> tuple[int | None, int | None]:
    """Ceilings of a bet and of a player, in minor units. Raises BadConfig."""
    at = f"{at}.ceilings"
    return _minor(ceilings.bet, f"{at}.bet", currency), _minor(ceilings.player, f"{at}.player", currency)


def _at_class(name: str) -> str:
    return f"limits.classes.{as_key(name)}"


def _minor(amount: float | None, path: str, currency: str) -> int | None:
    return None if amount is None else minor(amount, path, currency)


def _sum(bounds: SumOfStakes, key: str, currency: str) -> SumLimits:
    least = _minor(bounds.minimum, f"{key}.minimum", currency) or 0
    most = _minor(bounds.maximum, f"{key}.maximum", currency)
    if most is not None and most < least:
        raise BadConfig(crossed_bounds_error(Bound(f"{key}.minimum", least), Bound(f"{key}.maximum", most), currency))
    return SumLimits(least, most)


class _Bounds:
    """Limits of one section for a game, in minor units. `at`: key of the section, for errors."""

    def __init__(self, section: ClassSection, game: Game, currency: str, at: str) -> None:
        self.section, self.game, self.currency, self.at = section, game, currency, at

    def bets(self) -> dict[str, Limits]:
        """Limits of one bet, by market. Raises BadConfig."""
        names = [market.name for market in self.game.markets]
        for name in self.section.markets:
            if name not in names:
                hint = did_you_mean(name, names)
                at = f"{self.at}.markets.{as_key(name)}"
                raise BadConfig(f"{at}: no such market{hint}; {self.game.name} has {listing(names)}")
        return {market.name: self._market_limits(market) for market in self.game.markets}

    def player(self) -> PlayerLimits:
        """Limits of a player's sums. Raises BadConfig."""
        section, currency = self.section, self.currency
        any_market = _sum(section.player_market, f"{self.at}.player_market", currency)
        markets = {
            market.name: _sum(_fill(own, section.player_market), f"{self.at}.markets.{market.name}.player", currency)
            if (own := section.markets.get(market.name, MarketStakes()).player) != SumOfStakes()
            else any_market
            for market in self.game.markets
        }
        limited = {name: limits for name, limits in markets.items() if limits != SumLimits()}
        return PlayerLimits(markets=limited, round=_sum(section.player, f"{self.at}.player", currency))

    def _market_limits(self, market: Market) -> Limits:
        currency = self.currency
        lowest, highest = self._minimum(market), self._maximum(market)
        floor = sheet_stake(market.floor, currency)
        if lowest.units < floor:
            least, got = to_amount(floor, currency), to_amount(lowest.units, currency)
            reason = f"below it {market.name} returns more than 100 %"
            raise BadConfig(f"{lowest.key}: expected at least {least}, {reason}, got {got}")
        if highest is not None and highest.units < lowest.units:
            raise BadConfig(_crossed_in_market(market, lowest, highest, currency))
        return Limits(lowest.units) if highest is None else Limits(lowest.units, highest.units)

    def _minimum(self, market: Market) -> Bound:
        section, currency = self.section, self.currency
        of_the_sheet = Bound("", sheet_stake(market.minimum, currency))
        own, key = section.markets.get(market.name, BetLimits()).minimum, f"{self.at}.markets.{market.name}.minimum"
        if own is not None:
            return Bound(key, minor(own, key, currency))
        if section.minimum is not None:  # it does not lower what the sheet asks for
            general = Bound(f"{self.at}.minimum", minor(section.minimum, f"{self.at}.minimum", currency))
            return max(of_the_sheet, general, key=lambda bound: bound.units)
        return of_the_sheet

    def _maximum(self, market: Market) -> Bound | None:
        section = self.section
        own, key = section.markets.get(market.name, BetLimits()).maximum, f"{self.at}.markets.{market.name}.maximum"
        if own is None:
            own, key = section.maximum, f"{self.at}.maximum"
        return None if own is None else Bound(key, minor(own, key, self.currency))


def _crossed_in_market(market: Market, lowest: Bound, highest: Bound, currency: str) -> str:
    """Error text for a minimum above the maximum, by the key that was written.

    The key is the minimum's, unless that is the sheet's.
    """
    if lowest.key:
        return crossed_bounds_error(lowest, highest, currency)
    low, high = to_amount(lowest.units, currency), to_amount(highest.units, currency)
    return f"{highest.key}: expected at least the rule sheet's minimum of {market.name}, {low}, got {high}"


def crossed_bounds_error(lowest: Bound, highest: Bound, currency: str) -> str:
    """Error text for a minimum in the config above a maximum in it."""
    low, high = to_amount(lowest.units, currency), to_amount(highest.units, currency)
    return f"{lowest.key}: expected at most the maximum, {high} ({highest.key}), got {low}"


def minor(amount: float, path: str, currency: str) -> int:
    """Convert an amount to minor units.

    Raises BadConfig if that is no whole number, or above the largest possible stake.
    """
    units = minor_units(Decimal(str(amount)), currency)
    if units is None:
        most = ("no decimals", "", "two decimals at most", "three decimals at most")[decimals(currency)]
        raise BadConfig(f"{path}: expected an amount with {most}, got {amount}")
    if units > MOST_STAKE:
        most = f"{to_amount(MOST_STAKE, currency):,}"
        raise BadConfig(f"{path}: expected at most {most}, got {amount}")
    return units
