"""Labels of the dealer's keys, on a screen and on a panel that can show text."""

from collections.abc import Mapping

KEYS: Mapping[str, str] = {
    "open": "OPEN BETS",
    "close": "NO MORE BETS",
    "finish": "FINISH",
    "shuffled": "SHUFFLED",
    "change": "CHANGE SHOE",
    "cut": "CUT",
    "ready": "SHOE READY",
    "leave": "Next dealer",
    "dropped": "CARD DROPPED",
    "exposed": "CARD SEEN",
    "manager": "CALL MANAGER",
}
