"""English texts of a floor on tables, alarms and acts; other languages are in `locale/`."""

from collections.abc import Mapping

HEADS: Mapping[str, str] = {  # title of each kind of alarm
    "unheard": "Not heard",
    "lost": "Not connected: {text}",
    "trouble": "At its PC: {text}",
    "waiting": "{text} reports waiting",
    "case": "Open case, round: {text}",
    "no_dealer": "No dealer",
    "rules_mismatch": "The posted rules differ from the table's",
    "deck_suspect": "The deck may not be whole",
    "shoe_ends": "The shoe is nearly out",
    "misreads": "Misread cards, of the last 100: {text}",
}
ACTS: Mapping[str, str] = {  # what a person should do about each kind of alarm
    "unheard": "Walk to the table: it may go on dealing by itself",
    "lost": "Have the device reconnected or replaced",
    "trouble": "Have an engineer look at its PC",
    "waiting": "Rule on the open fault: the reports follow",
    "case": "Settle the round anew, or dismiss the case",
    "no_dealer": "Send a dealer, or close the table",
    "rules_mismatch": "Have the current rules posted",
    "deck_suspect": "Bring another deck, counted",
    "shoe_ends": "Have the next shoe ready",
    "misreads": "Have the reader cleaned, or the shoe changed",
}
ONE_WAITING = "1 report waiting"
FLOOD = "{count} tables: {what}"
LINE = "No connection to the bus: {reason}. This page is out of date; the tables go on"
ANSWERS: Mapping[str, str] = {  # sentence for each reason why an act was not done
    "done": "done",
    "taken": "{name} has it",
    "over": "this call has ended, or another has replaced it: look again",
    "unheld": "nobody has claimed this call",
    "not_yours": "{name} has claimed it: only {name} or a shift manager can give it back",
    "no_table": "there is no such table on the bus",
    "no_alarm": "there is no such alarm any more",
    "at_most": "{count} tables: at most {most}",
    "minutes": "expected 1 to 480 minutes",
    "because": "expected a reason",
    "not_shelved": "it is not shelved",
    "outside": "this floor is not in the roster of the bus and shares nothing: use another floor",
    "unsure": "the bus did not answer: check whether it was done",
}
