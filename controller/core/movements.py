"""Movements of money in the records: one debit and one credit for each bet, with ids.

Invariant: the ids are made from the ids of the bets, so a wallet that books by id books a movement once, even if it is
sent twice."""

from msgspec import Struct

from . import records as r

MOVING = (r.BetAccepted, r.Decided, r.BetWithdrawn, r.Paid, r.Refunded)  # Decided: where a stake comes with it


class Movement(Struct, frozen=True):
    """Movement of a player's money: debit for a stake, credit for its return, which may be 0."""

    id: str  # BET.debit or BET.credit
    amount: int  # minor units
    currency: str  # ISO 4217


def movement(what: r.Fact) -> Movement | None:
    """Movement of a record; None for a record without one."""
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
