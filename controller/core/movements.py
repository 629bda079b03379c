"""What a record moves: each bet is debited exactly once and credited exactly once, and each of both has an id.

The one rule: the ids are made of those of the bets, so whoever books by id books a movement once, even when sent twice.
"""

from msgspec import Struct

from . import records as r

MOVING = (r.BetAccepted, r.Decided, r.BetWithdrawn, r.Paid, r.Refunded)  # Decided: where a stake comes with it


class Movement(Struct, frozen=True):
    """Of a player's money: a debit is what they stake, a credit what comes back of it, which may be nothing."""

    id: str  # BET.debit or BET.credit
    amount: int  # minor units
    currency: str  # ISO 4217


def movement(what: r.Fact) -> Movement | None:
    """What a record moves; none, where it moves nothing."""
    match what:
        case r.BetAccepted(bet=bet, stake=amount, currency=currency):
            return Movement(f"{bet}.debit", amount, currency)
        case r.Decided(bet=str(bet), stake=int(amount), currency=str(currency)):
            return Movement(f"{bet}.debit", amount, currency)
        case r.Paid(bet=bet, returned=amount, currency=currency):
            return Movement(f"{bet}.credit", amount, currency)
        case r.BetWithdrawn(bet=bet, stake=amount, currency=currency):
            return Movement(f"{bet}.credit", amount, currency)
        case r.Refunded(bet=bet, stake=amount, currency=currency):
            return Movement(f"{bet}.credit", amount, currency)
    return None
