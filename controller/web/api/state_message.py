"""Where a table stands, as it is told: what the API answers, and what the command line reads of it."""

from typing import Any

from msgspec import Struct

from ...rules.cards import Card


class Report(Struct, frozen=True):
    """What was reported during the pause: unless a ruling answers it before, it is a fault of its own."""

    seq: int
    got: str
    came: dict[str, Any]


class OpenFault(Struct, frozen=True):
    """What paused the round, and what may be ruled."""

    seq: int
    since: str | None
    code: str
    expected: str
    got: str
    due: dict[str, Any] | None
    came: dict[str, Any]
    rulings: tuple[str, ...]
    draw: int | None
    not_now: dict[str, str] = {}  # what cannot be ruled now, each with its reason
    waiting: tuple[Report, ...] = ()  # in this order


class LooseCard(Struct, frozen=True):
    """A card without a place, until a ruling gives it one."""

    draw: int
    card: Card | None
    place: str | None  # where it is said to lie


class Cards(Struct, frozen=True):
    """The shoe, as far as its past tells."""

    id: str
    left: int
    cut: bool
    shuffled: bool
    changing: bool


class Book(Struct, frozen=True):
    """The stakes in play, in minor units."""

    count: int
    total: int
    markets: dict[str, int]


class Rules(Struct, frozen=True):
    """The rules that run. `digest`: of the rule sheet, as every round records it; `posted`: of those players are shown,
    where the table was told: no round starts while they differ."""

    game: str
    version: str
    digest: str
    posted: str | None
    currency: str  # of all amounts: ISO 4217


class Standing(Struct, frozen=True):
    """One table, now. What is null is not known, not there, or not for this audience."""

    table: str
    seq: int  # of the last record in it: events after this one are not in it
    at: str
    halted: str | None  # why nothing can be recorded
    open: bool
    life: str
    round: int
    round_id: str | None
    currency: str  # of all amounts: ISO 4217
    game: str
    due: dict[str, Any] | None
    expected: str
    places: dict[str, tuple[Card | None, ...]]
    deadline: str | None
    left: float | None  # seconds of the open window, while paused
    outcome: dict[str, Any] | None
    manual: bool
    paused_from: str | None = None
    fault: OpenFault | None = None
    loose: tuple[LooseCard, ...] | None = None
    question: int | None = None  # that is asked now: the number of its record
    decided: dict[str, str] | None = None
    dealer: str | None = None
    shoe: Cards | None = None
    bets: Book | None = None
    lost: tuple[str, ...] | None = None
    gone: tuple[str, ...] | None = None
