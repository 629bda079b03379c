"""Texts of refusals to API callers in English; other languages are in `locale/`.

Codes, fields and commands to type are not translated.
"""

from collections.abc import Mapping

# ── commands ─────────────────────────────────────────────────────────────────────────────────────────────────────────

ROLES: Mapping[str, str] = {  # at a door, and of persons
    "manager": "manager",
    "dealer": "dealer",
    "server": "server",
    "player": "player",
    "supervisor": "supervisor",
    "engineer": "engineer",
    "auditor": "auditor",
}
COMMANDS: Mapping[str, str] = {
    "open": "open", "close": "close", "press": "press", "shuffled": "shuffled", "shoe": "shoe", "table": "table",
    "dealer": "dealer", "leave": "leave", "rule": "rule", "resettle": "resettle", "dismiss": "dismiss",
    "ack": "ack", "bet": "bet", "unbet": "unbet",
    "decide": "decide", "gone": "gone", "back": "back",
}  # fmt: skip
FOR_ROLES = "{command} is for the {roles}, not for the {role}"
FOR_PERSONS = "{command} is for a {roles}, which {name} is not"
FOR_MANAGERS = "this is for the manager, not for the {role}"
BY_OTHERS = "by: expected {name}, who is signed in, got {by}"
BY_WHOM = "by: expected the badge number or name of the shift manager who does this (--by)"
NO_DEALER = "name: expected a dealer, {name} ({id}) is none: see `tablectl people`"
NOBODY = "{field}: expected the badge number or name of a person in the registry, got {said}"

# ── names and texts that somebody types ──────────────────────────────────────────────────────────────────────────────

SPACES = "expected a name with single plain spaces between its words and none around them"
PIECES = "expected a name in Unicode's form NFC, each letter in one piece with its accent"
UNSEEN = "expected characters that can be seen, got {code}"
TIMES = "from, to: expected times such as 2026-01-31T14:00"
TIME_OR_DATE = "expected a time such as 2026-01-31T14:00, or a date, got {said}"
AT = "{says} - at `{place}`"

# ── signing in ───────────────────────────────────────────────────────────────────────────────────────────────────────

WRONG_PIN_CLOSED = (
    "wrong name or PIN; too many were wrong: from here no sign-in for this name until it is lifted at the table's PC"
)
CLOSED = (
    "too many wrong PINs for this name: sign in with your badge, in a browser where you signed in before, or at the "
    "dealer's screen; `tablectl people lift` at the PC ends this"
)
TOO_MANY_SESSIONS = "signed in too often within a minute: sign out elsewhere, or try again in a minute"
NO_DEALER_HERE = "expected a dealer, {name} is none"
NO_MANAGER = "expected a manager, {name} is none"
NONE_OF_THEM = "expected {roles}, {name} is none of them"
TWICE = "expected two persons, got {name} twice"
BADGE_AND_PIN = "pin: expected the PIN with the badge: here it is not enough by itself"
NAME_OR_BADGE = "expected a name, or a badge in its place"
NAME_AND_PIN = "pin: expected the PIN with the name"
EXPECTED = "expected {needed}"
NEEDED: Mapping[str | None, str] = {
    None: "a token of the game server's, or to be signed in",
    "manager": "a shift manager who is signed in",
    "dealer": "the dealer's screen: `tablectl kiosk`, at the table's own PC, makes it theirs",
    "server": "a token of the game server's",
}
DEALERS_SCREEN = "expected the dealer's own screen, or the table's socket"
NO_REGISTRY = "this table has no registry of persons: the shift manager signs dealers on; see `tablectl people`"
OWN_PAGE = "expected one of our own pages"
LAPSED = "the sign-in has lapsed: show the PIN first"
OPEN_ANEW = "x-csrf: expected the word of this page; open it anew"
AT_THIS_PC = "expected a page opened at the table's own PC, without a proxy between"
BROWSER_HERE = "expected a browser at the table's own PC, without a proxy between"
USED = "this address was used or is too old: `tablectl kiosk` prints another"
ROUND_ON = "a dealer signs on between two rounds; a round that is on, or paused, is dealt to its end first"

# ── what cannot be answered now ──────────────────────────────────────────────────────────────────────────────────────

UNREADABLE = "the record, or an archive of it, cannot be read; the log says why"
NO_USERS = "nobody can sign in: the users file, or the registry of persons, cannot be read"
BUG = "something is wrong with the program; its log says what"
TOO_SLOW = "the body did not come within {seconds} s"
TOO_LONG = "expected at most {bytes} bytes: send it in parts"
TOO_MANY = "expected at most {each} at a time from one {caller}: end one first"
NO_ROOM = "all {places} places of the kind {kind} are taken: come again in {seconds} s"
SENT_AWAY = "the place was needed for somebody else before all of this had come"
