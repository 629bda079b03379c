"""Limits that contradict each other: a stake that one limit asks for is too high for a sum that includes it."""

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from .limits import Bound, LimitsSection, MarketStakes, crossed_bounds_error, minor
from .mistakes import BadConfig

_Limits = Sequence[tuple[str, Struct]]  # key and section; the first one that sets a limit counts


def check_nested(limits: LimitsSection, markets: Iterable[str], currency: str) -> None:
    """Refuse a minimum above the maximum of a sum that includes it: no bet could be taken. Raises BadConfig.

    With classes of players nothing is refused: a table may be for some classes alone.
    """
    if limits.classes:
        return
    for market in markets:
        own, at = limits.markets.get(market, MarketStakes()), f"limits.markets.{market}"
        nested: Sequence[_Limits] = (
            ((at, own), ("limits", limits)),
            ((f"{at}.player", own.player), ("limits.player_market", limits.player_market)),
            (("limits.player", limits.player),),
            (("limits.round", limits.round),),
        )
        for place, narrow in enumerate(nested):
            for wide in nested[place + 1 :]:
                _check(_bound("minimum", narrow, currency), _bound("maximum", wide, currency), currency)


def _check(least: Bound | None, most: Bound | None, currency: str) -> None:
    if least is not None and most is not None and least.units > most.units:
        raise BadConfig(crossed_bounds_error(least, most, currency))


def _bound(name: Literal["minimum", "maximum"], sections: _Limits, currency: str) -> Bound | None:
    """Return the limit of the first section that sets it, in minor units. Raises BadConfig."""
    amounts = ((f"{at}.{name}", getattr(section, name)) for at, section in sections)
    return next((Bound(key, minor(amount, key, currency)) for key, amount in amounts if amount is not None), None)
