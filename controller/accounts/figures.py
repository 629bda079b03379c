"""Figures of table and floor: the name, unit, denominator and definition of each, and where it is shown.

`docs/figures.md` is made from this table, and `tests/accounts` compares every place with it in random play.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

Unit = Literal["rounds", "cards", "faults", "rulings", "bets", "times", "money", "durations", "time", "share", "rate"]
PLACES: Mapping[str, str] = {
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
    shown: Mapping[str, str]
    of: str = ""


def _figure(unit: Unit, means: str, shown: str, of: str = "") -> Figure:
    """Build a figure. `shown`: the places that show it, `stats metrics=NAME ...`; NAME is its name there."""
    places = (place.partition("=") for place in shown.split())
    return Figure(unit, means, {place: name for place, _, name in places}, of)


_DEFINED: Mapping[str, Figure] = {
    # rounds
    "rounds": _figure(
        "rounds",
        "Rounds that were opened. Training is left out of this and of all other figures, except `lost` and `away`.",
        "stats report floor_report floor_numbers",
    ),
    "training": _figure("rounds", "Rounds of training.", "stats report floor_report"),
    "settled": _figure(
        "rounds", "Rounds that were settled, when they first ended.", "stats report metrics=rounds{end=settled}"
    ),
    "cancelled": _figure(
        "rounds",
        "Rounds that were cancelled, when they first ended. A resettlement changes nothing here.",
        "stats report floor_report floor_rounds tables metrics=rounds{end=cancelled}",
    ),
    "manual": _figure(
        "rounds",
        "Settled rounds with a card that was entered or corrected by hand.",
        "stats report floor_rounds tables",
    ),
    "disputed": _figure(
        "rounds", "Results that the shoe reported after a round was settled and that differ from it.", "stats report"
    ),
    "resettled": _figure(
        "rounds",
        "Resettlements that were done, to rounds of any day.",
        "stats report metrics=resettlements floor_rounds=revision tables=revision",
    ),
    "stopped": _figure(
        "rounds",
        "Rounds that at least one fault stopped, where and when they were opened.",
        "floor_numbers",
        of="rounds",
    ),
    "void": _figure("rounds", "Cancelled rounds, where and when they were opened.", "floor_numbers=voids", of="rounds"),
    "open": _figure("time", "Time that the table was open, training left out.", "floor_numbers=hours"),
    "rate": _figure(
        "rate",
        "Rounds in an hour that the table was open; none below six minutes.",
        "report floor_report floor_numbers",
        of="open",
    ),
    # cards
    "cards": _figure(
        "cards",
        "Cards that left the shoe, read or entered by hand. A card that was carried over is counted once.",
        "stats report floor_rounds",
    ),
    "read": _figure(
        "cards",
        "Cards that the shoe's reader reported, also those that never left it.",
        "stats metrics=cards{source=reader} floor_numbers",
    ),
    "entered": _figure("cards", "Cards that were entered by hand.", "metrics=cards{source=manual}"),
    "unread": _figure(
        "cards", "Cards that the reader could not read.", "stats metrics=misreads{what=unread} floor_numbers", of="read"
    ),
    "corrected": _figure(
        "cards",
        "Cards that the reader read as another, by the rulings that stood when the round ended.",
        "stats metrics=misreads{what=corrected} floor_numbers",
        of="read",
    ),
    "misreads": _figure("cards", "Cards not read, or read as another.", "floor_rounds"),
    "misread_rate": _figure(
        "share",
        "Cards not read, or read as another, of all that the reader reported.",
        "stats report floor_numbers=misread",
        of="read",
    ),
    # faults and how they were ruled on
    "faults": _figure(
        "faults", "Faults that stopped play.", "stats report floor_report floor_numbers floor_rounds tables metrics"
    ),
    "paused": _figure(
        "durations",
        "Pauses that are over, from the fault that stopped play until it went on or the round was cancelled. "
        "Of one fault: until it was over. `/metrics` counts the pause that is on too.",
        "stats report floor_report metrics=paused_seconds",
    ),
    "acknowledged": _figure(
        "durations",
        "From a fault until a shift manager had seen it.",
        "stats floor_numbers report=seen metrics=fault_acknowledgement_seconds",
    ),
    "ruled": _figure(
        "durations", "From a fault until the ruling on it.", "stats report floor_numbers metrics=fault_ruling_seconds"
    ),
    "rulings": _figure("rulings", "Rulings of shift managers.", "stats metrics report tables"),
    "refused_rulings": _figure("rulings", "Rulings that were refused.", "stats metrics=refusals{what=ruling}"),
    # bets and money
    "bets": _figure("bets", "Bets that were accepted.", "metrics=bets{verdict=accepted}"),
    "bets_refused": _figure("bets", "Bets that were refused.", "metrics=bets{verdict=refused}"),
    "staked": _figure(
        "money",
        "Stakes that were taken: of bets, and of decisions that raise one.",
        "stats report floor_report floor_rounds tables",
    ),
    "withdrawn": _figure(
        "money", "Stakes that went back before their bet was settled.", "stats report floor_report floor_rounds tables"
    ),
    "settled_stakes": _figure(
        "money", "Stakes of the bets that a result settled, when it first did.", "metrics=staked_money"
    ),
    "pay_outs": _figure("bets", "Bets that got something back from a result.", "stats"),
    "paid_out": _figure(
        "money",
        "All that went back by results, stakes included, when the rounds were first settled.",
        "stats report floor_report tables floor_rounds=returned metrics=returned_money",
    ),
    "above_ceilings": _figure(
        "money",
        "Winnings that ceilings of payment left unpaid, when the rounds were first settled.",
        "stats tables metrics=above_ceilings_money",
    ),
    "refunds": _figure("bets", "Bets whose stake went back because their round was cancelled.", "stats"),
    "refunded": _figure(
        "money",
        "Stakes that went back because their round was cancelled.",
        "stats report floor_report floor_rounds tables",
    ),
    "adjusted": _figure(
        "money",
        "Differences of resettlements, counted when they were done: below zero, the house got money back.",
        "stats report floor_report floor_rounds tables",
    ),
    "given_later": _figure("money", "Differences above zero, when they were done.", "metrics=given_later_money"),
    "taken_back": _figure("money", "Differences below zero, when they were done.", "metrics=taken_back_money"),
    "revised": _figure(
        "money",
        "Differences of resettlements, counted when their rounds first ended: the day that the money belongs to.",
        "stats report floor_report",
    ),
    "kept": _figure(
        "money", "What the house keeps: staked less withdrawn, paid out, refunded and adjusted.", "floor_rounds"
    ),
    # devices
    "lost": _figure("times", "Losses of a device.", "stats report"),
    "away": _figure("durations", "From the loss of a device until it was found.", "stats report"),
}
FIGURES: Mapping[str, Figure] = {
    name: figure._replace(shown={place: said or name for place, said in figure.shown.items()})
    for name, figure in _DEFINED.items()
}
DURATIONS = tuple(name for name, figure in FIGURES.items() if figure.unit == "durations")
AMOUNTS = tuple(name for name, figure in FIGURES.items() if figure.unit == "money")
