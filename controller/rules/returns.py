"""Exact returns of a market, counted over every round, or over all that differ."""

from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct


class Exact(Struct, frozen=True, kw_only=True):
    """Exact return of a market for each unit staked, stake and following stakes included."""

    market: str
    returned: Fraction
    over: str  # rounds that were counted, in words
    stake: str | None = None  # in table currency, where the return depends on it
    decision: str | None = None  # decision counted for everybody asked, if it is not the strategy's
    hands: dict[str, int] | None = None  # how many hands there are of each kind
    paid: dict[str, int] | None = None  # the same for the hands that another pay table pays


class Counted(Struct, frozen=True):
    """Markets of a game that are counted, and the function that counts: `module:function`.

    It is called without arguments and gives one `Exact` for each market, or one for each of several stakes. It is given
    by name, like an entry point, because tables never load it.
    """

    markets: Sequence[str]
    by: str
