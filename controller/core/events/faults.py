"""Events of a shift manager about a fault: acknowledgement and ruling."""

from typing import Literal

from ...rules.cards import Card
from .said import Act, Choice, Ruling


class Acknowledge(Act, frozen=True, tag="ack"):
    """A shift manager has seen the fault."""

    by: str
    fault: int | None = None


class Rule(Act, frozen=True, tag="rule"):
    """A shift manager's ruling on a fault (the one that is open, when not named)."""

    ruling: Ruling
    by: str
    because: str
    draw: int | None = None
    card: Card | None = None
    place: str | None = None
    fault: int | None = None
    checked: Literal["deck"] | None = None  # the manager's word, where it was suspect
    touched: Choice | None = None  # what becomes of the decisions and bets it affects; null: as the table does it
    seen: bool | None = None  # of a card to be carried: whether anybody saw it
    second: str | None = None  # another shift manager, who has shown who they are too
    second_id: str | None = None  # theirs, where somebody keeps a registry of persons; else the name is it
