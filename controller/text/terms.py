"""Names of things at a table: cards, places, devices, rulings, expected and received steps.

English; other languages are in `locale/`.
"""

from collections.abc import Mapping
from types import NoneType

from ..core.causes import Finish, HiddenCard
from ..core.events import ProgramBack
from ..rules.procedure import Ask, Bets, Deal, Reveal

# ── cards and places ─────────────────────────────────────────────────────────────────────────────────────────────

RANKS: Mapping[str, str] = {
    "A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven", "8": "eight",
    "9": "nine", "T": "ten", "J": "jack", "Q": "queen", "K": "king",
}  # fmt: skip
SUITS: Mapping[str, str] = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
CARD = "{rank} of {suit}"
FACE_DOWN = "face-down card"
UNREAD = "card not read"
JOKER = "joker"

PLACES: Mapping[str, str] = {
    "player": "PLAYER",
    "banker": "BANKER",
    "dealer": "DEALER",
    "board": "BOARD",
    "burn": "BURN",
    "first_card": "BURN",  # of a shoe: the card that says how many to burn
    "burn_count": "BURN",  # and these cards
    "outside": "SHOE (NOT IN PLAY)",  # events.OUTSIDE
}
NUMBERED: Mapping[str, str] = {"player": "PLAYER {number}", "seat": "SEAT {number}"}
SECOND_HAND = "{seat}, hand 2"
SECOND_OF_SPLIT = "hand 2"
ORDINALS = (
    "first card",
    "second card",
    "third card",
    "fourth card",
    "fifth card",
    "sixth card",
    "seventh card",
    "eighth card",
)
NEXT_CARD = "next card"
STREETS = ("flop, first card", "flop, second card", "flop, third card", "turn", "river")
CHOICE = "{options}?"
OR = "{first} or {last}"
DOWN = "{card}, face down"
REDRAW = "{card}, redraw"

# ── the table ────────────────────────────────────────────────────────────────────────────────────────────────────────

LIVES: Mapping[str, str] = {
    "idle": "No round yet",
    "betting": "Bets are open",
    "dealing": "Dealing",
    "deciding": "Players decide",
    "complete": "Result waits",
    "settled": "Round over",
    "cancelled": "Round cancelled",
    "paused": "PAUSED",
    "halted": "HALTED",
}
DEVICES: Mapping[str, str] = {
    "shoe": "Shoe",
    "panel": "Panel",
    "beacon": "Beacon",
    "badge_reader": "Badge reader",
    "server": "Game server",
}

# ── a fault, what is ruled on it, why a round is void ────────────────────────────────────────────────────────────────

BOTH = "{name} with {second}"
LABELS: Mapping[str, str] = {
    "resume": "Resume",
    "enter": "Enter the card",
    "rescan": "Take the second reading",
    "correct": "Correct a card",
    "move": "Move a card",
    "burn": "Burn the card",
    "void": "Strike a card",
    "carry": "Carry the card over",
    "void_hand": "Void a hand",
    "extend": "Three more minutes",
    "deal": "Have the card dealt",
    "cancel": "Cancel the round",
}
DUE: Mapping[type, str] = {  # text for each type of expected step
    Deal: "a card to {place}",
    Ask: "the decision of {place}",
    Reveal: "the cards of {place} to be turned over",
    Bets: "NO MORE BETS",
    Finish: "the key FINISH",
    NoneType: "no card",
}
DUE_MANY = "the decisions of {count} players"
CAME_UNREAD = "a card that was not read"
CAME: Mapping[type, str] = {  # text for each type of event that came instead
    HiddenCard: "a card that is face down",
    ProgramBack: "a restart",
}
CAME_KEYS: Mapping[str, str] = {
    "finish": "FINISH",
    "manager": "CALL MANAGER",
    "dropped": "CARD DROPPED",
    "exposed": "CARD SEEN",
}
CAME_AT = "{card} at {place}"
CAME_OUTSIDE = (
    "The shoe was locked, in its settings or in an error of its own: have the dealer end that at the shoe "
    "before play goes on."
)
CAME_RESULT = "the shoe's result: {winner}"
CAME_LOST = "not connected: {device}"
CAME_TOO_FEW = "cards left: {left}"
CAME_BABBLE = "{device} sends too much and is cut off; a ruling takes it back"
CUT_OFF = "{got}. Expected: {expected}."
CAME_DROPPED = "{reason}; {count} events were too many to be kept"
CAME_NOTHING = "no card in {seconds} s"
CAME_TELEGRAM = "message {got} came, message {expected} was expected"
CAME_ERROR = "error {code}: {meaning}"
CAME_FAILED = "the rules of {game} fail in round {round} ({where})"
CAME_UNDRIVEN = "round {round} was opened under other rules than those that are here now"
RESULTS: Mapping[str, str] = {"tie": "TIE", "forced_quit": "ROUND BROKEN OFF"}  # of a shoe, beside places that win
BOTH_RESULTS = "The shoe says {shoe}. The table has: {table}."
OTHER_PAIRS = "{winner}, with other pairs"
CARD_OF = "{place}, card {number}"
SUSPECT = "A second copy of a card lies open: the deck may not be whole"
NO_RULING = "nobody ruled in {seconds} s"
NO_SERVER = "the players' line did not come back"
NO_SEAT = "no seat was taken"
