"""Why a ruling is made: what the shift manager may choose from, in English; the other languages are in `locale/`.

The one rule: what nobody has chosen asserts nothing: the first says that no reason was given.
"""

from collections.abc import Iterator, Mapping

NOT_GIVEN = "No reason given"
OF_RULING: Mapping[str, tuple[str, ...]] = {
    "resume": ("As seen on camera", "As the dealer reports"),
    "enter": ("Card identified on camera", "As the dealer reports"),
    "rescan": ("Card read at the second try",),
    "correct": ("Misread: as seen on camera", "As the dealer reports"),
    "move": ("Card laid on the wrong place", "Place told wrongly by the reader"),
    "burn": ("As seen on camera", "As the dealer reports"),
    "carry": ("One card too many was drawn", "Two cards stuck together"),
    "deal": ("A card was not dealt", "Result announced too early", "FINISH pressed by mistake"),
    "cancel": ("It cannot be put right",),
}
OF_FAULT: Mapping[str, Mapping[str, tuple[str, ...]]] = {  # and where the fault says more
    "card_before_close": {
        "burn": ("Card came out while bets were open", "Shoe touched by mistake"),
        "cancel": ("Card came out while bets were open", "Shoe touched by mistake"),
    },
    "extra_card": {
        "burn": ("One card too many was drawn", "Two cards stuck together"),
        "cancel": ("One card too many was drawn", "Two cards stuck together"),
    },
    "unread_card": {"burn": ("Card is damaged",), "cancel": ("Card is damaged",)},
    "foreign_card": {
        "burn": ("Card does not belong to the shoe", "Card is damaged"),
        "cancel": ("Card does not belong to the shoe", "Card is damaged"),
    },
    "duplicate_card": {"cancel": ("Shoe is not as it was loaded",)},
    "wrong_place": {"burn": ("Dealing order was broken",), "cancel": ("Dealing order was broken",)},
    "missing_card": {"cancel": ("Result announced too early", "FINISH pressed by mistake")},
    "result_mismatch": {"resume": ("Our result checked on camera", "Shoe lost track of the round")},
    "shoe_error": {"resume": ("Shoe checked, error cleared",), "cancel": ("Shoe cannot go on",)},
    "shoe_exhausted": {"cancel": ("Shoe is empty",)},
    "device_lost": {"resume": ("Device is back",), "cancel": ("Device cannot be brought back",)},
    "stalled": {
        "resume": ("Dealer was held up",),
        "enter": ("Card dealt and not read",),
        "cancel": ("Shoe is jammed",),
    },
    "telegram_lost": {
        "resume": ("Nothing is missing on camera",),
        "enter": ("A card was not heard of",),
        "cancel": ("Line to the shoe is bad",),
    },
    "hidden_card_exposed": {"resume": ("Nobody could have seen it",), "cancel": ("Card was seen",)},
    "card_dropped": {
        "resume": ("Card seen and identified",),
        "burn": ("Card fell off the table",),
        "cancel": ("Card went out of view",),
    },
    "dealer_call": {"resume": ("Question answered",), "cancel": ("Dealer changed in mid-round",)},
    "server_lost": {"resume": ("Line is back",), "cancel": ("Line did not come back",)},
    "restarted": {
        "resume": ("Cards checked on camera",),
        "enter": ("A card was dealt meanwhile",),
        "cancel": ("Cards were moved meanwhile",),
    },
    "replay_failed": {"cancel": ("Round cannot be rebuilt",)},
    "journal_failed": {"resume": ("Cards checked on camera",), "cancel": ("Cards were moved meanwhile",)},
}


def reasons(code: str, ruling: str) -> Iterator[str]:
    """For this ruling on such a fault, in the order in which they are offered."""
    yield NOT_GIVEN
    yield from OF_FAULT[code].get(ruling, ())
    yield from OF_RULING[ruling]
