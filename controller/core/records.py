"""What the journal holds: one kind of record for each thing that can happen to a table.

A record is an envelope (seq, at, kind, table, and where there is one round, shoe, dealer) around what happened; how it
is written stands in `encoding`. The one rule: a record is all that is ever remembered; state is the fold of records.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

import msgspec
from msgspec import Struct

from ..rules.cards import Card
from .came import Came, Due, Report, Why
from .clock import Time
from .codes import (
    BetReason,
    DecisionReason,
    FaultCode,
    IgnoredReason,
    Life,
    RulingAsked,
    RulingCode,
    RulingReason,
    StartReason,
)
from .events import Check, Device, Event, Input, Proof, ShoeSays, SignInDoor
from .mark import Mark
from .touched import Choice, Touched

Source = Literal["reader", "manual", "carried"]  # of a card's value
AnsweredBy = Literal["ruling", "found", "cancel"]  # a ruling on another fault; the device is back; the round is void


GUESSED = 5  # wrong PINs, in a row or at a time, that nobody mistypes


class Fact(Struct, frozen=True, tag_field="kind"):
    """What happened. `of_round`: it belongs to the last round even when that has ended."""

    of_round: ClassVar[bool] = False
    opens_round: ClassVar[bool] = False


class OfRound(Fact, frozen=True):
    """What happened to a round, live or ended."""

    of_round: ClassVar[bool] = True


class Configured(Fact, frozen=True, tag="configured"):
    """What table this is, and under which rules it plays from here on. It is the first record of all."""

    epoch: str  # of this record, made by chance when it began
    family: str  # of games: none of another is recorded here
    currency: str  # ISO 4217
    rounds: int  # that the table had played before the record began
    studio: str
    game: str
    version: str
    settings: dict[str, Any]
    terms: dict[str, Any]
    tables: dict[str, Any]  # all that decides what a bet returns
    digest: str  # of the rule sheet
    program: str  # the version that runs
    posted: str | None = None  # the digest of the rules that players are shown, where the table was told


class LossAccepted(Fact, frozen=True, tag="loss_accepted"):
    """Some of the record is lost, or is not what it was, and somebody goes on with what stands. What comes from here on
    is of another epoch: nobody takes it for what was lost."""

    epoch: str  # the new one
    before: str  # the one that ends with the record before this
    lost: Mark | None  # the last that was remembered of what is lost; null: nobody said
    by: str
    because: str


class RecordDamaged(Fact, frozen=True, tag="record_damaged"):
    """What is on disk is not what was recorded. What runs goes on; no round opens."""

    check: Check
    first: int  # the record from which on it does not stand
    reason: str


class RecordSound(Fact, frozen=True, tag="record_sound"):
    """The same check finds nothing wrong any more."""

    check: Check


# ── table, dealer, shoe ──────────────────────────────────────────────────────────────────────────────────────────


class TableOpened(Fact, frozen=True, tag="table_opened"):
    """The table is open for play."""

    by: str


class TableClosed(Fact, frozen=True, tag="table_closed"):
    """The table is closed: no round starts."""

    by: str


class DealerChanged(Fact, frozen=True, tag="dealer_changed"):
    """Somebody else deals from here on; nobody, when null: the dealer has signed off."""

    to: str | None
    to_id: str | None = None
    before: str | None = None
    by: str | None = None  # who said so; null: the dealer, or the config


class DealerLeaving(Fact, frozen=True, tag="dealer_leaving"):
    """The dealer leaves after the round that is on."""

    by: str


class ShoeChange(Fact, frozen=True, tag="shoe_change"):
    """The shoe is being changed: cards are recorded and fault nothing."""

    by: str
    retired: str | None = None  # the shoe that is taken away
    reading: bool = False  # and what is left in it is read out


class ReadOut(Fact, frozen=True, tag="read_out"):
    """A card that was left in a shoe when it was taken away."""

    card: Card | None


class ShoeEnded(Fact, frozen=True, tag="shoe_ended"):
    """What became of the cards of a shoe that is taken away."""

    cards: int  # that it came with
    dealt: int
    burnt: int
    read_out: int  # of the rest
    left: int | None  # counted, not read; null: nobody counted
    missing: dict[Card, int]  # by the faces, where all of the rest was read
    surplus: dict[Card, int]
    unaccounted: int  # cards; below zero: more than it came with


class DeckSuspect(Fact, frozen=True, tag="deck_suspect"):
    """A deck or shoe cannot be whole: no round starts with it any more."""

    deck: str
    double: tuple[Card, ...] = ()  # of which more lay open than it holds
    missing: tuple[Card, ...] = ()  # that have not come for so long that it cannot be chance
    rounds: int = 0  # in which it was watched


class ShoeCut(Fact, frozen=True, tag="shoe_cut"):
    """The shuffled cards were cut."""

    by: str


class ShoeReady(Fact, frozen=True, tag="shoe_ready"):
    """A full shoe is in place."""

    by: str
    id: str
    cards: int
    counted: int | None = None  # null: nobody counted them
    receipt: str | None = None  # of the machine that did
    witness: str | None = None  # the second person who saw it done
    deck: str | None = None  # of a deck that is dealt anew every round: its id, new from here on


class Shuffled(Fact, frozen=True, tag="shuffled"):
    """A new or freshly shuffled deck, for a game that wants one every round."""

    by: str
    id: str
    deck: str | None = None  # whose cards were shuffled


class CutCard(Fact, frozen=True, tag="cut_card"):
    """The cut card came out: this round is played to its end, then the shoe is changed."""


class Disagreed(OfRound, frozen=True, tag="disagreed"):
    """A shoe that counts for itself, and that a ruling went past, says otherwise than the table."""

    about: Literal["place", "result"]
    theirs: str
    ours: str
    draw: int | None = None


class ShoeStoodBy(Fact, frozen=True, tag="shoe_stood_by"):
    """The shoe is between rounds again: its own places and results count again."""


# ── who came ─────────────────────────────────────────────────────────────────────────────────────────────────────


class SignedIn(Fact, frozen=True, tag="signed_in", omit_defaults=True):
    """Somebody has shown who they are: at a manager's page, to deal, or for the screen that is the dealer's."""

    by: str
    source: str  # an address, or unix:USER
    door: SignInDoor
    proof: Proof | None = None


class SignInsRefused(Fact, frozen=True, tag="sign_ins_refused"):
    """PINs that were wrong, or came too soon after wrong ones: all of a time, in one."""

    wrong: int
    delayed: int  # that were not even tried
    most: int  # the most of one source for one name
    delay: int  # seconds: the longest that somebody has to wait now
    people: tuple[str, ...] = ()  # some of those whose PIN it was not
    sources: tuple[str, ...] = ()  # some of them

    @property
    def is_guessing(self) -> bool:
        """Whether it is more than a person mistypes."""
        return max(self.wrong, self.most) >= GUESSED


class HandedOver(Fact, frozen=True, tag="handed_over"):
    """One shift manager has handed the table over to the next, and both have shown who they are."""

    by: str
    taker: str
    taker_id: str | None = None  # where somebody keeps a registry of persons
    shown: int = 0  # the last record in what both were shown of the shift
    fault: int | None = None  # that is open
    devices: tuple[str, ...] = ()  # that are not there
    note: str = ""


# ── the round ────────────────────────────────────────────────────────────────────────────────────────────────────


class Opened(Fact, frozen=True, tag="opened"):
    """A round begins. Everything it is played under is pinned here."""

    opens_round: ClassVar[bool] = True

    game: str
    version: str
    settings: dict[str, Any]
    terms: dict[str, Any]  # the table's: confirm, reveal, carry, limits in seconds
    odds: dict[str, str]
    digest: str  # of the rule sheet
    by: str = "dealer"
    dealer_id: str | None = None
    round_id: str = ""  # a ULID: of all rounds of all tables
    currency: str = ""  # of all amounts in the round: ISO 4217


class WindowOpened(Fact, frozen=True, tag="window_opened"):
    """A further betting window, within the round."""

    window: int
    odds: dict[str, str]


class BetAccepted(Fact, frozen=True, tag="bet_accepted"):
    """A stake is in."""

    bet: str  # ROUND_ID.N: N = 1, 2, ... in the order in which the round's stakes were taken, never given again
    player: str
    market: str  # with its seat, in a seated game
    stake: int
    odds: str | None = None
    currency: str = ""  # of the amounts: ISO 4217


class BetRefused(Fact, frozen=True, tag="bet_refused"):
    """A stake was not taken."""

    player: str
    market: str
    stake: int
    reason: BetReason
    currency: str = ""  # of the amounts: ISO 4217


class BetWithdrawn(Fact, frozen=True, tag="bet_withdrawn"):
    """A stake went back: before the close, or after a ruling that took away what it was staked on."""

    bet: str
    player: str
    market: str
    stake: int
    currency: str = ""  # of the amounts: ISO 4217


class BetRepriced(Fact, frozen=True, tag="bet_repriced"):
    """A bet was taken at odds that a card gave which was another: it stands at the lower of both."""

    bet: str
    player: str
    market: str
    stake: int
    was: str
    odds: str
    currency: str = ""  # of the amounts: ISO 4217


class PlayerGone(Fact, frozen=True, tag="player_gone"):
    """A player's line was cut."""

    player: str


class PlayerBack(Fact, frozen=True, tag="player_back"):
    """A player's line is there again."""

    player: str


class Closed(Fact, frozen=True, tag="closed"):
    """No more bets."""

    by: str  # dealer, server, clock
    window: int = 1
    players: tuple[str, ...] = ()  # who takes part, in the order of their first bet
    seats: tuple[str, ...] = ()


class Dealt(OfRound, frozen=True, tag="dealt"):
    """A card lies where it is due."""

    draw: int
    card: Card
    to: str
    face_up: bool
    source: Source = "reader"


class Drawn(OfRound, frozen=True, tag="drawn"):
    """A card that found no place. It is loose until a ruling."""

    draw: int
    card: Card | None  # null: not read
    at_place: str | None = None  # where it lies, as far as anybody said
    hidden: bool = False  # its value is withheld from everybody but the auditor
    source: Source = "reader"
    said: str | None = None  # where a shoe that is not believed says it lies


class Asked(Fact, frozen=True, tag="asked"):
    """A decision window is open."""

    who: tuple[str, ...]
    options: tuple[str, ...]
    default: str
    seconds: int


class Decided(Fact, frozen=True, tag="decided"):
    """Somebody decided, or the table did in their stead."""

    who: str
    decision: str
    by: str  # player, table
    player: str | None = None
    market: str | None = None
    stake: int | None = None
    bet: str | None = None  # the id of the stake that comes with it
    currency: str | None = None


class DecisionRefused(Fact, frozen=True, tag="decision_refused"):
    """A decision that came too late, from the wrong person, or for nothing."""

    who: str
    decision: str
    reason: DecisionReason


class Rewound(OfRound, frozen=True, tag="rewound"):
    """After a ruling only the first so many answers of the round still fit: the cards after them are loose again, the
    decisions withdrawn, and what was staked with them goes back."""

    answers: int
    decisions: dict[str, str]
    bets: int = 0  # how many stakes go back with them
    amount: int = 0  # their sum, in minor units
    currency: str = ""  # of the amounts: ISO 4217


class Revealed(Fact, frozen=True, tag="revealed"):
    """The face-down cards of a place were turned over."""

    place: str
    cards: tuple[Card, ...]


class Completed(Fact, frozen=True, tag="completed"):
    """The procedure has come to its end; the result waits to be confirmed."""

    outcome: dict[str, Any]


class Settled(OfRound, frozen=True, tag="settled"):
    """The result is confirmed."""

    outcome: dict[str, Any]
    by: str
    manual: bool = False  # a card was entered or corrected by hand


class Paid(OfRound, frozen=True, tag="paid"):
    """What one bet came to."""

    player: str
    market: str
    bet: str
    stake: int
    returned: int  # all that goes back, the stake included; 0 for a lost bet
    currency: str = ""  # of the amounts: ISO 4217


class Cancelled(OfRound, frozen=True, tag="cancelled"):
    """The round is void."""

    why: Why
    bets: int = 0  # how many stakes go back
    amount: int = 0  # their sum, in minor units
    currency: str = ""  # of the amounts: ISO 4217


class Refunded(OfRound, frozen=True, tag="refunded"):
    """One stake of a void round goes back."""

    player: str
    market: str
    bet: str
    stake: int
    currency: str = ""  # of the amounts: ISO 4217


class Disputed(OfRound, frozen=True, tag="disputed"):
    """A mistake found after settlement: the shoe's own result came then, and differs."""

    came: ShoeSays
    settled: str | None  # the winner


class Checkpoint(OfRound, frozen=True, tag="checkpoint"):
    """The state at the end of a round, as JSON: recovery starts here."""

    state: msgspec.Raw


# ── faults and rulings ───────────────────────────────────────────────────────────────────────────────────────────


class Faulted(OfRound, frozen=True, tag="faulted"):
    """The procedure was broken; the round is paused."""

    code: FaultCode
    due: Due
    came: Came
    rulings: tuple[RulingCode, ...]
    draw: int | None = None
    hidden: bool = False  # what came is withheld from everybody but the auditor
    report: int | None = None  # the record of it, where it came during the pause before
    not_now: dict[RulingCode, RulingReason] = {}  # allowed, but nothing could come of it now, and why
    suspect: bool = False  # more of a card lie open than the deck holds
    touched: Touched = Touched()
    currency: str = ""  # of the amounts: ISO 4217


class Reported(OfRound, frozen=True, tag="reported"):
    """Something is reported during a pause: it waits for the ruling that ends it."""

    came: Report
    draw: int | None = None  # that it is about


class ReportAnswered(OfRound, frozen=True, tag="report_answered"):
    """What was reported during a pause needs no ruling of its own any more."""

    report: int
    by: AnsweredBy


class Acknowledged(OfRound, frozen=True, tag="acknowledged"):
    """A shift manager has seen the fault."""

    fault: int
    by: str


class Escalated(OfRound, frozen=True, tag="escalated"):
    """A fault waits too long. `level`: who is called next; null: cancellation is offered now."""

    fault: int
    level: int | None


class Restarted(OfRound, frozen=True, tag="restarted"):
    """The program came back to a fault that is open: its limits run anew."""

    fault: int


class Ruled(OfRound, frozen=True, tag="ruled"):
    """What the shift manager decided, proven by driving the round again."""

    fault: int
    ruling: RulingCode
    by: str
    because: str
    before: dict[str, Any]
    after: dict[str, Any]
    hidden: bool = False
    checked: str | None = None  # what the manager has had checked: the deck, where it was suspect
    touched: Touched = Touched()
    choice: Choice | None = None  # what becomes of it; null: nothing was touched
    currency: str = ""  # of the amounts: ISO 4217


class RulingRefused(OfRound, frozen=True, tag="ruling_refused"):
    """A ruling that cannot be."""

    fault: int | None
    ruling: RulingAsked
    by: str
    reason: RulingReason


class Burnt(OfRound, frozen=True, tag="burnt"):
    """A card is out of play."""

    draw: int
    card: Card | None
    hidden: bool = False


class Carried(OfRound, frozen=True, tag="carried"):
    """A surplus card opens the next round."""

    draw: int
    card: Card
    hidden: bool = False


class Voided(OfRound, frozen=True, tag="voided"):
    """A draw that no longer counts: its round is void, or there was no such card: it was read twice, or never came."""

    draw: int
    card: Card | None
    hidden: bool = False


class Resumed(OfRound, frozen=True, tag="resumed"):
    """Play goes on in this state."""

    state: Life


# ── refusals and devices ─────────────────────────────────────────────────────────────────────────────────────────


class StartRefused(Fact, frozen=True, tag="start_refused"):
    """A round could not be opened."""

    reason: StartReason


class Ignored(Fact, frozen=True, tag="ignored"):
    """Something that nothing can come of: it fits no state, or for another reason. Nothing changed."""

    came: Event
    state: Life
    reason: IgnoredReason | None = None  # null: the state
    full: int | None = None  # cards that a full shoe holds, where one was counted and is not full


class DeviceLost(Fact, frozen=True, tag="device_lost"):
    """A device is gone."""

    device: str
    reason: str = ""


class DeviceCutOff(Fact, frozen=True, tag="device_cut_off"):
    """A device that said more than any that works is not heard any more."""

    device: Device
    heard: int  # telegrams
    seconds: int  # in which they came


class DeviceTakenBack(Fact, frozen=True, tag="device_taken_back"):
    """A device that was cut off is heard again."""

    device: str
    by: str


class ClockSet(Fact, frozen=True, tag="clock_set", rename={"from_": "from"}):
    """The PC's clock was set, and the table goes by it from here on: this record is dated by the new time."""

    from_: str  # the table's time until then
    to: str


class TelegramsMissing(Fact, frozen=True, tag="telegrams_missing"):
    """A gap in the shoe's own numbering: something it said was not heard."""

    device: str
    expected: str
    got: str


class DeviceFound(Fact, frozen=True, tag="device_found"):
    """A device is there again."""

    device: str
    address: str = ""
    serial: str = ""  # its own number, where it has one


What = (
    Configured | LossAccepted | RecordDamaged | RecordSound
    | TableOpened | TableClosed | DealerChanged | DealerLeaving | ShoeChange | ReadOut | ShoeEnded | ShoeCut | ShoeReady
    | Shuffled | DeckSuspect | CutCard | ShoeStoodBy
    | Opened | WindowOpened | BetAccepted | BetRefused | BetWithdrawn | BetRepriced | PlayerGone | PlayerBack | Closed
    | Dealt | Drawn | Asked | Decided | DecisionRefused | Rewound | Revealed
    | Completed | Disagreed | Settled | Paid | Cancelled | Refunded | Disputed | Checkpoint
    | Faulted | Reported | ReportAnswered | Acknowledged | Escalated | Restarted
    | Ruled | RulingRefused | Burnt | Carried | Voided | Resumed
    | SignedIn | SignInsRefused | HandedOver
    | StartRefused | Ignored | DeviceLost | DeviceFound | DeviceCutOff | DeviceTakenBack | TelegramsMissing | ClockSet
)  # fmt: skip


Refusal = BetRefused | DecisionRefused | RulingRefused | StartRefused | Ignored  # nothing came of an input

# rulings after which the shoe's own idea of the round is no longer ours
PAST_THE_SHOE = frozenset({"enter", "correct", "move", "burn", "void", "carry", "cancel"})


class Record(Struct, frozen=True, gc=False):
    """One entry of the journal."""

    seq: int  # from 1, without a gap
    at: Time
    table: str
    what: What
    round: int | None = None
    shoe: str | None = None
    dealer: str | None = None
    person: str | None = None  # the id of whoever `by` names
    training: bool = False  # of a round that is announced to nobody
    input: Input | None = None  # on the first record that it led to: what was decided on

    @property
    def kind(self) -> str:
        """What sort of record this is."""
        return kind_of(self.what)


def kind_of(what: Fact) -> str:
    """The kind under which this is recorded."""
    return str(what.__struct_config__.tag)


def found(records: Sequence[Record], device: str) -> bool:
    """Whether the device came (back) in one of these."""
    return any(isinstance(record.what, DeviceFound) and record.what.device == device for record in records)
