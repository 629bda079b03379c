"""Events of a shift manager about a fault: acknowledgement and ruling."""

from typing import Literal

from ...rules.cards import Card
from .base import Act, Choice, Ruling


class Acknowledge(Act, frozen=True, tag="ack"):
    """A shift manager has seen the fault."""

    by: str
    fault: int | None = None


class Rule(Act, frozen=True, tag="rule"):
    """A shift manager's ruling on a fault (by default the open one)."""

    ruling: Ruling
    by: str
    because: str
    draw: int | None = None
    card: Card | None = None
    place: str | None = None
    fault: int | None = None
    checked: Literal["deck"] | None = None  # the manager has checked the suspect deck
    touched: Choice | None = None  # what happens to affected decisions and bets; null: the table's default
    seen: bool | None = None  # for a card to be carried: True if anybody saw it
    second: str | None = None  # second shift manager, identified by PIN or badge too
    second_id: str | None = None  # their id, if there is a registry of persons; else the name is the id
