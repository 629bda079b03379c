"""Texts of the floor's history and hand-over, in English; other languages are in `locale/`."""

from collections.abc import Mapping

from ...web.screens.report_texts import FIGURES
from ...web.screens.resettling_texts import REVISIONS
from ...web.screens.round_texts import SEARCH

TITLES: Mapping[str, str] = {"shift": "Shift report, all tables", "day": "Day report, all tables"}
HAND_OVER = "Hand-over of the floor"
FLOOR_OF = "Floor {floor}"
TABLES = "Tables"
FEW = "Too few rounds to be compared (less than {minimum})"
READERS = "Readers"
EMPTY: Mapping[str, str] = {TABLES: "No table.", READERS: "No reader."}  # by title, in place of a table without rows
SURE = "In brackets: between which the true share is, in 95 of 100 such counts (Clopper and Pearson)."
COLUMNS: Mapping[str, str] = {
    "table": "Table",
    "rounds": "Rounds",
    "faults": "Faults",
    "stopped": "Stopped, of 1,000 rounds",
    "voids": "Cancelled, of 1,000 rounds",
    "acknowledged": "Seen: median · 95 of 100",
    "ruled_in": "Ruled: median · 95 of 100",
    "misread": FIGURES["misread_rate"],
}
SHIFT = "Shift"
VOID_OF = "Table {table}: round no. {rounds}"
CALL = "Table {table}: {head}, since {time}"
CALL_OF = "Table {table}: {head}, since {time}; {name} is coming"
SILENT = "Table {table}: not heard since {time}"
ALARM = "Table {table}: {head}"
SHELVED = "Table {table}: {head}, shelved until {time}: {because}"
SAID = "{time} · {by} to {to}: {notes}"
SECTIONS: Mapping[str, str] = {
    "calls": "Open calls",
    "silent": "Tables that are not heard",
    "alarms": "Alarms",
    "shelved": "Shelved alarms",
    "voids": "Cancelled rounds of this shift",
    "notes": "Notes of this shift",
}
NOTHING = "Nothing is open."
HANDED = "{by} has handed over to {to} at {time}"
ALREADY = "{by} has handed over to {to} at {time}: look at it anew"

PAGE: Mapping[str, str] = {  # texts of the views
    "from": "From",
    "to": "To",
    "by": "By",
    "table": "Table",
    "dealer": "Dealer",
    "game": "Game",
    "shift": "Shift",
    "round": "Round",
    "rounds": "Rounds",
    "end": "End",
    "any": "any",
    "settled": "settled",
    "cancelled": "cancelled",
    "disputed": "disputed",
    "fault": "Fault",
    "ruling": "Ruling",
    "ruled_by": "Ruled by",
    "above": "Staked at least",
    "search": "Search",
    "more": "Earlier rounds",
    "none": "No round is like that",
    "export": "As a file",
    "close": "Close",
    "cut": "There is more to it than is told here.",
    "gone": "The line broke: try again",
    "by_hand": "card by hand",
    **SEARCH,
    "round_page": "Explain and print",
    "training": "training",
    "lost": "lost to its table",
    "settled_anew": "settled anew",
    "at_table": "Open at its table",
    **REVISIONS,
    "paused": "paused",
    "rank": "Rank",
    "name": "Name",
    "rate": FIGURES["rate"],
    "hours": "Hours open",
    "faults": "Faults",
    "stopped": "Stopped, of 1,000 rounds",
    "voids": "Cancelled, of 1,000 rounds",
    "acknowledged": "Seen: median · 95 of 100",
    "ruled": "Ruled: median · 95 of 100",
    "misread": FIGURES["misread_rate"],
    "readers": "Readers",
    "read": "Cards read",
    "unread": "Not read",
    "corrected": "Read as another",
    "few": "Too few rounds to be compared (less than {minimum})",
    "hour": "By the hour",
    "day": "By the day",
    "as_table": "As a table",
    "gaps": "Where nothing was played is nothing; a line that reaches the top goes on.",
    "sure": "The line: between which the true share is, in 95 of 100 such counts.",
    "whole": "All tables",
    "nobody": "nobody",
    "nothing": "Nothing was counted in this time",
    "report": "Report of the shift",
    "day_report": "Report of the day",
    "hand_over": "Hand over",
    "to_whom": "To whom: badge number or name",
    "their_pin": "Their PIN",
    "own_pin": "Your PIN",
    "note": "Notes",
    "print": "To print",
    "managers": "The floor is handed over by a shift manager",
    "anew": "Refresh",
}
