"""Terms of the glossary: one English word for each thing on screens, in reports and alerts, with its meaning.

The catalogue of each language translates these words.
"""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

Where = Literal["dealer", "manager", "overlay", "report", "alert", "floor"]


class Term(Struct, frozen=True):
    """Word of the glossary, its meaning in one sentence, and the places where it is used."""

    word: str
    means: str
    where: tuple[Where, ...]


TITLE = "The words of this table"
COLUMNS: Mapping[str, str] = {"means": "What it means", "where": "Where it is used"}
PLACES: Mapping[Where, str] = {
    "dealer": "dealer's screen",
    "manager": "shift manager's page",
    "overlay": "viewers' picture",
    "report": "shift report",
    "alert": "alerts",
    "floor": "floor's page",
}
CONSOLES: tuple[Where, ...] = ("dealer", "manager")
OFFICE: tuple[Where, ...] = ("manager", "report", "alert")
EVERYWHERE: tuple[Where, ...] = ("dealer", "manager", "overlay", "report", "alert")
TERMS: Sequence[Term] = (
    Term("round", "One game, from the opening of bets until it is settled or cancelled.", EVERYWHERE),
    Term("bet", "Money that a player stakes on one market of a round.", EVERYWHERE),
    Term("stake", "The amount of a bet.", OFFICE),
    Term("market", "Something that players can bet on, such as BANKER or ante.", ("manager",)),
    Term("card due", "The card that must be dealt next by the rules, and its place.", OFFICE),
    Term("draw", "A card's number in its round, in the order in which the cards left the shoe.", OFFICE),
    Term("place", "A position on the table for cards that count together, such as PLAYER or BOARD.", CONSOLES),
    Term("seat", "A player's position at the table, in games with seats.", EVERYWHERE),
    Term("hand", "The cards of a place; a split makes a second one.", ("dealer", "manager", "overlay")),
    Term("shoe", "The device that holds the cards and reads each one that leaves it.", EVERYWHERE),
    Term("deck", "The cards that are shuffled and dealt together.", CONSOLES),
    Term("cut card", "The coloured card after which the shoe is changed at the end of the round.", CONSOLES),
    Term(
        "burnt card", "A card taken out of play; the next card is dealt in its place.", ("dealer", "manager", "alert")
    ),
    Term("face-down card", "A card whose value stays hidden until it is turned over.", CONSOLES),
    Term("redraw", "A further card for each hand that ties.", ("dealer", "overlay")),
    Term("decision", "A player's choice when the table asks, such as hit or stand.", ("dealer", "manager", "overlay")),
    Term("result", "The outcome of a round by the cards on the table.", EVERYWHERE),
    Term("settled", "The result is confirmed, and the bets are paid by it.", ("manager", "report")),
    Term("cancelled", "The round has no result; every bet of it is returned.", EVERYWHERE),
    Term("disputed", "The shoe reported another result after the round was settled.", ("manager", "report")),
    Term("fault", "A card, key or device is not as the rules require; the round is paused until a ruling.", OFFICE),
    Term("paused", "A round waits for the ruling on a fault; bets and cards stay as they are.", EVERYWHERE),
    Term("halted", "The record cannot be written, so the table accepts and announces nothing.", ("manager", "alert")),
    Term("ruling", "The shift manager's decision about a fault, with its reason.", OFFICE),
    Term("seen", "The shift manager has touched I am here.", CONSOLES),
    Term("overdue", "Nobody has ruled within the table's time limit.", ("manager",)),
    Term("misread", "A card that the shoe did not read, or read as another card.", ("manager", "report")),
    Term("entered by hand", "The shift manager typed the card's value; players see that.", EVERYWHERE),
    Term("record", "All events at the table, in order; no entry is ever changed.", OFFICE),
    Term("training", "Practice rounds, which players do not see and no figure counts.", ("dealer", "report")),
    Term("shift manager", "A person who rules on faults, but never in a round that they deal or dealt.", EVERYWHERE),
    Term(
        "supervisor",
        "A person who watches the tables assigned to them and rules on their faults from the floor's page.",
        ("floor",),
    ),
    Term("alarm", "A problem at a table that needs a person; it says what to do.", ("floor",)),
    Term("acknowledged", "A person has confirmed that they have seen an alarm.", ("floor",)),
    Term("shelved", "An alarm that a person has hidden for a time, with a reason.", ("floor",)),
    Term("hand-over", "One shift manager passes the table to the next; both confirm with name and PIN.", ("report",)),
    Term("panel", "The keys at the table.", CONSOLES),
    Term("beacon", "The lamp and the sounder that call the shift manager.", CONSOLES),
    Term("game server", "The system that sends the players' bets and decisions to the table.", CONSOLES),
)
