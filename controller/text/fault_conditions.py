"""Conditions of the faults, and the irregularities that each catches, for reference pages and the API; in English."""

from collections.abc import Mapping

from msgspec import Struct

WHEN: Mapping[str, str] = {
    "card_before_close": "a card leaves the shoe while bets are open",
    "extra_card": "a card comes when none is due",
    "unread_card": "the reader saw a card and could not read it",
    "foreign_card": "a card this game's deck does not hold",
    "duplicate_card": "more copies of a card than the decks in play hold; one face down counts when it is turned over",
    "wrong_place": "the reader, or driving the round again, names another place than the one due",
    "missing_card": "FINISH is pressed, or the shoe gives a result, while a card is due",
    "result_mismatch": "the shoe's own result differs from the table's",
    "shoe_error": "the shoe reports an error of its own; or it sends too much, and is cut off until a ruling",
    "shoe_exhausted": "fewer cards are left than the round still needs",
    "device_lost": (
        "the shoe is lost in a live round; a panel where the table is set so, or when it sends too much and is cut off"
    ),
    "stalled": "no card within the limit while one is due",
    "telegram_lost": "a gap in the shoe's own numbering in a live round, where the table is set so",
    "hidden_card_exposed": "the dealer reports that a face-down card was seen early",
    "card_dropped": "the dealer reports a card off the table",
    "dealer_call": "the dealer presses CALL MANAGER",
    "server_lost": "the game server's line is gone before the close",
    "restarted": "the program came back in the middle of a round",
    "replay_failed": "a recorded round cannot be rebuilt",
    "journal_failed": "records could not be made durable for a while",
}


class Irregularity(Struct, frozen=True):
    """Irregularity as casino rules name it. `number`: the first letter is that of its game."""

    number: str
    what: str
    how: str = ""  # how it is caught, or why it is not


CAUGHT: Mapping[str, tuple[Irregularity, ...]] = {  # by the code of the fault that catches these irregularities
    "card_before_close": (
        Irregularity("B5", "a card drawn before betting has closed"),
        Irregularity("J14", "a card before betting has closed"),
        Irregularity("X9", "a card before betting has closed"),
    ),
    "extra_card": (
        Irregularity("B3", "a third card drawn where none is due"),
        Irregularity("B7", "two cards out at once", "if both are read; unread_card if they are not"),
        Irregularity("J1", "a card to a hand that takes no more"),
        Irregularity("J7", "the dealer draws at 17 or more"),
        Irregularity("J17", "the dealer draws though every hand is over"),
        Irregularity("H3", "a wrong number of cards in a hand", "too few: missing_card"),
        Irregularity(
            "H4", "a flop of more or fewer than three, or before the close", "missing_card, card_before_close"
        ),
        Irregularity("H5", "the turn or river before all have decided"),
        Irregularity("X5", "a redraw for a tie that is not the highest"),
        Irregularity("X6", "a card after there is a winner"),
        Irregularity("R1", "a wrong number of cards in the first deal", "too few: the next card counts as it"),
        Irregularity("R3", "a fifth card before all have decided, or to a seat that folded", "a seat: wrong_place"),
    ),
    "unread_card": (
        Irregularity("B1", "the reader cannot read a card"),
        Irregularity("J2", "a card drawn and its face not seen"),
    ),
    "foreign_card": (
        Irregularity("J16", "the cut card dealt as a card", "as the joker it is read for; else cut_card is recorded"),
        Irregularity("X1", "a card outside 6 to K, or one seen before", "seen before: duplicate_card"),
    ),
    "duplicate_card": (
        Irregularity("B12", "a card too many of its kind, or a foreign one", "a foreign one: foreign_card"),
        Irregularity("J18", "a ninth copy of a card, or a foreign one", "a foreign one: foreign_card"),
        Irregularity("H8", "a boxed, double or missing card in the deck", "boxed: dealer_call; missing: unseen"),
        Irregularity("R6", "a double or foreign card", "a foreign one: foreign_card"),
    ),
    "wrong_place": (
        Irregularity("B2", "a card laid on the wrong side", "by a shoe that knows the place; else dealer_call"),
        Irregularity("H7", "a card of the board in a hand, or the reverse", "by a reader that knows the place"),
        Irregularity("X2", "a card on the wrong player", "by a reader that knows the place; else dealer_call"),
        Irregularity("X3", "a card to a hand that is not tied", "by a reader that knows the place; else dealer_call"),
        Irregularity("R4", "the dealer's fifth card before the players'", "by a reader that knows the place"),
    ),
    "missing_card": (
        Irregularity("B4", "a third card not drawn and the round ended"),
        Irregularity("J8", "the dealer does not draw at 16 or less"),
        Irregularity("X4", "a tied hand skipped", "when the round is ended; else dealer_call"),
        Irregularity("X7", "a winner announced before every tied hand has its card"),
        Irregularity("R5", "a fifth card missing"),
    ),
    "shoe_error": (Irregularity("B14", "a card pulled back, a time-out, a key misused at the shoe"),),
    "shoe_exhausted": (
        Irregularity("B10", "the shoe runs out in a round"),
        Irregularity("J15", "too few cards to end the round"),
        Irregularity("X10", "too few cards"),
    ),
    "device_lost": (Irregularity("B13", "the shoe breaks down in a round"),),
    "hidden_card_exposed": (
        Irregularity("J9", "the hole card seen early", "the dealer's key"),
        Irregularity("H2", "the dealer's hole card seen before all have decided", "the dealer's key"),
        Irregularity("R2", "a dealer's card facing the wrong way", "the dealer's key"),
        Irregularity("R7", "a dealer's card seen before the raise", "the dealer's key"),
    ),
    "card_dropped": (Irregularity("B8", "a card off the table", "the dealer's key"),),
    "dealer_call": (
        Irregularity("B1'", "the reader said another card than the one on the table", "ruled by correct"),
        Irregularity(
            "B6", "a card face up in the shoe", "no device sees how a card lies; the dealer calls the manager"
        ),
        Irregularity("B9", "a marked or damaged card", "only a person can see it; the dealer calls the manager"),
        Irregularity("B15", "any other error of the dealer", "only a person can see it; the dealer calls the manager"),
        Irregularity(
            "J3", "a card face up in the shoe", "no device sees how a card lies; the dealer calls the manager"
        ),
        Irregularity("J4", "a hand missed in the first deal", "a plain reader knows no place; else wrong_place"),
        Irregularity("J5", "the dealer's own card forgotten", "the next card read counts as the dealer's"),
        Irregularity("J6", "a card to a seat without a bet", "a plain reader knows no place; else wrong_place"),
        Irregularity("J12", "hands served out of order", "a plain reader knows no place; else wrong_place"),
        Irregularity("J13", "a misread noticed after the next card", "ruled by correct, driven again from there"),
        Irregularity("H1", "any error of the procedure", "and every other code"),
        Irregularity("H6", "a burn card forgotten or one too many", "a reader sees a card, not that it is burnt"),
        Irregularity("H11", "a misread hole card found at the reveal", "ruled by correct"),
        Irregularity("X11", "a misread card", "ruled by correct"),
    ),
}

UNCAUGHT: tuple[Irregularity, ...] = (  # without a fault: they cannot happen here, or are no irregularity here
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
