"""Texts of each fault for dealers and shift managers, in English; the other languages are in `locale/`."""

from collections.abc import Mapping

from msgspec import Struct


class FaultTexts(Struct, frozen=True, kw_only=True):
    """Texts of one fault."""

    head: str  # title for the dealer, in large letters
    called_for: str = ""  # title for the shift manager; empty: the same as `head`
    hands: str  # what the dealer must do with the cards
    says: str  # sentence for the shift manager; blanks: got, expected
    reasons: Mapping[str, tuple[str, ...]]  # by ruling: reasons to choose from that are special to this fault


FAULTS: Mapping[str, FaultTexts] = {
    "card_before_close": FaultTexts(
        head="A card came out while bets were open",
        hands="Leave it where it is and wait for the shift manager.",
        says="A card was dealt before betting was closed: {got}.",
        reasons={
            "burn": ("Card came out while bets were open", "Shoe touched by mistake"),
            "cancel": ("Card came out while bets were open", "Shoe touched by mistake"),
        },
    ),
    "extra_card": FaultTexts(
        head="One card too many",
        hands="Leave it where it is, announce nothing. Wait for the shift manager.",
        says="A card came when none was due: {got}. Expected: {expected}.",
        reasons={
            "burn": ("One card too many was drawn", "Two cards stuck together"),
            "void": ("Card was read twice",),
            "cancel": ("One card too many was drawn", "Two cards stuck together"),
        },
    ),
    "unread_card": FaultTexts(
        head="The card was not read",
        hands="Slide it once more, then lay it apart, read or not. Wait for the shift manager.",
        says="The reader could not read a card. Expected: {expected}.",
        reasons={"burn": ("Card is damaged",), "void": ("No card came",), "cancel": ("Card is damaged",)},
    ),
    "foreign_card": FaultTexts(
        head="This card does not belong to the game",
        hands="Leave it and wait for the shift manager.",
        says="A card this game's deck does not hold: {got}. Expected: {expected}.",
        reasons={
            "burn": ("Card does not belong to the shoe", "Card is damaged"),
            "cancel": ("Card does not belong to the shoe", "Card is damaged"),
        },
    ),
    "duplicate_card": FaultTexts(
        head="A card came once too often",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="More copies of a card than the deck holds: {got}. Expected: {expected}.",
        reasons={"void": ("Card was read twice",), "cancel": ("Shoe is not as it was loaded",)},
    ),
    "wrong_place": FaultTexts(
        head="The card lies in the wrong place",
        hands="Do not move it, wait for the shift manager.",
        says="Seen: {got}. Expected: {expected}.",
        reasons={"burn": ("Dealing order was broken",), "cancel": ("Dealing order was broken",)},
    ),
    "missing_card": FaultTexts(
        head="Round ended too early",
        hands="Draw no card, announce nothing. Wait for the shift manager.",
        says="The round was ended ({got}). Expected: {expected}.",
        reasons={"cancel": ("Result announced too early", "FINISH pressed by mistake")},
    ),
    "result_mismatch": FaultTexts(
        head="The shoe has a different result",
        hands="Leave all cards, announce nothing. Wait for the shift manager.",
        says="The shoe's result differs from the table's: {got}.",
        reasons={"resume": ("Our result checked on camera", "Shoe lost track of the round")},
    ),
    "shoe_error": FaultTexts(
        head="The shoe reports an error",
        hands="Hands off the shoe, wait for the shift manager.",
        says="The shoe reports: {got}. Expected: {expected}.",
        reasons={"resume": ("Shoe checked, error cleared",), "cancel": ("Shoe cannot go on",)},
    ),
    "shoe_exhausted": FaultTexts(
        head="The shoe has too few cards",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="Too few cards are left in the shoe: {got}. Expected: {expected}.",
        reasons={"cancel": ("Shoe has too few cards",)},
    ),
    "device_lost": FaultTexts(
        head="A device is not connected",
        hands="Draw no card, leave all cards. Wait for the shift manager.",
        says="Device {got}. Expected: {expected}.",
        reasons={"resume": ("Device is back",), "cancel": ("Device cannot be brought back",)},
    ),
    "stalled": FaultTexts(
        head="No card has come",
        hands="If it lies there, leave it. If not, deal this one card. Then wait for the shift manager.",
        says="There was {got}. Expected: {expected}.",
        reasons={
            "resume": ("Dealer was held up",),
            "enter": ("Card dealt and not read",),
            "cancel": ("Shoe is jammed",),
        },
    ),
    "telegram_lost": FaultTexts(
        head="A message from the shoe was lost",
        hands="Draw no card. Leave all cards, also one not shown here. Wait for the shift manager.",
        says="It may have been a card. Expected: {expected}.",
        reasons={
            "resume": ("Nothing is missing on camera",),
            "enter": ("A card was not heard of",),
            "cancel": ("Line to the shoe is bad",),
        },
    ),
    "hidden_card_exposed": FaultTexts(
        head="A face-down card was seen",
        hands="If it lies open, lay it face down. Show no other card. Wait for the shift manager.",
        says="The dealer reports that a face-down card was seen.",
        reasons={"resume": ("Nobody could have seen it",), "cancel": ("Card was seen",)},
    ),
    "card_dropped": FaultTexts(
        head="A card has left the table",
        hands="Do not pick it up, wait for the shift manager.",
        says="The dealer reports a card off the table. Expected: {expected}.",
        reasons={
            "resume": ("Card seen and identified",),
            "burn": ("Card fell off the table",),
            "cancel": ("Card went out of view",),
        },
    ),
    "dealer_call": FaultTexts(
        head="The shift manager has been called",
        called_for="The dealer calls you",
        hands="Draw no card. Leave all cards as they lie and wait for the shift manager.",
        says="The dealer has not said why. Expected: {expected}.",
        reasons={"resume": ("Question answered",), "cancel": ("Dealer changed in mid-round",)},
    ),
    "server_lost": FaultTexts(
        head="No line to the game server",
        hands="Draw no card, wait for the shift manager.",
        says="Betting is held until it is there again.",
        reasons={"resume": ("Line is back",), "cancel": ("Line did not come back",)},
    ),
    "restarted": FaultTexts(
        head="The computer has restarted",
        hands="Draw no card. Leave all cards as they lie and wait for the shift manager.",
        says="The program was started again in the middle of the round. Expected: {expected}.",
        reasons={
            "resume": ("Cards checked on camera",),
            "enter": ("A card was dealt meanwhile",),
            "cancel": ("Cards were moved meanwhile",),
        },
    ),
    "replay_failed": FaultTexts(
        head="The round cannot be restored",
        hands="Leave all cards as they lie and wait for the shift manager.",
        says="The recorded round cannot be rebuilt: {got}.",
        reasons={"cancel": ("Round cannot be rebuilt",)},
    ),
    "journal_failed": FaultTexts(
        head="The computer could record nothing for a while",
        called_for="Nothing could be recorded for a while",
        hands="Draw no card. Leave all cards, also one not shown here. Wait for the shift manager.",
        says="It is recorded again now; what came meanwhile is missing. The reason was: {got}.",
        reasons={"resume": ("Cards checked on camera",), "cancel": ("Cards were moved meanwhile",)},
    ),
}
