"""Fault catalogue: faults of a card that came."""

from collections.abc import Mapping

from .entry import Entry, Irregularity

CARDS: Mapping[str, Entry] = {
    "card_before_close": Entry(
        when="a card leaves the shoe while bets are open",
        cause="procedure",
        rulings=("burn", "void", "cancel"),
        head="A card came out while bets were open",
        hands="Leave it and wait for the shift manager.",
        says="A card was dealt before betting was closed: {got}.",
        reasons={
            "burn": ("Card came out while bets were open", "Shoe touched by mistake"),
            "cancel": ("Card came out while bets were open", "Shoe touched by mistake"),
        },
        answers=(
            Irregularity("B5", "a card drawn before betting has closed"),
            Irregularity("J14", "a card before betting has closed"),
            Irregularity("X9", "a card before betting has closed"),
        ),
    ),
    "extra_card": Entry(
        when="a card comes when none is due",
        cause="procedure",
        rulings=("burn", "carry", "correct", "void", "void_hand", "cancel"),
        at_rest=("burn", "carry", "void"),
        head="One card too many",
        hands="Leave it where it is and wait for the shift manager.",
        says="A card came when none was due: {got}. Due was: {expected}.",
        reasons={
            "burn": ("One card too many was drawn", "Two cards stuck together"),
            "void": ("Card was read twice",),
            "cancel": ("One card too many was drawn", "Two cards stuck together"),
        },
        answers=(
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
    ),
    "unread_card": Entry(
        when="the reader saw a card and could not read it",
        cause="device",
        rulings=("rescan", "enter", "burn", "void", "void_hand", "cancel"),
        head="The card was not read",
        hands="Slide it again, then wait for the shift manager.",
        says="The reader could not read a card. Due was: {expected}.",
        reasons={"burn": ("Card is damaged",), "void": ("No card came",), "cancel": ("Card is damaged",)},
        answers=(
            Irregularity("B1", "the reader cannot read a card"),
            Irregularity("J2", "a card drawn and its face not seen"),
        ),
    ),
    "foreign_card": Entry(
        when="a card this game's deck does not hold",
        cause="procedure",
        rulings=("burn", "correct", "void", "void_hand", "cancel"),
        head="This card does not belong to the game",
        hands="Leave it and wait for the shift manager.",
        says="A card this game's deck does not hold: {got}. Due was: {expected}.",
        reasons={
            "burn": ("Card does not belong to the shoe", "Card is damaged"),
            "cancel": ("Card does not belong to the shoe", "Card is damaged"),
        },
        answers=(
            Irregularity(
                "J16", "the cut card dealt as a card", "as the joker it is read for; else cut_card is recorded"
            ),
            Irregularity("X1", "a card outside 6 to K, or one seen before", "seen before: duplicate_card"),
        ),
    ),
    "duplicate_card": Entry(
        when="more copies of a card than the decks in play hold; one face down counts when it is turned over",
        cause="procedure",
        rulings=("void", "correct", "burn", "void_hand", "cancel"),
        head="This card has been out before",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="More copies of a card than the deck holds: {got}. Due was: {expected}.",
        reasons={"void": ("Card was read twice",), "cancel": ("Shoe is not as it was loaded",)},
        answers=(
            Irregularity("B12", "a card too many of its kind, or a foreign one", "a foreign one: foreign_card"),
            Irregularity("J18", "a ninth copy of a card, or a foreign one", "a foreign one: foreign_card"),
            Irregularity("H8", "a boxed, double or missing card in the deck", "boxed: dealer_call; missing: unseen"),
            Irregularity("R6", "a double or foreign card", "a foreign one: foreign_card"),
        ),
    ),
    "wrong_place": Entry(
        when="the reader, or driving the round again, says another place than the one due",
        cause="procedure",
        rulings=("move", "burn", "correct", "void", "void_hand", "cancel"),
        head="The card lies on the wrong place",
        hands="Do not move it, wait for the shift manager.",
        says="A card on another place than the one due: {got}. Due was: {expected}.",
        reasons={"burn": ("Dealing order was broken",), "cancel": ("Dealing order was broken",)},
        answers=(
            Irregularity("B2", "a card laid on the wrong side", "by a shoe that knows the place; else dealer_call"),
            Irregularity("H7", "a card of the board in a hand, or the reverse", "by a reader that knows the place"),
            Irregularity("X2", "a card on the wrong player", "by a reader that knows the place; else dealer_call"),
            Irregularity(
                "X3", "a card to a hand that is not tied", "by a reader that knows the place; else dealer_call"
            ),
            Irregularity("R4", "the dealer's fifth card before the players'", "by a reader that knows the place"),
        ),
    ),
}
