"""Records of a round, from its opening to its end."""

from typing import Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, UnsetType

from ...rules.cards import Card
from ..causes import VoidReason
from ..codes import DecisionReason
from ..events import ShoeSays
from ..reached_limit import ReachedLimit
from .fact import Fact, OfRound

Source = Literal["reader", "manual", "carried"]  # of a card's value


class Opened(Fact, frozen=True, tag="opened"):
    """A round was opened. It is played under the game version, settings, terms and odds in this record."""

    opens_round: ClassVar[bool] = True

    game: str
    version: str
    settings: dict[str, Any]
    terms: dict[str, Any]  # terms of the table (`house.Terms`): who confirms, limits of time and of stakes, ceilings
    odds: dict[str, str]
    digest: str  # digest of the rule sheet
    by: str = "dealer"
    dealer_id: str | None = None
    round_id: str = ""  # a ULID, unique over all tables
    currency: str = ""  # of all amounts in the round: ISO 4217
    window: int | UnsetType = UNSET  # betting window that opens with the round: 1; older records have none
    deadline: str | UnsetType = UNSET  # end of that window: ISO 8601


class Dealt(OfRound, frozen=True, tag="dealt"):
    """A card was dealt to the place where it was due."""

    draw: int
    card: Card
    to: str
    face_up: bool
    source: Source = "reader"


class Drawn(OfRound, frozen=True, tag="drawn"):
    """A card was drawn that fits no step of the round. It has no place until a ruling gives it one."""

    draw: int
    card: Card | None  # null: not read
    at_place: str | None = None  # place that was reported for the card, if any
    hidden: bool = False  # True: its value is withheld from everybody but the auditor
    source: Source = "reader"
    said: str | None = None  # place named by the shoe while its own places do not count


class Asked(Fact, frozen=True, tag="asked", omit_defaults=True):
    """A decision window was opened.

    `default` is taken for each player who has not decided after `seconds`.
    """

    who: tuple[str, ...]
    options: tuple[str, ...]
    default: str
    seconds: int
    void: tuple[str, ...] = ()  # void hands: the default is taken for them


class Decided(Fact, frozen=True, tag="decided"):
    """A player decided, or the table decided for them.

    `stake`: the additional stake in minor units, if any.
    """

    who: str
    decision: str
    by: str  # player, table
    player: str | None = None
    market: str | None = None
    stake: int | None = None
    bet: str | None = None  # id of the additional stake
    currency: str | None = None


class DecisionRefused(Fact, frozen=True, tag="decision_refused"):
    """A decision was refused: too late, from the wrong player, or no question is open."""

    who: str
    decision: str
    reason: DecisionReason
    limit: ReachedLimit | UnsetType = UNSET  # limit that the stake would not keep, if this is the reason


class Rewound(OfRound, frozen=True, tag="rewound"):
    """A ruling changed the round: only its first `answers` answered steps still hold.

    Cards dealt after them lose their place, `decisions` are withdrawn, and the additional stakes of these decisions
    are returned.
    """

    answers: int
    decisions: dict[str, str]
    bets: int = 0  # number of stakes returned
    amount: int = 0  # their sum, in minor units
    currency: str = ""  # of the amounts: ISO 4217


class PlaceRevealed(Fact, frozen=True, tag="revealed"):
    """The face-down cards of a place were turned over."""

    place: str
    cards: tuple[Card, ...]


class Completed(Fact, frozen=True, tag="completed"):
    """The procedure is complete; the result waits for confirmation."""

    outcome: dict[str, Any]


class Settled(OfRound, frozen=True, tag="settled"):
    """The result of the round was confirmed, and the round is settled by this outcome.

    `by`: who confirmed it.
    """

    outcome: dict[str, Any]
    by: str
    manual: bool = False  # True: a card was entered or corrected by hand


class Cancelled(OfRound, frozen=True, tag="cancelled"):
    """The round was cancelled: it is void, and every stake is returned."""

    why: VoidReason
    bets: int = 0  # number of stakes returned
    amount: int = 0  # their sum, in minor units
    currency: str = ""  # of the amounts: ISO 4217


class Disputed(OfRound, frozen=True, tag="disputed"):
    """Difference between the settled result and the one that the shoe reported afterwards."""

    came: ShoeSays
    settled: str | None  # the winner


class Checkpoint(OfRound, frozen=True, tag="checkpoint"):
    """The state at the end of a round, as JSON: recovery starts here."""

    state: msgspec.Raw
