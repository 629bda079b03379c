"""Texts of the shift manager's console in English; other languages are in `locale/`.

Nothing here names a card; card names are filled in from a view.
"""

from collections.abc import Mapping

from ...text import glossary, refusals
from .gate_texts import GATE
from .resettling_texts import FORM, REVISIONS
from .round_texts import SEARCH

EXPOSURE = "can win at most {most}"
EXPOSED = "the bets can win more than {above}"
MEANS: Mapping[str, str] = {
    "resume": "Nothing is changed; play goes on.",
    "enter": "The card due is entered by hand. Players are told.",
    "rescan": "The card was slid again: the second reading counts.",
    "correct": "{card} was misread: the right card is entered. Players are told.",
    "move": "{card} counts at another place.",
    "burn": "{card} is out of play; the hands stay as they are.",
    "void": "{card} was read twice, or never came: no card has left the shoe.",
    "carry": "{card} opens the next round, if nobody has seen it.",
    "deal": "The card that is missing is dealt now.",
    "void_hand": "The bets of one hand are returned, and it is played no further; the others settle.",
    "cancel": "The round is cancelled; every bet of it is returned.",
    "extend": "The clock cancels no round for three more minutes.",
}
MEANS_IF_DUE: Mapping[str, str] = {  # while a card is due
    "burn": "{card} is out of play; the next one takes its turn.",
    "move": "{card} counts at {place}; play goes on.",
}
MEANS_AT: Mapping[tuple[str, str], str] = {  # at a fault
    ("hidden_card_exposed", "resume"): "If not: nothing is changed, play goes on.",
    (
        "hidden_card_exposed",
        "cancel",
    ): "If so: the round is cancelled, all bets returned.",
    ("card_before_close", "burn"): "{card} is out of play; bets are open again.",
    ("unread_card", "void"): "The reader was mistaken: no card has left the shoe.",
    ("result_mismatch", "resume"): "The table's result stands; play goes on.",
    ("result_mismatch", "burn"): "{card} is out of play; the hands are counted anew.",
    ("stalled", "resume"): "The card due is waited for again.",
}
THE_CARD = "the card"
ONE_CARD = "one of the cards"
USUAL = "the usual ruling"
ASKS: Mapping[str, str] = {"hidden_card_exposed": "Could a player have seen it?"}  # at a fault
ASKS_RULING = "Choose a ruling"
WAITS: Mapping[str, str] = {  # what the usual ruling waits for
    "rescan": "It waits for the dealer, who is told to slide the card again.",
    "resume": "It waits for the device to be connected again.",
}
DONE: Mapping[str, str] = {
    "resume": "nothing is changed",
    "enter": "{card} is entered",
    "rescan": "the second reading counts (draw {draw})",
    "correct": "draw {draw} is {card}",
    "move": "draw {draw} belongs to {place}",
    "burn": "draw {draw} is burnt",
    "void": "draw {draw} does not count: there was no such card",
    "carry": "draw {draw} opens the next round",
    "deal": "the missing card is to be dealt",
    "void_hand": "the hand of {place} is void",
    "cancel": "the round is cancelled",
    "extend": "there are three more minutes to rule",
}
LAID = "draw {draw} goes to {place}"
LOOSE = "draw {draw} has no place any more"
RETURNED = "bets returned: {count}, {total} in all"
SECOND = "a second shift manager is asked for their PIN"
NONE_RETURNED = "there is no bet to return"
NEXT_FAULT = "the next fault comes up: {fault}"
WAITING = "waiting for {due}"
COMPLETE = "the round is complete: {outcome}"
SETTLED = "the round is settled: {outcome}"
STANDS = "the result stands"
BETTING = "bets are open again"
REST = "no round is on"
DEPENDS = "what follows depends on a card that lies face down"

# ── the console ──────────────────────────────────────────────────────────────────────────────────────────────────

MANAGER_RULES = "A shift manager rules."
FLOOR_RULES = "Here a shift manager rules; a supervisor does at the floor."
HALTED = "Nothing can be recorded: call the engineer"
HALTED_TEXT = (
    "No card is to be drawn, and nothing can be ruled. The table goes on once its record can be written again. "
    "For the engineer: {reason}."
)
SEEN = "{name} has seen it"
UNSEEN = "nobody has come yet"
CALLING = "nobody has come yet: the calls go on"
CALLED = "{count} ×"
THEN: Mapping[str, str] = {"offer": "then cancelling is advised", "cancel": "the round is cancelled by itself"}
OVERDUE = "overdue"
OFFERED = "Advised: nobody has ruled in time."
SHOE = "Shoe {id}"
SHOE_CHANGING = "Shoe is being changed"
CARDS_LEFT = "{left} of {size} cards left"
DECK = "deck {id}"
MARKS: Mapping[str, str] = {
    "cut": "the cut card is out",
    "shuffled": "shuffled",
    "suspect": "may not be whole",
}
TABLE_OPEN = "The table is open"
TABLE_CLOSED = "The table is closed"
ACTS: Mapping[str, tuple[str, str]] = {
    "open": ("Open the table", "rounds may be opened from then on"),
    "close": ("Close the table", "a round that is on is played to its end"),
    "dealer": ("Change the dealer", "from the next round on"),
    "change": ("Shoe change", "cards cause no fault until the shoe is ready"),
    "cut": ("Cards are cut", "those of the new shoe"),
    "uncut": ("Cards are not cut", "say why: it is recorded"),
    "ready": ("Shoe ready", "a full shoe is in place"),
    "shuffled": ("Deck is shuffled", "for the next round"),
}
BETWEEN_ROUNDS = "between two rounds only"
CUT_FIRST = "the new cards are not cut yet"

# What a message of the shoe is, by the name under which the API has it.
FRAMES: Mapping[str, str] = {
    "CardRead": "card read",
    "CardUnreadable": "card not read",
    "CutCard": "cut card",
    "ShoeStarted": "shoe started",
    "StandBy": "stand-by",
    "ShoeResult": "result",
    "ShoeError": "error",
    "ShoeErrorCleared": "error over",
    "ShoeWarning": "warning",
    "LockChanged": "lock",
    "PresetChanged": "settings",
    "Garbage": "not understood",
}

# What the page has to say beside the screen; it is had without signing in.
WORDS: Mapping[str, str] = {
    "title": "Shift manager",
    "table": "Table",
    "rounds": "Rounds",
    "devices": "Devices",
    "report": "Report",
    "report_too": "Shift report and hand-over",
    **GATE,
    "locked": "The sign-in is over. The round goes on.",
    "pin_of_second": "Second shift manager",
    "paused": "A round is paused: the shift manager is needed",
    "sound_on": "Sound is on",
    "sound_off": "Sound is off until the next fault",
    "sound_waits": "No sound until this page is touched",
    "notify": "Tell me of faults outside this page",
    "stale": "No connection to the table since {time}",
    "never": "No connection to the table",
    "here": "I am here",
    "paused_for": "paused for",
    "halted_for": "halted for",
    "dealt_by": "Dealt by",
    "called": "Called",
    "ruling_by": "Ruling due in",
    "calls_in": "Calls again in",
    "players_told": "Players are told",
    "loose": "Card not in play",
    "frames": "Last messages of the shoe",
    **FRAMES,
    "withheld": "withheld: a card that is face down",
    "no_frames": "No message from the shoe yet",
    "not_now": "Not possible now",
    "own_round": refusals.WORDS["own_round"],
    "waits": "Reports waiting, in this order",
    "leads_to": "What it will lead to",
    "looking": "Looking ahead …",
    "because": "Because",
    "other": "another reason",
    "which_card": "Which card is it?",
    "which_draw": "Which card is meant? Touch it on the table.",
    "another": "another card …",
    "which_place": "Where does it count?",
    "which_hand": "Which hand?",
    "was_seen": "Has anybody seen the card?",
    "seen_no": "Nobody",
    "seen_yes": "Yes: it is burnt",
    "deck_checked": "It was checked: play goes on",
    "touched": "What it affects",
    "choice_anew": "Ask anew",
    "choice_withdraw": "Give the bets back",
    "choice_stand": "Let it stand",
    "choice_cancel": "Cancel the round",
    "confirm": "Confirm",
    "answer_first": "Answer the question above",
    "back": "Back",
    "placed": "on {place}",
    "burnt": "burnt",
    "carried": "carried over",
    "void": "does not count",
    "is_loose": "no place",
    "manual": "The round is marked: a card was entered by hand",
    "details": "Technical details",
    "last": "Last rounds",
    "result": "Result",
    "kept": "The ruling you had begun is kept.",
    "keys": "Keys",
    "key_digit": "show the effect of a ruling; then choose its reason",
    "key_enter": "say that you are here; confirm the ruling",
    "key_escape": "leave it",
    "key_help": "these keys",
    "glossary": glossary.TITLE,
    "refused": "Not done",
    "done": "Done",
    "gone": "The line broke: look what the table says before doing it again",
    "moved_on": "Another fault is open by now: look again",
    "ruled_on": "Somebody has ruled on this fault meanwhile",
    "next": "Next",
    "bets": "Bets",
    "no_bets": "No bets",
    "decisions": "Decisions",
    "uncut_because": "Why are they not cut?",
    "dealer_name": "Name of the dealer",
    "send": "Do it",
    "cancel": "Leave it",
    "faults": "Faults",
    "time_paused": "Paused",
    "live": "in progress",
    "settled": "settled",
    "cancelled": "cancelled",
    "disputed": "disputed",
    "settled_anew": "settled anew",
    "training": "training",
    "by_hand": "by hand",
    **SEARCH,
    "round_page": "Explain and print",
    "more": "Earlier rounds",
    "none": "No round yet",
    "cut": "There is more to this round than is shown here",
    "model": "Model",
    "where": "At",
    "there": "connected",
    "lost": "not connected",
    "unknown": "not seen yet",
    "since": "since",
    "read": "Cards read",
    "unread": "not read",
    "corrected": "read as another",
    "misreads": "Misread per 1,000",
    "reader_faults": "Faults of the reader",
    "losses": "Times lost",
    "counted": "Counted since {time}",
    "close": "Close",
    **FORM,
    **REVISIONS,
}
