"""Draft of the decision on one event: its records so far, applied to a copy of the state.

A draft changes nothing by itself. It is thrown away, or its records are written to disk and its state becomes the
table's.
"""

from collections.abc import Collection, Iterable

from msgspec.structs import replace

from ..rules.cards import Card, Deck
from ..rules.procedure import Step
from .causes import Cause
from .clock import Time
from .copies import is_in_deck
from .deck_account import doubles, loaded_deck
from .events import Event, Input, WithdrawBet
from .faults import due_of, rulings
from .fold import apply, fold
from .house import House
from .life import LIVE
from .offers import hindrances
from .open_fault import Fault
from .persons import BEACON, id_of
from .position import Position
from .records import Faulted, Ignored, Paid, Record, Refunded, RoundDifference, Ruled, What
from .state import Draw, PendingResettlement, State


class Draft:
    """Records for one event, and the state that they lead to."""

    def __init__(self, house: House, position: Position, state: State, at: Time) -> None:
        self.house = house
        self.position = position
        self.state = state
        self.began = state  # the state before the event
        self.at = at
        self.started = state.seq  # the last record before the event
        self.records: list[Record] = []
        self.given: Input | None = None  # input of the next record; no record after that one has it
        self.actor: tuple[str | None, str | None] = (None, None)  # person who acts: name, and id if it is not the name
        self.pays_at_once = False  # whether a round that ends here is paid here, however large its book is
        self.is_reopened = False  # True: a past round driven again; play does not resume in it
        self.drives = True  # False: more corrections follow before the round is driven again

    def fork(self) -> "Draft":
        """New draft that begins at this one's state, to try a change that may be refused."""
        return self.at_state(self.state)

    def at_state(self, state: State) -> "Draft":
        """New draft that begins at another state of the same table."""
        trial = Draft(self.house, self.position, state, self.at)
        trial.given, trial.actor, trial.pays_at_once = self.given, self.actor, self.pays_at_once
        trial.is_reopened = self.is_reopened
        return trial

    def adopt(self, trial: "Draft") -> None:
        """Take over the records and state of a draft made by `fork`."""
        self.state, self.records = trial.state, [*self.records, *trial.records]
        self.given = trial.given

    def write(self, what: What) -> None:
        """Append one record and apply it to the state."""
        record = self._record(self.state.seq + 1, what)
        self.state = apply(self.state, record)
        self.records.append(record)

    def write_about(self, number: int | None, what: What, table: State | PendingResettlement | None = None) -> None:
        """Append one record about the round with this number, present or past; None: about no round.

        `table`: the table's state in that round.
        """
        match table:
            case PendingResettlement(shoe=shoe, dealer=dealer, training=training):
                about = {"shoe": shoe, "dealer": dealer, "training": training}
            case _:
                state = table or State()
                round_ = state.round
                about = {"shoe": state.shoe.id or None, "dealer": round_.dealer, "training": round_.terms.training}
        record = replace(self._record(self.state.seq + 1, what), round=number, **about)
        self.state = apply(self.state, record)
        self.records.append(record)

    def write_returns(self, returns: Iterable[Paid | Refunded]) -> None:
        """Append the payments or refunds of many bets and apply them in one pass."""
        records = [self._record(seq, what) for seq, what in enumerate(returns, self.state.seq + 1)]
        self.state = fold(self.state, records)
        self.records += records

    def _record(self, seq: int, what: What) -> Record:
        """Build a record with the envelope of the present state; the first one gets the input."""
        state, input_, self.given = self.state, self.given, None
        return Record(
            seq=seq,
            at=self.at,
            table=self.house.table,
            what=what,
            round=self._round_of(what),
            shoe=state.shoe.id or None,
            dealer=state.dealer,
            person=self._person(getattr(what, "by", None)),
            training=self._is_training(what),
            input=input_,
        )

    def _person(self, name: str | None) -> str | None:
        """Id of the person that a record names; None if nobody is named."""
        if name is None:
            return None
        actor, person = self.actor
        return person if person is not None and name == actor else self.id_of(name)

    def id_of(self, name: str | None) -> str | None:
        """Id for a name; None if it is no person's name. In older records the beacon counts as a person."""
        return name if name == BEACON and not self.house.knows_beacon else id_of(name)

    def _round_of(self, what: What) -> int | None:
        state = self.state
        if what.opens_round:
            return state.next_round
        return state.round.number or None if state.live or what.of_round else None

    def _is_training(self, what: What) -> bool:
        if what.opens_round:
            return self.house.terms.training
        return self.state.round.terms.training and (self.state.live or what.of_round)

    @property
    def due(self) -> Step | None:
        """Step of the procedure that is due now; None if nothing is."""
        return self.position.due(self.state)

    def fault(
        self,
        code: str,
        cause: Cause,
        *,
        draw: int | None = None,
        hidden: bool = False,
        without: Collection[str] = (),
        report: int | None = None,
        touched: RoundDifference = RoundDifference(),  # noqa: B008 - it is frozen
    ) -> None:
        """Record a fault and pause.

        `cause`: what came instead of the step due; `draw`: the draw it is about; `hidden`: withhold it from all but the
        auditor; `without`: rulings not allowed now; `report`: the record of the report, if it came during an earlier
        pause; `touched`: decisions that would be affected.
        """
        state, step = self.state, None if code == "replay_failed" else self.due
        allowed = rulings(state, code, carry=self._may_carry(draw), without=without)
        fault = Fault(0, code, due_of(state, step), cause, allowed, draw)
        why = hindrances(state, step, fault, after_slides=self.house.enters_after_slides)
        can = tuple(ruling for ruling in allowed if ruling not in why)
        suspect = code != "replay_failed" and bool(self.doubles)
        self.write(Faulted(code, fault.due, cause, can, draw, hidden, report, why, suspect, touched, self.currency))

    def _may_carry(self, draw: int | None) -> bool:
        """True if the card may open the next round: the table allows it and the card can lie open."""
        state = self.state
        allowed = state.round.terms.carry if state.live else self.house.may_carry
        return allowed and (draw is None or self._may_lie_open(state.round.draws[draw - 1]))

    def _may_lie_open(self, draw: Draw) -> bool:
        return not draw.hidden and is_in_deck(self.state, self.deck, draw)

    @property
    def waiting_card(self) -> Card | None:
        """Carried card that no round has dealt; None also in older records, which did not count it."""
        return self.state.carried if self.house.counts_waiting_cards else None

    @property
    def doubles(self) -> tuple[Card, ...]:
        """Cards with more open copies than the decks in play have, sorted."""
        return doubles(self.state, self.deck, self.waiting_card)

    @property
    def deck(self) -> Deck:
        """Deck of the live round; at rest, the deck of the shoe."""
        return self.position.deck(self.state.round) if self.state.live else self.shoe_deck

    @property
    def shoe_deck(self) -> Deck:
        """Deck that the shoe was loaded with; the house's own without a shoe and in older records."""
        house, shoe = self.house, self.state.shoe
        return loaded_deck(shoe, house, self.position.games) if house.judges_own_decks else house.deck

    def ignore(self, event: Event, reason: str | None = None, full: int | None = None) -> None:
        """Record that the event has no effect, with a reason code if it is not just the wrong state.

        `full`: number of cards in a full shoe, if it was counted and is not full.
        """
        came = replace(event, via="") if isinstance(event, WithdrawBet) else event  # who sent it is the studio's own
        self.write(Ignored(came, self.state.life, reason, full))

    @property
    def ruling(self) -> int | None:
        """Number of the ruling among the records so far; None if there is none."""
        return next((record.seq for record in self.records if isinstance(record.what, Ruled)), None)

    @property
    def currency(self) -> str:
        """Currency of all amounts in the record (ISO 4217)."""
        return self.state.identity.currency

    @property
    def is_running(self) -> bool:
        """True if a round is live and not paused."""
        return self.state.life in LIVE
