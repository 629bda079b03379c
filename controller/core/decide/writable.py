"""Events in a form that a record can hold."""

import msgspec
from msgspec.structs import replace

from .. import events as e
from ..bounds import MOST_NUMBER
from ..house import House


def writable(house: House, event: e.Event) -> e.Event:
    """Return the event in a form that can be recorded.

    An event with text that is no valid Unicode becomes `NoText`. A stake that no record can hold becomes None.
    """
    try:
        msgspec.json.encode(event)
    except UnicodeEncodeError:
        return e.NoText(type(event).__name__)
    match event:
        case e.PlaceBet():
            return _bet(house, event)
        case e.NotAll(said=e.PlaceBet() as bet):
            return replace(event, said=_bet(house, bet))
    return event


def _bet(house: House, bet: e.PlaceBet) -> e.PlaceBet:
    beyond = bet.stake is not None and abs(bet.stake) > MOST_NUMBER
    return replace(bet, stake=None) if beyond and _is_bounded(house) else bet


def _is_bounded(house: House) -> bool:
    """True if every market has a maximum. Older records may have none, and are decided as they were then."""
    return all(limits.maximum is not None for limits in house.limits.values())
