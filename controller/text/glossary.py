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
COLUMNS: Mapping[str, str] = {"means": "What it means", "where": "Where it stands"}
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
    Term("round", "All from the opening of the bets until the result stands or the round is cancelled.", EVERYWHERE),
    Term("bet", "What a player puts on one market of a round.", EVERYWHERE),
    Term("stake", "The amount of a bet.", OFFICE),
    Term("market", "What can be bet on, such as BANKER or ante.", ("manager",)),
    Term("card due", "The card that the rules of the game want next, and where it belongs.", OFFICE),
    Term("draw", "A card's number in its round, in the order in which the cards left the shoe.", OFFICE),
    Term("place", "Where cards lie that count together, such as PLAYER or BOARD.", CONSOLES),
    Term("seat", "A player's place at a table that has some.", EVERYWHERE),
    Term("hand", "The cards of a place; a split makes a second one.", ("dealer", "manager", "overlay")),
    Term("shoe", "The device that holds the cards and reads each one that leaves it.", EVERYWHERE),
    Term("deck", "The cards that are shuffled and dealt together.", CONSOLES),
    Term("cut card", "The coloured card after which the shoe is changed at the end of the round.", CONSOLES),
    Term("burnt card", "A card that is out of play; the next one takes its turn.", ("dealer", "manager", "alert")),
    Term("face-down card", "A card whose value nobody is told before it is turned over.", CONSOLES),
    Term("redraw", "A further card where both sides are level.", ("dealer", "overlay")),
    Term("decision", "What a player chooses when asked, such as to hit or to stand.", ("dealer", "manager", "overlay")),
    Term("result", "What a round came to, by the cards that lie.", EVERYWHERE),
    Term("settled", "The result stands, and the bets are paid by it.", ("manager", "report")),
    Term("cancelled", "The round has no result; every bet of it is returned.", EVERYWHERE),
    Term("disputed", "The shoe told another result after the round was settled.", ("manager", "report")),
    Term("fault", "Something that is not as the rules want it; the round is paused until it is ruled on.", OFFICE),
    Term("paused", "A round waits for the ruling on a fault; bets and cards stay as they are.", EVERYWHERE),
    Term("halted", "The record cannot be written, and so nothing is taken or announced.", ("manager", "alert")),
    Term("ruling", "How the shift manager puts a fault right, with the reason.", OFFICE),
    Term("seen", "The shift manager has said: I am here.", CONSOLES),
    Term("overdue", "Nobody has ruled in the time that the table gives.", ("manager",)),
    Term("misread", "A card that the shoe did not read, or read as another.", ("manager", "report")),
    Term("entered by hand", "The shift manager said the card's value; players are told.", EVERYWHERE),
    Term("record", "All that has happened at the table, in its order; nothing in it is ever changed.", OFFICE),
    Term("training", "Rounds for practice, announced to no player and counted nowhere.", ("dealer", "report")),
    Term("shift manager", "Who rules on faults; never on a round that is the same person's to deal.", EVERYWHERE),
    Term(
        "supervisor",
        "Who looks after the tables that are assigned to them, and rules there, from the floor.",
        ("floor",),
    ),
    Term("alarm", "Something at a table that somebody should see to; it says what is to be done.", ("floor",)),
    Term("acknowledged", "Somebody has said of an alarm that they know of it.", ("floor",)),
    Term("shelved", "An alarm that somebody has put aside for a time, with a reason.", ("floor",)),
    Term("hand-over", "One shift manager gives the table to the next, both with name and PIN.", ("report",)),
    Term("panel", "The keys at the table.", CONSOLES),
    Term("beacon", "The lamp and the sounder that call the shift manager.", CONSOLES),
    Term("game server", "What brings the players and their bets to the table.", CONSOLES),
)
