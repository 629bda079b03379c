"""State of a table: a frozen value that holds everything known about it.

It holds nothing that could be derived. The step due follows from the round's script (`position`); another state comes
only from a record (`fold`). A default text that a checkpoint leaves out is a Literal or empty: msgspec compares
defaults by identity, and a checkpoint must have the same bytes whether its state was read or computed.
"""

from collections.abc import Collection, Iterator
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..rules.cards import Card
from ..rules.procedure import Participants, seat_of
from .book import NO_BETS, Bet, Book
from .causes import Report
from .clock import Time
from .events import Babbles, Check, NoAnchor
from .house import Terms
from .life import LIVE, Stage
from .mark import Mark
from .open_fault import Fault, QueuedReport
from .records import Resettled, Source
from .script import Entry, Laid, WindowAnswers
from .shoe import DeckPast, Shoe

Fate = Literal["placed", "burnt", "carried", "void", "loose"]


class Draw(Struct, frozen=True, omit_defaults=True):
    """Card out of the shoe. It has exactly one fate; `loose` occurs only while the round is paused."""

    number: int
    read: Card | None  # null: the reader could not read it
    ruled: Card | None = None  # value by a shift manager's ruling
    fate: Fate = "loose"
    place: str | None = None  # where it lies, as far as known
    hidden: bool = False  # face down, or on its way to be
    source: Source = "reader"
    told: Card | None = None  # value with which `dealt` was recorded; null: not dealt, or corrected since
    out: bool = True  # it left the shoe; False: a ruling says that there was no such card
    shown: bool = False  # its value was sent to somebody beside the shift manager, or somebody is said to have seen it
    said: str | None = None  # the place that a shoe names by its own count, while that count is not believed

    @property
    def card(self) -> Card | None:
        """Value of the card: as ruled, else as read; None if unknown."""
        return self.ruled or self.read

    @property
    def lies(self) -> bool:
        """True if the card lies on the table, with a place or without."""
        return self.fate in ("placed", "loose")

    @property
    def visible_card(self) -> Card | None:
        """Value of the card; None if it lies face down or is unknown."""
        return None if self.hidden else self.card


class DecisionWindow(Struct, frozen=True):
    """Decision window that is open, with the decisions so far."""

    who: tuple[str, ...]
    options: tuple[str, ...]
    default: str
    decided: dict[str, str] = {}
    seq: int = 0  # of the record `asked`
    void: tuple[str, ...] = ()  # void hands, which the rule sheet asks too

    @property
    def undecided(self) -> list[str]:
        """Players or hands whose decision is still to come."""
        return [who for who in self.who if who not in self.decided]


class RoundParticipants(Struct, frozen=True):
    """Players and seats that were in play when the first betting window closed."""

    players: tuple[str, ...] = ()  # in the order of their first bet
    seats: tuple[str, ...] = ()  # of a seated game, in the order of dealing


class Round(Struct, frozen=True, omit_defaults=True):
    """Round, live or ended. Number 0 is the time before the first round."""

    number: int = 0
    id: str = ""
    game: str = ""
    version: str = ""
    settings: dict[str, Any] = {}
    terms: Terms = Terms()
    dealer: str | None = None  # who dealt it
    odds: dict[str, str] = {}
    digest: str = ""  # of the rule sheet
    draws: tuple[Draw, ...] = ()
    script: tuple[Entry, ...] = ()  # what has answered the procedure so far, in order
    window: int = 1  # the betting window that is or was open last
    shut: int = 0  # the last betting window that was closed
    joined: RoundParticipants | None = None  # known once the first window has closed
    bets: Book = NO_BETS  # at the end of a round it is empty, and no part of a checkpoint
    taken: int = 0  # stakes taken so far: never lowered, so that no bet id is used twice
    asking: DecisionWindow | None = None
    silent: tuple[str, ...] = ()  # participants for whom the table decided in the last window
    outcome: dict[str, Any] | None = None
    faults: int = 0
    manual: bool = False
    dealer_id: str | None = None  # id of the dealer, if it is not the name
    void: tuple[str, ...] = ()  # hands whose stakes were returned by a ruling
    left_out: tuple[str, ...] = ()  # those of them that the rule sheet leaves out; none in older records
    extended: int = 0  # how often a shift manager asked for more time
    exposed: bool = False  # True: the warning of its exposure was recorded
    hurried: Time | None = None  # when NO MORE BETS was pressed once in the open window, before its time was up
    # These five are empty at the end of a round, and no part of a checkpoint:
    best_odds: dict[str, str] = {}  # highest odds of earlier windows, by market
    owed: Book = NO_BETS  # all bets of a settled round with ceilings of payment, until the last one is paid
    judged: tuple["Round", ...] = ()  # the round before each of its rulings
    stopped: int = 0  # rulings made before it was paused last
    returned: dict[str, int] = {}  # stakes that rulings have returned, by the ids of their bets

    def is_void(self, who: str) -> bool:
        """True if the hand of this player or seat is void; the second hand of a split goes with its seat."""
        return seat_of(who) in self.void

    @property
    def participants(self) -> Participants:
        """Participants, as the rule sheet gets them."""
        assert self.joined is not None  # noqa: S101 - nobody asks before the close
        return Participants(self.joined.players, self.joined.seats, self.left_out)

    @property
    def next_bet(self) -> str:
        """Id of the next bet that is taken."""
        return f"{self.id}.{self.taken + 1}"

    def with_bet(self, bet: Bet) -> "Round":
        """Copy of the round with one more bet in play."""
        return replace(self, bets=self.bets.copy_with(bet), taken=self.taken + 1)

    def draws_with(self, draw: Draw) -> tuple[Draw, ...]:
        """Draws with this one replaced, or appended if its number is new."""
        return (*self.draws[: draw.number - 1], draw, *self.draws[draw.number :])


def script_without(round_: Round, numbers: Collection[int]) -> tuple[Entry, ...]:
    """Script of the round without these draws.

    A decision that only a void hand made is removed with the card that followed it: no other card is dealt for it.
    """
    left: list[Entry] = []
    for entry in round_.script:
        if not isinstance(entry, Laid) or entry.draw not in numbers:
            left.append(entry)
            continue
        place, last = round_.draws[entry.draw - 1].place, left[-1] if left else None
        if (
            place is not None
            and isinstance(last, WindowAnswers)
            and {*last.decisions} == {place}
            and round_.is_void(place)
        ):
            left.pop()
    return tuple(left)


def draws_on(round_: Round, place: str) -> list[Draw]:
    """Draws placed on this place, in the order of their numbers."""
    return [draw for draw in round_.draws if draw.fate == "placed" and draw.place == place]


class RecordIdentity(Struct, frozen=True):
    """Identity of the record: fixed for an epoch, but for the studio's name."""

    epoch: str = ""
    family: str = ""  # family of games
    currency: str = ""
    rounds: int = 0  # number of rounds that the table had played before the record began
    studio: str = ""  # its latest name


class Loss(Struct, frozen=True):
    """Accepted loss of records: where an epoch ended and another began."""

    epoch: str  # epoch that ended there
    stands: int  # its last record that counts
    lost: Mark | None  # last remembered head of the lost records; None: nobody named one


class Anchor(Struct, frozen=True):
    """The file outside the record's disk that remembers its last record."""

    id: str  # also stored in the file
    apart: bool  # True: it is on another file system than the record


class Revision(Struct, frozen=True):
    """Latest revision of a round that was settled anew."""

    number: int  # from 1
    seq: int  # of its record
    ended: Time  # when the round was first settled or cancelled


class PendingResettlement(Struct, frozen=True, omit_defaults=True):
    """Resettlement whose later parts are not recorded yet. `what`: the last part, without its movements."""

    round: int
    round_id: str
    what: Resettled  # `rest`: what is still to be recorded
    shoe: str | None = None  # as in the records of all its parts
    dealer: str | None = None
    person: str | None = None
    training: bool = False


class Case(Struct, frozen=True, omit_defaults=True):
    """Open case: a report that came after its round was over. It stays until a person closes it."""

    seq: int  # of the record that opened it
    round: int
    came: Report
    since: Time
    dealer: str | None = None  # who dealt the round
    dealer_id: str | None = None


class State(Struct, frozen=True, omit_defaults=True):
    """Everything that is known about a table."""

    table: str = ""
    identity: RecordIdentity = RecordIdentity()
    game: str = ""  # game that the table is set to
    seq: int = 0
    at: Time = 0
    open: bool = False
    dealer: str | None = None
    life: Stage = "idle"
    shoe: Shoe = Shoe()
    round: Round = Round()
    fault: Fault | None = None
    waiting: tuple[QueuedReport, ...] = ()  # reports of this pause, in order
    paused_from: Stage = "idle"
    deadline: Time | None = None  # of the open betting or decision window
    left: Time | None = None  # of that window, while paused
    dealing_since: Time | None = None  # from when a card (or a reveal) is waited for, while dealing
    carried: Card | None = None  # card that opens the next round, if the shoe stays
    lost: tuple[str, ...] = ()  # devices
    cut_off: tuple[Babbles, ...] = ()  # devices that sent too much: the table is paused until each is taken back
    gone: tuple[str, ...] = ()  # players who are disconnected
    shoes: int = 0  # how many this table has had
    losses: tuple[Loss, ...] = ()  # accepted losses of records
    doubts: dict[Check, int] = {}  # number of the first damaged record, by the check that found it
    anchor: Anchor | None = None
    no_anchor: NoAnchor = ""
    unheard: int = 0  # first record that could not be compared with the bus; 0: the bus agrees with all
    decks: dict[str, DeckPast] = {}  # past of the decks used last, by their ids
    dealer_id: str | None = None  # id of the dealer, if it is not the name
    leaving: bool = False  # the dealer leaves after this round
    revisions: dict[int, Revision] = {}  # of rounds that were settled anew
    keeps_revisions: bool = (
        False  # True: `revisions` has all; older records drop those of rounds too old to settle anew
    )
    cases: tuple[Case, ...] = ()  # open ones, in the order in which they were opened
    resettling: PendingResettlement | None = None

    @property
    def tries_rare_hands(self) -> bool:
        """True if rare hands are tried too before a bet's return counts as known; part of how events are decided."""
        return self.keeps_revisions  # both came with the same way of deciding

    @property
    def stage(self) -> Stage:
        """Life of the round; in a pause, the life that was paused."""
        return self.paused_from if self.life == "paused" else self.life

    @property
    def live(self) -> bool:
        """True if a round is live, paused or not."""
        return self.stage in LIVE

    def terms(self, at_rest: Terms) -> Terms:
        """Terms of the live round, which are pinned; without one, the table's terms `at_rest`."""
        return self.round.terms if self.live else at_rest

    @property
    def is_void(self) -> bool:
        """True if the last round is void now, so that its cards have no value.

        It was cancelled, or made void when it was settled anew. A cancelled round that was settled by its cards counts.
        """
        if self.round.number in self.revisions:
            return self.round.outcome is None
        return self.stage == "cancelled"

    @property
    def owes(self) -> bool:
        """True if the last round is over and not all of its bets are paid or refunded yet."""
        return not self.live and bool(self.round.bets)

    @property
    def is_unfinished(self) -> bool:
        """True if bets of the last round are to be paid, or parts of a resettlement to be recorded."""
        return self.resettling is not None or self.owes

    @property
    def next_round(self) -> int:
        """Number of the round that is opened next."""
        return (self.round.number or self.identity.rounds) + 1

    @property
    def loose_draws(self) -> list[Draw]:
        """Draws without a place, in the order in which they came."""
        return [draw for draw in self.round.draws if draw.fate == "loose"]


def states_at_rulings(state: State) -> Iterator[State]:
    """States of the round at each of its rulings, then the present state."""
    for round_ in state.round.judged:
        was = State(identity=state.identity, life=state.stage, round=round_)
        yield replace(was, keeps_revisions=state.keeps_revisions)
    yield state
