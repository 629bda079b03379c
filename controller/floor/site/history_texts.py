"""Texts of the floor's history and hand-over, in English; other languages are in `locale/`."""

from collections.abc import Mapping

from ...web.screens.report_texts import FIGURES, VOIDS_BEFORE
from ...web.screens.resettling_texts import REVISIONS
from ...web.screens.round_texts import SEARCH

TITLES: Mapping[str, str] = {"shift": "Shift report, all tables", "day": "Day report, all tables"}
HAND_OVER = "Hand-over of the floor"
FLOOR_OF = "Floor {floor}"
TABLES = "Tables"
FEW = "Too few rounds to compare (fewer than {minimum})"
READERS = "Readers"
EMPTY: Mapping[str, str] = {TABLES: "No table.", READERS: "No reader."}  # by title, in place of a table without rows
SURE = "In brackets: exact 95 % confidence interval of the share (Clopper and Pearson)."
COLUMNS: Mapping[str, str] = {
    "table": "Table",
    "rounds": "Rounds",
    "faults": "Faults",
    "stopped": "Stopped per 1,000 rounds",
    "voids": "Cancelled per 1,000 rounds",
    "acknowledged": "Seen: median · 95th percentile",
    "ruled_in": "Ruled: median · 95th percentile",
    "misread": FIGURES["misread_rate"],
}
SHIFT = "Shift"
VOID_OF = "Table {table}: round no. {rounds}"
CALL = "Table {table}: {head}, since {time}"
CALL_OF = "Table {table}: {head}, since {time}; {name} is coming"
SILENT = "Table {table}: not heard since {time}"
ALARM = "Table {table}: {head}"
ALARM_OVER = "Table {table}: {head}, over"
SHELVED = "Table {table}: {head}, shelved until {time}: {because}"
SAID = "{time} · {by} to {to}: {notes}"
SECTIONS: Mapping[str, str] = {
    "calls": "Open calls",
    "silent": "Tables not heard",
    "alarms": "Alarms",
    "shelved": "Shelved alarms",
    "voids": "Cancelled rounds of this shift",
    "voids_before": VOIDS_BEFORE,
    "notes": "Notes of this shift",
    "notes_before": "Notes of the shift before",
}
NOTHING = "Nothing is open."
HANDED = "{by} handed over to {to} at {time}"
ALREADY = "{by} handed over to {to} at {time}: refresh the page"

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
    "none": SEARCH["none_found"],
    "export": "Download",
    "close": "Close",
    "cut": "Not all records of this round are shown",
    "gone": "Connection lost: try again",
    "by_hand": "card entered by hand",
    **SEARCH,
    "round_page": "Explain and print",
    "training": "training",
    "lost": "lost by its table",
    "settled_anew": "settled anew",
    "at_table": "Open at its table",
    **REVISIONS,
    "paused": "paused",
    "rank": "Rank",
    "name": "Name",
    "rate": FIGURES["rate"],
    "hours": "Hours open",
    "faults": "Faults",
    "stopped": COLUMNS["stopped"],
    "voids": COLUMNS["voids"],
    "acknowledged": COLUMNS["acknowledged"],
    "ruled": COLUMNS["ruled_in"],
    "misread": FIGURES["misread_rate"],
    "readers": "Readers",
    "read": "Cards read",
    "unread": "Not read",
    "corrected": "Read as another card",
    "few": FEW,
    "hour": "By the hour",
    "day": "By the day",
    "as_table": "As a table",
    "gaps": "Gaps mean no play. Lines that reach the top continue off the chart.",
    "sure": "The lines show the 95 % confidence interval of each share.",
    "whole": "All tables",
    "nobody": "nobody",
    "nothing": "No rounds in this period",
    "report": "Report of the shift",
    "day_report": "Report of the day",
    "hand_over": "Hand over",
    "to_whom": "Hand over to: badge number or name",
    "their_pin": "Their PIN",
    "own_pin": "Your PIN",
    "note": "Notes",
    "print": "Printable page",
    "managers": "Only a shift manager can hand over the floor",
    "anew": "Refresh",
}
