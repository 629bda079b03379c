"""Limit of stakes that was not kept, as records and inputs name it."""

from typing import Literal

from msgspec import Struct


class ReachedLimit(Struct, frozen=True):
    """Limit of stakes that a bet, a decision or a sum of bets does not keep. Amounts are in minor units."""

    of: Literal["bet", "player_market", "player", "round"]  # stakes that it limits
    minimum: int | None = None
    maximum: int | None = None
    left: int | None = None  # largest stake that the maximum still allows
