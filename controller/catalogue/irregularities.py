"""Irregularities of casino rules and studios, each with the fault that catches it here.

What no device at the table can see is said to be so, with the reason; nothing is claimed.
"""

from .fault_conditions import CAUGHT, Irregularity

GAMES = {"B": "baccarat", "J": "blackjack", "H": "casino_holdem", "X": "thirty_two", "R": "rhum32"}

UNCAUGHT = (  # no fault: it cannot happen, or is none
    Irregularity("B11", "a round begun after the cut card or with too few cards", "it cannot start"),
    Irregularity("B16", "a cancelled round", "no error: every stake goes back"),
    Irregularity("J10", "no look under an ace or a ten, or under another card", "the reader knows the card: it looks"),
    Irregularity("J11", "insurance not offered, or offered wrongly", "it is asked by the rule sheet, never by hand"),
    Irregularity("H9", "a deck that was not changed or shuffled", "it cannot start: not_shuffled"),
    Irregularity("H10", "the dealer reveals nothing, or in the wrong order", "the reveal is made of what was read"),
    Irregularity("X8", "no shuffle before the round", "it cannot start: not_shuffled"),
    Irregularity("R8", "insurance or tie bet without an ante", "the bet is refused: needs_ante"),
    Irregularity("R9", "a hand ranked or paid wrongly", "points and pay-outs are the rule sheet's, not a person's"),
)


def irregularities() -> list[tuple[Irregularity, str | None]]:
    """List the irregularities, game by game, each with its fault code; None if no fault catches it."""
    caught = [(one, code) for code, those in CAUGHT.items() for one in those]
    return sorted([*caught, *((one, None) for one in UNCAUGHT)], key=lambda row: _order(row[0]))


def game_of(irregularity: Irregularity) -> str:
    """The game in whose rules it is named."""
    return GAMES[irregularity.number[0]]


def _order(irregularity: Irregularity) -> tuple[int, int, str]:
    number = irregularity.number
    return list(GAMES).index(number[0]), int(number[1:].rstrip("'")), number
