"""Betting windows: which one is open, and whether a command was meant for it.

A round has one window or several; the first is opened with the round. A command without a window means the open one.
"""

from decimal import Decimal
from typing import Literal

from .clock import SECOND, Time, to_text
from .house import House, Terms
from .odds import Offer, fixed_odds
from .sheet import windows
from .state import State


def odds_in_force(house: House, state: State) -> Offer:
    """Return the odds at which bets are taken, by market: of the window that is open, or held by a pause.

    While there is none, fixed odds are in force, and computed ones are not known yet.
    """
    if state.stage == "betting":
        return state.round.odds
    return {} if house.game.pricing(house.settings) else fixed_odds(house.game)


def open_window(state: State) -> int | None:
    """Number of the betting window that is open, from 1; None if none is open."""
    return state.round.window if state.life == "betting" else None


def deadline(opened: Time, terms: Terms) -> str:
    """Time at which the clock closes a betting window opened at `opened`, as ISO text."""
    return to_text(opened + terms.betting_seconds * SECOND)


def window_mismatch(
    state: State, round_: int | None, window: int | None
) -> Literal["other_round", "stale_window"] | None:
    """Reason against a command that names another round or window; None if it was meant for this one."""
    if round_ not in (None, state.round.number):
        return "other_round"
    return None if window in (None, state.round.window) else "stale_window"


def has_several(house: House, state: State) -> bool:
    """True if a bet without a window could be taken in another one than it was meant for.

    The live round may have several windows although today's configuration has one.
    """
    return windows_of(house) > 1 or state.round.window > 1


def windows_of(house: House) -> int:
    """Number of betting windows of each round that is opened from now on."""
    pricing = house.game.pricing(house.settings)
    return windows(house.game, house.settings) if pricing is None else pricing.windows


def are_worse(odds: str | None, named: str | None) -> bool:
    """True if the odds in force pay less than those named with a bet.

    `odds` None: the market pays nothing; `named` None: any odds will do.
    """
    return named is not None and (odds is None or Decimal(odds) < Decimal(named))
