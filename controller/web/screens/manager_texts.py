"""Every text of the shift manager's console, in English; the other languages are in `locale/`.

The one rule: nothing here names a card; what is said of one is filled in from a view.
"""

from collections.abc import Mapping

from ... import refusals

LABELS: Mapping[str, str] = {
    "resume": "Resume",
    "enter": "Enter the card",
    "rescan": "Take the second reading",
    "correct": "Correct a card",
    "move": "Move a card",
    "burn": "Burn the card",
    "carry": "Carry the card over",
    "deal": "Have the card dealt",
    "cancel": "Cancel the round",
}
MEANS: Mapping[str, str] = {
    "resume": "There is nothing to change; play goes on.",
    "enter": "The card due is entered by hand. Players are told.",
    "rescan": "The card was slid again: the second reading counts.",
    "correct": "A card is not what the reader said. Players are told.",
    "move": "A card lies, or is to lie, on another place.",
    "burn": "The card is out of play; the next one takes its turn.",
    "carry": "The surplus card opens the next round.",
    "deal": "The card that is missing is dealt now.",
    "cancel": "The round is void; every bet of it is returned.",
}
DONE: Mapping[str, str] = {
    "resume": "nothing is changed",
    "enter": "{card} is entered",
    "rescan": "the second reading counts (draw {draw})",
    "correct": "draw {draw} is {card}",
    "move": "draw {draw} belongs to {place}",
    "burn": "draw {draw} is burnt",
    "carry": "draw {draw} opens the next round",
    "deal": "the missing card is to be dealt",
    "cancel": "the round is cancelled",
}
LAID = "draw {draw} goes to {place}"
LOOSE = "draw {draw} has no place any more"
RETURNED = "bets returned: {count}, {total} in all"
NONE_RETURNED = "there is no bet to return"
NEXT_FAULT = "the next fault comes up: {fault}"
WAITING = "waiting for {due}"
COMPLETE = "the round is complete: {outcome}"
SETTLED = "the round is settled: {outcome}"
STANDS = "the result stands"
BETTING = "bets are open again"
REST = "no round is on"
DEPENDS = "what follows depends on a card that lies face down"

STEPS: Mapping[str, str] = {  # by what the record expects
    "card to ": "a card to {place}",
    "decision of ": "the decision of {place}",
    "reveal of ": "{place} to be turned over",
    "no more bets": "NO MORE BETS",
    "finish": "FINISH",
    "no card": "no card",
}
REFUSALS: Mapping[str, str] = {  # of a ruling
    reason: refusals.WORDS[reason]
    for reason in (
        "not_paused", "not_allowed", "stale_fault", "own_round",
        "bad_card", "bad_draw", "device_still_lost", "does_not_fit",
    )
}  # fmt: skip

COMMON = ("As seen on camera", "As the dealer reports")
REASONS: Mapping[str, tuple[str, ...]] = {
    "card_before_close": ("Card came out while bets were open", "Shoe touched by mistake"),
    "extra_card": ("One card too many was drawn", "Two cards stuck together", "Card belongs to no hand"),
    "unread_card": ("Card read at the second try", "Card identified on camera", "Card is damaged"),
    "foreign_card": ("Card does not belong to the shoe", "Misread: as seen on camera", "Card is damaged"),
    "duplicate_card": ("Misread: as seen on camera", "Shoe is not as it was loaded"),
    "wrong_place": ("Card laid on the wrong place", "Place told wrongly by the reader", "Dealing order was broken"),
    "missing_card": ("Result announced too early", "A card was not dealt", "FINISH pressed by mistake"),
    "result_mismatch": ("Our result checked on camera", "Shoe lost track of the round", "Misread: as seen on camera"),
    "shoe_error": ("Shoe checked, error cleared", "Card identified on camera", "Shoe cannot go on"),
    "shoe_exhausted": ("Shoe is empty",),
    "device_lost": ("Device is back", "Card identified on camera", "Device cannot be brought back"),
    "stalled": ("Dealer was held up", "Card dealt and not read", "Shoe is jammed"),
    "telegram_lost": ("Nothing is missing on camera", "A card was not heard of", "Line to the shoe is bad"),
    "hidden_card_exposed": ("Nobody could have seen it", "Card was seen"),
    "card_dropped": ("Card seen and identified", "Card fell off the table", "Card went out of view"),
    "dealer_call": ("Question answered", "Misread: as seen on camera", "Dealer changed in mid-round"),
    "server_lost": ("Line is back", "Line did not come back"),
    "restarted": ("Cards checked on camera", "A card was dealt meanwhile", "Cards were moved meanwhile"),
    "replay_failed": ("Round cannot be rebuilt",),
    "journal_failed": ("Cards checked on camera", "Cards were moved meanwhile"),
}
