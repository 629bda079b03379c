"""Figures of table and floor: the name, unit, denominator and definition of each, and where it is shown.

`docs/figures.md` is made from this table, and `tests/accounts` holds every place to it over random play.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Unit = Literal["rounds", "cards", "faults", "rulings", "bets", "times", "money", "durations", "time", "share", "rate"]
Place = Literal["stats", "metrics", "report", "floor_report", "floor_numbers", "floor_rounds", "tables"]
PLACES: Mapping[Place, str] = {
    "stats": "`tablectl journal stats`",
    "metrics": "`/metrics`",
    "report": "report of a table's shift or day",
    "floor_report": "report of all tables",
    "floor_numbers": "`/api/floor/numbers`",
    "floor_rounds": "rounds of a floor (`rounds.csv`)",
    "tables": "`tablectl journal export --tables`",
}


class Figure(NamedTuple):
    """Definition of one figure. `of`: its denominator, another figure; `shown`: by place, its name there."""

    unit: Unit
    means: str
    shown: Mapping[Place, str]
    of: str = ""


FIGURES: Mapping[str, Figure] = {
    # rounds
    "rounds": Figure(
        "rounds",
        "Rounds that were opened. Training is left out of this and of all other figures.",
        {"stats": "rounds", "report": "rounds", "floor_report": "rounds", "floor_numbers": "rounds"},
    ),
    "training": Figure("rounds", "Rounds of training.", dict.fromkeys(("stats", "report", "floor_report"), "training")),
    "settled": Figure(
        "rounds",
        "Rounds that were settled, when they first ended.",
        {"stats": "settled", "report": "settled", "metrics": "rounds{end=settled}"},
    ),
    "cancelled": Figure(
        "rounds",
        "Rounds that were cancelled, when they first ended. A resettlement changes nothing here.",
        {
            **dict.fromkeys(("stats", "report", "floor_report", "floor_rounds"), "cancelled"),
            "metrics": "rounds{end=cancelled}",
        },
    ),
    "manual": Figure(
        "rounds",
        "Settled rounds with a card that was entered or corrected by hand.",
        dict.fromkeys(("stats", "report", "floor_rounds", "tables"), "manual"),
    ),
    "disputed": Figure(
        "rounds",
        "Results that the shoe reported after a round was settled and that differ from it.",
        dict.fromkeys(("stats", "report"), "disputed"),
    ),
    "resettled": Figure(
        "rounds",
        "Resettlements that were done, to rounds of any day.",
        {**dict.fromkeys(("stats", "report"), "resettled"), "metrics": "resettlements", "floor_rounds": "revision"},
    ),
    "stopped": Figure(
        "rounds",
        "Rounds that at least one fault stopped, where and when they were opened.",
        {"floor_numbers": "stopped"},
        of="rounds",
    ),
    "void": Figure(
        "rounds",
        "Cancelled rounds, where and when they were opened.",
        {"floor_numbers": "voids"},
        of="rounds",
    ),
    "open": Figure(
        "time",
        "Time that the table was open, training left out.",
        {"floor_numbers": "hours"},
    ),
    "rate": Figure(
        "rate",
        "Rounds in an hour that the table was open; none below six minutes.",
        dict.fromkeys(("report", "floor_report", "floor_numbers"), "rate"),
        of="open",
    ),
    # cards
    "cards": Figure(
        "cards",
        "Cards that left the shoe, read or entered by hand. A card that was carried over is counted once.",
        dict.fromkeys(("stats", "report", "floor_rounds"), "cards"),
    ),
    "read": Figure(
        "cards",
        "Cards that the shoe's reader reported, also those that never left it.",
        {"stats": "read", "metrics": "cards{source=reader}", "floor_numbers": "read"},
    ),
    "entered": Figure("cards", "Cards that were entered by hand.", {"metrics": "cards{source=manual}"}),
    "unread": Figure(
        "cards",
        "Cards that the reader could not read.",
        {"stats": "unread", "metrics": "misreads{what=unread}", "floor_numbers": "unread"},
        of="read",
    ),
    "corrected": Figure(
        "cards",
        "Cards that the reader read as another, by the rulings that stood when the round ended.",
        {"stats": "corrected", "metrics": "misreads{what=corrected}", "floor_numbers": "corrected"},
        of="read",
    ),
    "misreads": Figure("cards", "Cards not read, or read as another.", {"floor_rounds": "misreads"}),
    "misread_rate": Figure(
        "share",
        "Cards not read, or read as another, of all that the reader reported.",
        {"stats": "misread_rate", "report": "misread_rate", "floor_numbers": "misread"},
        of="read",
    ),
    # faults and how they were ruled
    "faults": Figure(
        "faults",
        "Faults that stopped play.",
        {
            **dict.fromkeys(("stats", "report", "floor_report", "floor_numbers", "floor_rounds", "tables"), "faults"),
            "metrics": "faults",
        },
    ),
    "paused": Figure(
        "durations",
        "Pauses that are over, from the fault that stopped play until it went on or the round was cancelled. "
        "Of one fault: until it was over. `/metrics` counts the pause that is on too.",
        {**dict.fromkeys(("stats", "report", "floor_report"), "paused"), "metrics": "paused_seconds"},
    ),
    "acknowledged": Figure(
        "durations",
        "From a fault until a shift manager had seen it.",
        {
            **dict.fromkeys(("stats", "floor_numbers"), "acknowledged"),
            "report": "seen",
            "metrics": "fault_acknowledgement_seconds",
        },
    ),
    "ruled": Figure(
        "durations",
        "From a fault until the ruling on it.",
        {**dict.fromkeys(("stats", "report", "floor_numbers"), "ruled"), "metrics": "fault_ruling_seconds"},
    ),
    "rulings": Figure(
        "rulings", "Rulings of shift managers.", dict.fromkeys(("stats", "metrics", "report", "tables"), "rulings")
    ),
    "refused_rulings": Figure(
        "rulings",
        "Rulings that were refused.",
        {"stats": "refused_rulings", "metrics": "refusals{what=ruling}"},
    ),
    # bets and money
    "bets": Figure("bets", "Bets that were accepted.", {"metrics": "bets{verdict=accepted}"}),
    "bets_refused": Figure("bets", "Bets that were refused.", {"metrics": "bets{verdict=refused}"}),
    "staked": Figure(
        "money",
        "Stakes that were taken: of bets, and of decisions that raise one.",
        dict.fromkeys(("stats", "report", "floor_report", "floor_rounds", "tables"), "staked"),
    ),
    "withdrawn": Figure(
        "money",
        "Stakes that went back before their bet was settled.",
        dict.fromkeys(("stats", "report", "floor_report", "floor_rounds", "tables"), "withdrawn"),
    ),
    "settled_stakes": Figure(
        "money", "Stakes of the bets that a result settled, when it first did.", {"metrics": "staked_money"}
    ),
    "pay_outs": Figure("bets", "Bets that got something back from a result.", {"stats": "pay_outs"}),
    "paid_out": Figure(
        "money",
        "All that went back by results, stakes included, when the rounds were first settled.",
        {
            **dict.fromkeys(("stats", "report", "floor_report", "tables"), "paid_out"),
            "floor_rounds": "returned",
            "metrics": "returned_money",
        },
    ),
    "refunds": Figure("bets", "Bets whose stake went back because their round was cancelled.", {"stats": "refunds"}),
    "refunded": Figure(
        "money",
        "Stakes that went back because their round was cancelled.",
        dict.fromkeys(("stats", "report", "floor_report", "floor_rounds", "tables"), "refunded"),
    ),
    "adjusted": Figure(
        "money",
        "Differences of resettlements, counted when they were done: below zero, the house got money back.",
        dict.fromkeys(("stats", "report", "floor_report", "floor_rounds", "tables"), "adjusted"),
    ),
    "given_later": Figure("money", "Differences above zero, when they were done.", {"metrics": "given_later_money"}),
    "taken_back": Figure("money", "Differences below zero, when they were done.", {"metrics": "taken_back_money"}),
    "revised": Figure(
        "money",
        "Differences of resettlements, counted when their rounds first ended: the day that the money belongs to.",
        dict.fromkeys(("stats", "report", "floor_report"), "revised"),
    ),
    "kept": Figure(
        "money",
        "What the house keeps: staked less withdrawn, returned, refunded and adjusted.",
        {"floor_rounds": "kept"},
    ),
    # devices
    "lost": Figure("times", "Losses of a device.", dict.fromkeys(("stats", "report"), "lost")),
    "away": Figure(
        "durations", "From the loss of a device until it was found.", dict.fromkeys(("stats", "report"), "away")
    ),
}
DURATIONS = tuple(name for name, figure in FIGURES.items() if figure.unit == "durations")
AMOUNTS = tuple(name for name, figure in FIGURES.items() if figure.unit == "money")
