"""Texts of the shift manager's console in English; other languages are in `locale/`.

Nothing here names a card; card names are filled in from a view.
"""

from collections.abc import Mapping

from ...text import glossary, refusals
from .gate_texts import GATE
from .resettling_texts import FORM, REVISIONS
from .round_texts import SEARCH

MORE_MARKETS = "and {count} more"
EXPOSURE = "can win at most {most}"
EXPOSED = "the bets can win more than {above}"
MEANS: Mapping[str, str] = {
    "resume": "Nothing is changed; play goes on.",
    "enter": "The card due is entered by hand. Players are told.",
    "rescan": "The card was slid again: the second reading counts.",
    "correct": "The right card is entered for {card}. Players are told.",
    "move": "{card} counts at another place.",
    "burn": "{card} is out of play; the hands stay as they are.",
    "void": "{card} was read twice, or by mistake: no card has left the shoe.",
    "carry": "Only if nobody has seen it: {card} opens the next round.",
    "deal": "The card that is missing is dealt now.",
    "void_hand": "The bets of one hand are returned, and it is played no further; the others settle.",
    "cancel": "The round is cancelled; every bet of it is returned.",
    "extend": "The clock cancels no round for three more minutes.",
}
TITLES: Mapping[str, str] = {  # titles of rulings on a card with a known value
    "correct": "Correct {card}: it was misread",
    "move": "Move {card}",
    "burn": "Burn {card}",
    "void": "Strike {card}: it never came",
    "carry": "Carry {card} over",
}
TITLES_AT: Mapping[tuple[str, str], str] = {  # by fault and ruling
    ("card_dropped", "resume"): "Lay it back",
    ("result_mismatch", "resume"): "The table's result stands",
    ("late_card", "deal"): "Play on with this card",
    ("stalled", "resume"): "Wait for the card again",
    ("unread_card", "void"): "There was no card",
    ("slid_again", "void"): "The first one was no card",
    ("slid_again", "burn"): "Burn the first one",
}
MOVE_TO = "Move {card} to {place}"
BURN_ONE = "Burn a card"
MEANS_NEXT = "{card} comes next; play goes on."  # of a card drawn in the pause
MEANS_IF_DUE: Mapping[str, str] = {  # effect of a ruling while a card is due
    "burn": "{card} is out of play; the next card takes its place.",
    "move": "{card} counts at {place}; the dealer is told to lay it there.",
}
MEANS_AT: Mapping[tuple[str, str], str] = {  # effect by fault and ruling
    ("card_before_close", "burn"): "{card} is out of play; bets are open again.",
    ("unread_card", "void"): "The reader was mistaken: no card has left the shoe.",
    ("duplicate_card", "void"): "{card} was read twice, or by mistake; play goes on.",
    ("result_mismatch", "burn"): "{card} is out of play; the hands are counted anew.",
    ("card_dropped", "resume"): "It counts; play goes on.",
    ("result_mismatch", "resume"): "The cards decide; the shoe's result does not count.",
    ("slid_again", "burn"): "The first one is out of play; the second comes next.",
    ("slid_again", "void"): "The reader was mistaken: no card has left the shoe at first.",
    ("late_card", "resume"): "The card that has come counts; play goes on.",
    ("late_card", "deal"): "The card that has come counts; play goes on.",
    ("stalled", "resume"): "Nothing is changed; the clock for the card begins anew.",
}
THE_CARD = "the card"
ONE_CARD = "one of the cards"
USUAL = "the usual ruling"
ASKS: Mapping[str, str] = {  # question by fault
    "hidden_card_exposed": "Could a player have seen it before deciding?",
    "telegram_lost": "Does a card lie on the table that is not shown here?",
    "restarted": "Does a card lie on the table that is not shown here?",
    "shoe_error": "Does a card lie on the table that is not shown here?",
    "shoe_exhausted": "Was a card read twice?",
    "slid_again": "Was it the same card that was slid again?",
    "card_dropped": "Was the card in sight the whole time?",
    "duplicate_card": "Does a second copy really lie on the table?",
    "result_mismatch": "Do the cards lie as shown here?",
    "journal_failed": "Does a card lie on the table that is not shown here?",
    "dealer_call": "Ask the dealer: is a card wrong?",
    "stalled": "Does the card lie on the table already?",
}
ASKS_WHERE: Mapping[str, str] = {  # question by fault, if card and place are known and not hidden
    "duplicate_card": "Does a second {card} really lie at {place}?",
}
ANSWERS: Mapping[tuple[str, str], str] = {  # answer that a ruling gives to the question
    ("hidden_card_exposed", "resume"): "No",
    ("hidden_card_exposed", "cancel"): "Yes",
    ("telegram_lost", "resume"): "No",
    ("telegram_lost", "enter"): "Yes",
    ("restarted", "resume"): "No",
    ("restarted", "enter"): "Yes",
    ("journal_failed", "resume"): "No",
    ("journal_failed", "cancel"): "Yes",
    ("slid_again", "rescan"): "Yes",
    ("slid_again", "enter"): "Yes",
    ("slid_again", "burn"): "No",
    ("slid_again", "void"): "No",
    ("card_dropped", "resume"): "Yes",
    ("card_dropped", "cancel"): "No",
    ("duplicate_card", "cancel"): "Yes",
    ("duplicate_card", "correct"): "No, another card",
    ("duplicate_card", "void"): "No, none",
    ("result_mismatch", "resume"): "Yes",
    ("shoe_exhausted", "void"): "Yes",
    ("shoe_exhausted", "cancel"): "No",
    ("shoe_error", "resume"): "No",
    ("shoe_error", "enter"): "Yes",
    ("dealer_call", "resume"): "No",
    ("stalled", "resume"): "No",
    ("stalled", "enter"): "Yes",
}
ANSWER = "{answer}: {label}"
ASKS_RULING = "Choose a ruling"
ONE_RULING: Mapping[str, str] = {"replay_failed": "The round can only be cancelled"}
READ_LATE = "{card} came late. Expected: {expected}."
READ_AGAIN = "{card} was read at the second slide. Expected: {expected}."
UNREAD_AGAIN = "Neither slide was read. Expected: {expected}."
ASKS_PATIENCE: Mapping[str, str] = {  # what must be done before the usual ruling
    "rescan": "Let the dealer slide the card again",
    "resume": "Have it connected again",
}
ASIDE_ELSE: Mapping[str, str] = {  # heading of the other rulings while the usual one waits
    "rescan": "If that fails",
    "resume": "If that fails, or if a card is wrong",
}
SUSPECT_IF = "A real second copy means that the deck is not whole"
ASIDE_CARD = "If {card} is wrong"
ASIDE_CARDS = "If a card is wrong"
ASIDE_AT: Mapping[str, str] = {  # heading of the rulings apart, by fault
    "dealer_call": "Yes: a card is wrong",
    "duplicate_card": "Yes, but play goes on with this deck",
    "result_mismatch": "No: a card is wrong",
}
WAITS: Mapping[str, str] = {  # when the usual ruling becomes possible
    "rescan": "Can be made once the dealer has slid the card again.",
    "resume": "Can be made once it is connected again.",
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
    "No card is to be drawn, and nothing can be ruled. The table goes on once its record can be written again."
)
FOR_ENGINEER = "For the engineer: {reason}."
SEEN = "{name} has seen it"
UNSEEN = "nobody has come yet"
CALLING = "nobody has come: still calling"
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
TABLE_CLOSES = "The table closes after this round"
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

# Meaning of a message of the shoe, by its name in the API.
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

# Texts of the page that are no part of the screen; the API gives them without a sign-in.
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
    "key_help": "show these keys",
    "glossary": glossary.TITLE,
    "refused": "Not done",
    "done": "Done",
    "gone": "Connection lost: check whether it was done, then try again",
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
    "cut": "Not all records of this round are shown",
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
