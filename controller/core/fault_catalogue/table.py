"""Fault catalogue: faults reported at the table, or caused by game server, program or record."""

from collections.abc import Mapping

from .entry import Entry, Irregularity

TABLE: Mapping[str, Entry] = {
    "hidden_card_exposed": Entry(
        when="the dealer reports that a face-down card was seen early",
        cause="procedure",
        rulings=("resume", "void_hand", "cancel"),
        head="Turn the card face down again and wait for the shift manager",
        called_for="A face-down card was seen",
        says="The dealer reports that a face-down card was seen. Due was: {expected}.",
        reasons={"resume": ("Nobody could have seen it",), "cancel": ("Card was seen",)},
        answers=(
            Irregularity("J9", "the hole card seen early", "the dealer's key"),
            Irregularity("H2", "the dealer's hole card seen before all have decided", "the dealer's key"),
            Irregularity("R2", "a dealer's card facing the wrong way", "the dealer's key"),
            Irregularity("R7", "a dealer's card seen before the raise", "the dealer's key"),
        ),
    ),
    "card_dropped": Entry(
        when="the dealer reports a card off the table",
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "void_hand", "cancel"),
        head="Do not pick the card up",
        called_for="A card has left the table",
        hands="Wait for the shift manager.",
        says="The dealer reports a card off the table. Due was: {expected}.",
        reasons={
            "resume": ("Card seen and identified",),
            "burn": ("Card fell off the table",),
            "cancel": ("Card went out of view",),
        },
        answers=(Irregularity("B8", "a card off the table", "the dealer's key"),),
    ),
    "dealer_call": Entry(
        when="the dealer presses CALL MANAGER",
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
        head="The shift manager has been called",
        called_for="The dealer calls you",
        hands="Leave all cards as they lie.",
        says="The dealer called you. Due was: {expected}.",
        reasons={"resume": ("Question answered",), "cancel": ("Dealer changed in mid-round",)},
        answers=(
            Irregularity("B1'", "the reader said another card than the one on the table", "ruled by correct"),
            Irregularity(
                "B6", "a card face up in the shoe", "no device sees how a card lies; the dealer calls the manager"
            ),
            Irregularity("B9", "a marked or damaged card", "only a person can see it; the dealer calls the manager"),
            Irregularity(
                "B15", "any other error of the dealer", "only a person can see it; the dealer calls the manager"
            ),
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
    ),
    "server_lost": Entry(
        when="the game server's line is gone before the close",
        cause="device",
        rulings=("resume", "cancel"),
        head="The players cannot be reached",
        hands="Draw no card, wait for the shift manager.",
        says="The game server's line is gone; betting is held.",
        reasons={"resume": ("Line is back",), "cancel": ("Line did not come back",)},
    ),
    "restarted": Entry(
        when="the program came back in the middle of a round",
        cause="program",
        rulings=("resume", "enter", "correct", "burn", "void", "void_hand", "cancel"),
        head="The table was started again",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="The program was started again in the middle of the round. Due was: {expected}.",
        reasons={
            "resume": ("Cards checked on camera",),
            "enter": ("A card was dealt meanwhile",),
            "cancel": ("Cards were moved meanwhile",),
        },
    ),
    "replay_failed": Entry(
        when="a recorded round cannot be rebuilt",
        cause="program",
        rulings=("cancel",),
        head="The round cannot go on",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="The recorded round cannot be rebuilt: {got}.",
        reasons={"cancel": ("Round cannot be rebuilt",)},
    ),
    "journal_failed": Entry(
        when="records could not be made durable for a while",
        cause="program",
        rulings=("resume", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
        head="Nothing could be recorded for a while",
        hands="Draw no card, wait for the shift manager.",
        says="Nothing could be recorded for a while: {got}.",
        reasons={"resume": ("Cards checked on camera",), "cancel": ("Cards were moved meanwhile",)},
    ),
}
