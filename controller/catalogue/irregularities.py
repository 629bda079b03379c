"""What can go wrong at a table, as casino rules and studios name it, and the fault that catches it here.

The one rule: what no device at the table can see is said to be so, with the reason; nothing is claimed.
"""

from collections.abc import Iterator
from typing import NamedTuple

GAMES = {"B": "baccarat", "J": "blackjack", "H": "casino_holdem", "X": "thirty_two", "R": "rhum32"}
NOBODY = ""  # no fault: not detectable, or it cannot happen


class Irregularity(NamedTuple):
    """One of them. `caught`: the code of the fault, or why there is none."""

    number: str
    what: str
    caught: str
    why: str = ""

    @property
    def game(self) -> str:
        """The game in whose rules it is named."""
        return GAMES[self.number[0]]


_PICKED_UP = "no device sees how a card lies; the dealer calls the manager"
_BY_HAND = "only a person can see it; the dealer calls the manager"

TABLE = (
    ("B1", "the reader cannot read a card", "unread_card", ""),
    ("B1'", "the reader said another card than the one on the table", "dealer_call", "ruled by correct"),
    ("B2", "a card laid on the wrong side", "wrong_place", "by a shoe that knows the place; else dealer_call"),
    ("B3", "a third card drawn where none is due", "extra_card", ""),
    ("B4", "a third card not drawn and the round ended", "missing_card", ""),
    ("B5", "a card drawn before betting has closed", "card_before_close", ""),
    ("B6", "a card face up in the shoe", "dealer_call", _PICKED_UP),
    ("B7", "two cards out at once", "extra_card", "if both are read; unread_card if they are not"),
    ("B8", "a card off the table", "card_dropped", "the dealer's key"),
    ("B9", "a marked or damaged card", "dealer_call", _BY_HAND),
    ("B10", "the shoe runs out in a round", "shoe_exhausted", ""),
    ("B11", "a round begun after the cut card or with too few cards", NOBODY, "it cannot start"),
    ("B12", "a card too many of its kind, or a foreign one", "duplicate_card", "a foreign one: foreign_card"),
    ("B13", "the shoe breaks down in a round", "device_lost", ""),
    ("B14", "a card pulled back, a time-out, a key misused at the shoe", "shoe_error", ""),
    ("B15", "any other error of the dealer", "dealer_call", _BY_HAND),
    ("B16", "a cancelled round", NOBODY, "no error: every stake goes back"),
    ("J1", "a card to a hand that takes no more", "extra_card", ""),
    ("J2", "a card drawn and its face not seen", "unread_card", ""),
    ("J3", "a card face up in the shoe", "dealer_call", _PICKED_UP),
    ("J4", "a hand missed in the first deal", "dealer_call", "a plain reader knows no place; else wrong_place"),
    ("J5", "the dealer's own card forgotten", "dealer_call", "the next card read counts as the dealer's"),
    ("J6", "a card to a seat without a bet", "dealer_call", "a plain reader knows no place; else wrong_place"),
    ("J7", "the dealer draws at 17 or more", "extra_card", ""),
    ("J8", "the dealer does not draw at 16 or less", "missing_card", ""),
    ("J9", "the hole card seen early", "hidden_card_exposed", "the dealer's key"),
    ("J10", "no look under an ace or a ten, or under another card", NOBODY, "the reader knows the card: it looks"),
    ("J11", "insurance not offered, or offered wrongly", NOBODY, "it is asked by the rule sheet, never by hand"),
    ("J12", "hands served out of order", "dealer_call", "a plain reader knows no place; else wrong_place"),
    ("J13", "a misread noticed after the next card", "dealer_call", "ruled by correct, driven again from there"),
    ("J14", "a card before betting has closed", "card_before_close", ""),
    ("J15", "too few cards to end the round", "shoe_exhausted", ""),
    ("J16", "the cut card dealt as a card", "foreign_card", "as the joker it is read for; else cut_card is recorded"),
    ("J17", "the dealer draws though every hand is over", "extra_card", ""),
    ("J18", "a ninth copy of a card, or a foreign one", "duplicate_card", "a foreign one: foreign_card"),
    ("H1", "any error of the procedure", "dealer_call", "and every other code"),
    ("H2", "the dealer's hole card seen before all have decided", "hidden_card_exposed", "the dealer's key"),
    ("H3", "a wrong number of cards in a hand", "extra_card", "too few: missing_card"),
    ("H4", "a flop of more or fewer than three, or before the close", "extra_card", "missing_card, card_before_close"),
    ("H5", "the turn or river before all have decided", "extra_card", ""),
    ("H6", "a burn card forgotten or one too many", "dealer_call", "a reader sees a card, not that it is burnt"),
    ("H7", "a card of the board in a hand, or the reverse", "wrong_place", "by a reader that knows the place"),
    ("H8", "a boxed, double or missing card in the deck", "duplicate_card", "boxed: dealer_call; missing: unseen"),
    ("H9", "a deck that was not changed or shuffled", NOBODY, "it cannot start: not_shuffled"),
    ("H10", "the dealer reveals nothing, or in the wrong order", NOBODY, "the reveal is made of what was read"),
    ("H11", "a misread hole card found at the reveal", "dealer_call", "ruled by correct"),
    ("X1", "a card outside 6 to K, or one seen before", "foreign_card", "seen before: duplicate_card"),
    ("X2", "a card on the wrong player", "wrong_place", "by a reader that knows the place; else dealer_call"),
    ("X3", "a card to a hand that is not tied", "wrong_place", "by a reader that knows the place; else dealer_call"),
    ("X4", "a tied hand skipped", "missing_card", "when the round is ended; else dealer_call"),
    ("X5", "a redraw for a tie that is not the highest", "extra_card", ""),
    ("X6", "a card after there is a winner", "extra_card", ""),
    ("X7", "a winner announced before every tied hand has its card", "missing_card", ""),
    ("X8", "no shuffle before the round", NOBODY, "it cannot start: not_shuffled"),
    ("X9", "a card before betting has closed", "card_before_close", ""),
    ("X10", "too few cards", "shoe_exhausted", ""),
    ("X11", "a misread card", "dealer_call", "ruled by correct"),
    ("R1", "a wrong number of cards in the first deal", "extra_card", "too few: the next card counts as it"),
    ("R2", "a dealer's card facing the wrong way", "hidden_card_exposed", "the dealer's key"),
    ("R3", "a fifth card before all have decided, or to a seat that folded", "extra_card", "a seat: wrong_place"),
    ("R4", "the dealer's fifth card before the players'", "wrong_place", "by a reader that knows the place"),
    ("R5", "a fifth card missing", "missing_card", ""),
    ("R6", "a double or foreign card", "duplicate_card", "a foreign one: foreign_card"),
    ("R7", "a dealer's card seen before the raise", "hidden_card_exposed", "the dealer's key"),
    ("R8", "insurance or tie bet without an ante", NOBODY, "the bet is refused: needs_ante"),
    ("R9", "a hand ranked or paid wrongly", NOBODY, "points and pay-outs are the rule sheet's, not a person's"),
)  # fmt: skip


def irregularities() -> Iterator[Irregularity]:
    """All of them, game by game."""
    for row in TABLE:
        yield Irregularity(*row)
