"""Texts of alerts in English; other languages are in `locale/`.

Codes, ids and commands are not translated.
"""

from collections.abc import Sequence

TABLE_ROUND = "table {table}, round {number}"
TABLE = "table {table}, no round"
CALL = "{code}: {where}"
AGAIN = "nobody came: {subject}"
HEAD = "{head}."
PAUSED = "{where}, dealer {dealer}: paused since {time}"
NO_DEALER = "none"
EXPECTED = "expected: {due}"
CAME = "came: {came}"
MAY_RULE = "may be ruled: {rulings}"
CAME_OUT = "it came out when {name} ruled on {fault}: {ruling}"
NOW_AT = "it lies at {place}"
RULED = "ruled {ruling}: {subject}"
GOES_ON = "{where} goes on"
VOID = "{where} is cancelled"
RETURNED = "every stake goes back"
DECIDED = "decisions made since: {count} ({total} staked)"
CARDS = "cards: {where}"
UNCUT = "shoe not cut: {where}"
UNCUT_LINE = "shoe {shoe} came into play uncut, by {name}: {because}"
NO_REASON = "no reason given"
DAMAGED = "record damaged: table {table}"
DAMAGED_FROM = "record {first}: {reason}"
DAMAGED_LINES: Sequence[str] = (
    "a round that is on goes on, the next one does not open",
    "on its PC: `tablectl journal verify` says which records are sound; stop the table, put a copy there, start it",
)
EXPOSURE = "exposure: {where}"
EXPOSURE_LINES: Sequence[str] = (
    "the bets can win {exposure}, more than the warning of {above}",
    "no bet is refused for it; it comes once a round",
)
GUESSING = "somebody guesses PINs: table {table}"
GUESSED_FOR = "for: {people}"
NOBODY_KNOWN = "nobody who is known"
GUESSING_WAITS = (
    "who guesses waits longer each time; after ten a person signs in where they did before, by badge or at the PC alone"
)
SUMMARY = "{count} alerts since {time} could not be delivered in time"
MORE = "{count} more came before these"
DOWN = "table {table} is down"
DOWN_LINES: Sequence[str] = (
    "its program ends again and again, and is not started any more",
    "no round goes on; one that was open waits in the record and comes back paused",
    "on its PC: `systemctl status {service}` says why",
    "then: systemctl reset-failed {service}; systemctl start {service}",
)
TRIAL = "test: table {table}"
TRIAL_TEXT = "table {table} can reach {target}: nothing has happened, this is a test"
HALTED = "table {table} is halted"
HALTED_LINES: Sequence[str] = (
    "the record cannot be written: {reason}",
    "nothing is taken or announced: look at its disk",
)
WELL = "table {table} is well again"
WELL_TEXT = "what had happened meanwhile is recorded now"
