"""Irregularities of casino rules and studios, each with the fault that catches it here.

An irregularity that no device at the table can detect is listed as such, with the reason.
"""

from ...text.fault_conditions import CAUGHT, UNCAUGHT, Irregularity

GAMES = {"B": "baccarat", "J": "blackjack", "H": "casino_holdem", "X": "thirty_two", "R": "rhum32"}


def irregularities() -> list[tuple[Irregularity, str | None]]:
    """List the irregularities, game by game, each with its fault code; None if no fault catches it."""
    caught = [(one, code) for code, those in CAUGHT.items() for one in those]
    return sorted([*caught, *((one, None) for one in UNCAUGHT)], key=lambda row: _order(row[0]))


def game_of(irregularity: Irregularity) -> str:
    """Return the name of the game whose rules name the irregularity."""
    return GAMES[irregularity.number[0]]


def _order(irregularity: Irregularity) -> tuple[int, int, str]:
    number = irregularity.number
    return list(GAMES).index(number[0]), int(number[1:].rstrip("'")), number
