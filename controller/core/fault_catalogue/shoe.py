"""Fault catalogue: faults of the shoe, such as a missing card, result or message."""

from collections.abc import Mapping

from .entry import Entry, Irregularity

SHOE: Mapping[str, Entry] = {
    "missing_card": Entry(
        when="FINISH is pressed, or the shoe gives a result, while a card is due",
        cause="procedure",
        rulings=("deal", "correct", "burn", "void", "void_hand", "cancel"),
        head="A card is still due",
        hands="Do not announce a result, wait for the shift manager.",
        says="The round was ended ({got}) while a card is due: {expected}.",
        reasons={"cancel": ("Result announced too early", "FINISH pressed by mistake")},
        answers=(
            Irregularity("B4", "a third card not drawn and the round ended"),
            Irregularity("J8", "the dealer does not draw at 16 or less"),
            Irregularity("X4", "a tied hand skipped", "when the round is ended; else dealer_call"),
            Irregularity("X7", "a winner announced before every tied hand has its card"),
            Irregularity("R5", "a fifth card missing"),
        ),
    ),
    "result_mismatch": Entry(
        when="the shoe's own result differs from the table's",
        cause="procedure",
        rulings=("resume", "correct", "burn", "void", "cancel"),
        head="The shoe has another result",
        hands="Announce nothing, wait for the shift manager.",
        says="The shoe's result differs from the table's: {got}.",
        reasons={"resume": ("Our result checked on camera", "Shoe lost track of the round")},
    ),
    "shoe_error": Entry(
        when="the shoe reports an error of its own; or it babbles, and is cut off until a ruling",
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
        head="The shoe reports an error",
        hands="Hands off the shoe, wait for the shift manager.",
        says="The shoe reports an error: {got}. Due was: {expected}.",
        reasons={"resume": ("Shoe checked, error cleared",), "cancel": ("Shoe cannot go on",)},
        answers=(Irregularity("B14", "a card pulled back, a time-out, a key misused at the shoe"),),
    ),
    "shoe_exhausted": Entry(
        when="fewer cards are left than the round still needs",
        cause="procedure",
        rulings=("void", "cancel"),
        head="The shoe has too few cards",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="Too few cards are left in the shoe: {got}. Due was: {expected}.",
        reasons={"cancel": ("Shoe has too few cards",)},
        answers=(
            Irregularity("B10", "the shoe runs out in a round"),
            Irregularity("J15", "too few cards to end the round"),
            Irregularity("X10", "too few cards"),
        ),
    ),
    "device_lost": Entry(
        when="the shoe is lost in a live round; a panel where the table is set so, or when it babbles and is cut off",
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        at_rest=("resume",),
        head="A device is not connected",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="A device is gone: {got}. Due was: {expected}.",
        reasons={"resume": ("Device is back",), "cancel": ("Device cannot be brought back",)},
        answers=(Irregularity("B13", "the shoe breaks down in a round"),),
    ),
    "stalled": Entry(
        when="no card within the limit while one is due",
        cause="procedure",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        head="A card is due",
        called_for="No card comes",
        hands="If you cannot deal it, wait for the shift manager.",
        says="No card came in time: {got}. Due was: {expected}.",
        reasons={
            "resume": ("Dealer was held up",),
            "enter": ("Card dealt and not read",),
            "cancel": ("Shoe is jammed",),
        },
    ),
    "telegram_lost": Entry(
        when="a gap in the shoe's own numbering in a live round, where the table is set so",
        cause="device",
        rulings=("resume", "enter", "burn", "void", "void_hand", "cancel"),
        head="The shoe was not heard for a moment",
        hands="Draw no card, wait for the shift manager.",
        says="Something the shoe said was not heard: {got}. Due was: {expected}.",
        reasons={
            "resume": ("Nothing is missing on camera",),
            "enter": ("A card was not heard of",),
            "cancel": ("Line to the shoe is bad",),
        },
    ),
}
