"""Every text of the report of a shift, in English; the other languages are in `locale/`."""

from collections.abc import Mapping

TITLES: Mapping[str, str] = {"shift": "Shift report", "day": "Day report"}
TABLE_OF = "Table {table} · {game}"
TO_THE_RECORD = "Up to record {seq} of {time}"
STILL_ON = "This is not over yet: what has not ended is not counted."
CLOCKS_SET = "The clocks were set within this time: one hour of it is there twice, or not at all."
THIS_SHIFT = "This shift"
BEFORE = "The one before"
AFTER = "The one after"
THIS_DAY = "This day"

OPEN_POINTS = "Open points"
NOTHING_OPEN = "Nothing is open."
FAULT_OPEN = "Open fault: {fault}"
ROUND_ON = "Round {number} is on"
DEVICE_LOST = "Not connected: {device}"
ANCHOR_LOST: Mapping[str, str] = {
    "lost": "The record's anchor is lost: call the engineer",
    "required": "The record's anchor is lost: no round opens",
}
RECORD_DOUBTED = "The record is not valid: no round opens"
DECK_DOUBTED = "Shoe or deck {id} may not be whole: change it"
CASES_OPEN = "Open cases: {cases}"
CASE_OF = "Round {number}: {report}"
IS_CLOSED = "The table is closed"

FIGURES: Mapping[str, str] = {
    "rounds": "Rounds",
    "rate": "Rounds per hour",
    "settled": "Settled",
    "cancelled": "Cancelled",
    "faults": "Faults",
    "paused": "Paused in all",
    "cards": "Cards",
    "misread_rate": "Misread per 1,000",
    "manual": "With a card entered by hand",
    "disputed": "Disputed",
    "resettled": "Settled anew",
    "training": "Of training, not counted",
}
BY_HOUR = "By the hour"
ROUNDS_BY_HOUR = "Rounds"
FAULTS_BY_HOUR = "Faults"
MISREADS_BY_HOUR = FIGURES["misread_rate"]

FAULTS = "Faults, and how long people took"
ALL_FAULTS = "All faults"
MONEY = "Money"
MOVED: Mapping[str, str] = {
    "staked": "Staked",
    "withdrawn": "Withdrawn",
    "paid_out": "Returned by results",
    "refunded": "Refunded",
    "adjusted": "Corrections done",
    "revised": "Corrections of these rounds",
}
DEALERS = "Dealers"
NOBODY = "nobody"
DEVICES = "Devices"
SHOES = "Shoes and decks"
MORE = "{count} in all; the last ones:"
VOIDS = "Cancelled rounds"
VOIDS_BEFORE = "Cancelled rounds of the shift before"
RESETTLEMENTS = "Rounds settled anew"
SETTLED_ANEW = "new result"
MADE_VOID = "made void"
RULINGS = "Rulings"
PEOPLE = "Who signed in"
WRONG_PINS = "Wrong PINs: {count}"
HAND_OVERS = "Hand-over"
DOORS: Mapping[str, str] = {"manager": "shift manager's page", "dealer": "to deal", "kiosk": "dealer's screen"}
SIGNED_FROM = "Handed over by"
SIGNED_TO = "Taken over by"
NOTE = "Note"
NOTE_BEFORE = "Note of the shift before"
WHO = "Badge number or name"
PIN = "PIN"
HAND_OVER = "Hand over"
NEVER = "The table does not answer"
NONE = "None."
EMPTY: Mapping[str, str] = {  # by title, in place of a table without rows; other tables: NONE
    FAULTS: "No fault.",
    DEALERS: "No dealer.",
    DEVICES: "No device.",
    RULINGS: "No ruling.",
    VOIDS: "No round.",
    SHOES: "No shoe or deck.",
    PEOPLE: "Nobody.",
}
LATER = "told when the round is over"
NO_REASON = "no reason given"
COLUMNS: Mapping[str, str] = {
    "fault": "Fault",
    "count": "Times",
    "voids": "Cancelled",
    "seen": "Seen: median · 90th percentile · longest",
    "ruled": "Ruled: median · 90th percentile · longest",
    "currency": "Currency",
    "dealer": "Dealer",
    "device": "Device",
    "read": "Cards read",
    "unread": "Not read",
    "corrected": "Read as another card",
    "lost": "Times lost",
    "away": "Away in all",
    "shoe": "Shoe or deck",
    "cards": "Cards",
    "unaccounted": "Unaccounted",
    "uncut": "Not cut",
    "time": "Time",
    "round": "Round",
    "ruling": "Ruling",
    "result": "Result",
    "moved": "Difference",
    "by": "By",
    "because": "Why",
    "bets": "Bets",
    "returned": "Returned",
    "name": "Name",
    "where": "Where",
}
