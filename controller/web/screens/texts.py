"""Texts of the screens in English; the other languages are in `locale/`.

Texts for players contain no amounts, no codes of faults and no cards.
"""

from collections.abc import Mapping

from ...text.keys import KEYS

# ── the dealer's next step ───────────────────────────────────────────────────────────────────────────────────────

OPEN_BETS = "OPEN BETS"
BETS_OPEN = "BETS ARE OPEN"
CLOSE_SOON = "NO MORE BETS when the time is up"
DECIDE = "PLAYERS DECIDE"
TURN_OVER = "turn the cards over"
TURN_OVER_KEY = "turn the cards over, then press FINISH"
FINISH = "FINISH"
CONFIRM = "to confirm the result"
WAIT = "WAIT"
SHOE_CONFIRMS = "the shoe confirms the result"
SAY_BETS = "Place your bets, please."
SAY_CLOSED = "No more bets."
SAY_DRAWS = "{place} draws."
SAY_ASKED = "{place}, your decision, please."
SHOE_LEFT = "Cards left: {left}"
SHOE_CHANGE_IN = "Cards left: {left} · change in {until}"
SHOE_IS_CUT = "Cards left: {left} · cut card out"
NEW_ROUND = "for the next round"
CLEAR = "CLEAR THE CARDS"
TAKE_OFF = "TAKE THESE OFF"
PLACE_CARD = "PLACE THE CARD"
PLACE_CARDS = "PLACE THE CARDS"
PUT_AT = "{card} to {place}"
KEEP = "KEEP THIS CARD"
OPENS_NEXT = "{card} opens the next round"
PUT_RIGHT = "PUT THE CARDS RIGHT"
OFF_THE_TABLE = "take off {cards}"
THEN_PRESS = "then press {key}"
ROUND_CORRECTED = "Round {number} was corrected"
ROUND_CANCELLED = "Round {number} is cancelled. All bets of it have been returned."
CANCELLED_BETS = "Cancelled: all bets are returned"
CANCELLED_WHY = "Cancelled, as {why}: all bets are returned"
OBSTACLES: Mapping[str, tuple[str, str]] = {
    "record_damaged": ("WAIT", "the record is damaged: call the shift manager"),
    "anchor_lost": ("WAIT", "the record's anchor is lost: call the engineer"),
    "table_closed": ("TABLE CLOSED", "the shift manager opens it"),
    "rules_mismatch": ("WRONG RULES", "players are shown other rules than those that run: call the engineer"),
    "no_dealer": ("NO DEALER", "the shift manager signs a dealer on"),
    "server_lost": ("WAIT", "the players cannot be reached"),
    "shoe_missing": ("NO SHOE", "connect the shoe"),
    "not_shuffled": ("SHUFFLE", "a fresh deck, then press SHUFFLED"),
    "cut_card_out": ("CHANGE SHOE", "the cut card is out"),
    "deck_suspect": ("NEW CARDS", "these may not be whole: change them for counted ones"),
    "shoe_low": ("CHANGE SHOE", "too few cards are left for a round"),
}
NO_SHOE = ("CHANGE SHOE", "no full shoe of this game is in play")
SHOE_AWAY = "The old shoe is out"
SHOE_CUT = "Cut the cards"
SHOE_UNCUT = "Not cut: {because}"
SKIP_CUT = "NOT CUT …"
UNCUT_REASONS = ("Cut before they were brought", "A machine has cut them", "The shift manager allowed it")
SHOE_IN = "Put in the full shoe: {size} cards"
SHOE_BURN: Mapping[str, str] = {
    "one": "Burn one card: {burnt} of {wanted}",
    "first_card": "Burn the first card, and as many as it counts: {burnt} of {wanted}",
}
SHOE_BURN_UNREAD = "The first card was not read: look at it, and burn as many more as it counts. Burnt: {burnt}"
SHOE_BURNT = "Burnt: {count}"
SHOE_TOO_MANY = "More cards are out than are to be burnt: call the manager, the shoe is changed again"
SHOE_COUNT = "Type how many cards were counted, and the receipt or the witness"
SHOE_IN_COUNT = "Put in the full shoe: {size} cards; type how many were counted, and the receipt or the witness"
SHOE_THEN = "Press SHOE READY"
SHOE_IN_THEN = "Put in the full shoe: {size} cards, then press SHOE READY"
SHOE_FIELDS: Mapping[str, str] = {"counted": "Cards counted", "receipt": "Receipt", "witness": "Witness"}
CHANGING = "SHOE CHANGE"
CHANGE_NEXT: Mapping[str, str] = {
    "cut": "cut the new cards, then press CUT",
    "load": "put in the full shoe",
    "burn": "burn the first cards",
    "count": "put in the full shoe and say how many cards were counted",
    "ready": "put in the full shoe, then press SHOE READY",
}
SKIP_WORDS: Mapping[str, str] = {"because": "Why are they not cut?", "other": "another reason", "skip": "NOT CUT"}

# ── the dealer's screen around it ────────────────────────────────────────────────────────────────────────────────

ROUND = "Round {number}"
NO_ROUND = "No round yet"
DEALT_BY = "Dealer {name}"
NOBODY_DEALS = "No dealer"
TRAINING = "TRAINING"
LAST_ROUND = "LAST ROUND: the table is closed after it"
LEAVING = "DEALER CHANGE AFTER THIS ROUND"
CUT = "LAST ROUND OF THE SHOE: the cut card is out"
MANUAL_FLAG = "CARD ENTERED BY HAND"
DEVICES_LOST: Mapping[str, str] = {
    "shoe": "Shoe not connected",
    "panel": "Panel not connected: use the keys on this screen",
    "beacon": "Beacon not connected",
    "badge_reader": "Badge reader not connected: sign on at this screen",
    "server": "Game server not connected",
}
READ_AGAIN = "Read only at the second slide"
STILL_UNREAD = "Not read at the second slide either"
CAME_LATE = "The card has come late"
NONE_YET = "No card for {place} yet"
LEAVE = "Leave all cards as they lie and wait for the shift manager."
NOTHING_RECORDED = "Nothing can be recorded."
HALTED_HANDS = "Draw no card. Leave all cards as they lie and wait for the shift manager."
LOOSE_CARDS = "Card not in play"
LOOSE_NEXT = "Drawn in the pause, comes next"
LOOSE_READ_NOW = "Read now"
LOOSE_AT_FAULT: Mapping[str, str] = {
    "card_before_close": "Card out too early",
    "extra_card": "Extra card",
    "unread_card": "Card not read",
    "foreign_card": "Foreign card",
    "duplicate_card": "One copy too many",
    "wrong_place": "Card in another place",
}
DUE_AT_FAULT: Mapping[str, str] = {
    "wrong_place": "it was due here",
    "missing_card": "a card was due",
    "stalled": "a card is due",
    "duplicate_card": "a second one?",
}  # by fault about a card that is still due
LAY_IT_APART = "Lay it apart"  # title of an unread card
CAME_TOO_OFTEN = "One {card} too many"
FINISHED_EARLY = "FINISH was pressed too early"
ONE_OF_THESE = "one of these"
FALLEN = "off the table?"  # of the card that was dealt last, most likely
OUT_OF_GAME = "A card came while the shoe was not in play"
DEVICE_LOST = "{device} not connected"
DEVICE_CUT_OFF = "{device} sends too much"
SEEN_AT = "seen at {place}"
PLAYERS_ARE_TOLD = "Players are told"
MANAGER_CALLED = "The shift manager has been called"
CALLED_AGO = "called {time} ago"
MANAGER_COMES = "{name} has seen it"
AGO = "{time} ago"
HALTED_SINCE = "The table was halted"
BETS = "Bets: {count} · {total}"
DECIDED = "{decided} of {asked} have decided"
NOT_DECIDED = "still asked"
STALE = "No connection to the table since {time}"
STALE_HANDS = "Stop. Deal nothing."
KEYS_LABEL = "Keys"
CLEARED = "Done"
REFUSED = "Not done"
SIGN_ON_HEAD = "SIGN ON"
SIGN_ON: Mapping[str, str] = {
    "leave": KEYS["leave"],
    "id": "Badge",
    "pin": "PIN",
    "erase": "Erase",
    "enter": "Sign on",
    "badge": "Badge read",
    "by_with_pin": "badge or its number, then the PIN",
    "by_alone": "your badge, or its number and the PIN",
    "never": "No connection to the table.",
}

# ── decisions and results ────────────────────────────────────────────────────────────────────────────────────────

HAND_RESULTS: Mapping[str, str] = {
    "win": "WINS",
    "lose": "LOSES",
    "push": "PUSH",
    "fold": "FOLDED",
    "void": "VOID",
}

# ── what players see ─────────────────────────────────────────────────────────────────────────────────────────────

ROADS: Mapping[str, str] = {
    "bead": "Bead plate",
    "big": "Big road",
    "eye": "Big eye boy",
    "small": "Small road",
    "pig": "Cockroach pig",
}
ROAD_ENDS = "{road}, the last results: {results}"
LETTERS: Mapping[str, str] = {"player": "P", "banker": "B", "tie": "T"}
LAST_RESULTS = "Last results"
