"""What is being decided about one event: the records so far, already applied on the side.

A draft touches nothing. It is thrown away, or its records are made durable and its state becomes live.
"""

from collections.abc import Collection

from ..rules.cards import Deck
from ..rules.procedure import Step
from .came import Came
from .clock import Time
from .copies import in_deck
from .deck_account import doubles
from .events import Event, Input
from .faults import due_of, rulings
from .fold import apply
from .house import House
from .life import LIVE
from .offers import hindrance
from .persons import id_of
from .position import Position
from .records import Difference, Faulted, Ignored, Record, What
from .state import Draw, Fault, State


class Draft:
    """Records for one event, and the state they lead to."""

    def __init__(self, house: House, position: Position, state: State, at: Time) -> None:
        self.house = house
        self.position = position
        self.state = state
        self.began = state
        self.at = at
        self.started = state.seq
        self.records: list[Record] = []
        self.given: Input | None = None  # what the next record follows from, the first that does
        self.actor: tuple[str | None, str | None] = (None, None)  # who acts: the name, and the id where it is another

    def aside(self) -> "Draft":
        """A second draft that begins here, to try something which may turn out not to be allowed."""
        trial = Draft(self.house, self.position, self.state, self.at)
        trial.given, trial.actor = self.given, self.actor
        return trial

    def adopt(self, trial: "Draft") -> None:
        """Take over what that second draft led to."""
        self.state, self.records = trial.state, [*self.records, *trial.records]
        self.given = trial.given

    def write(self, what: What) -> None:
        """One more record."""
        state = self.state
        record = Record(
            seq=state.seq + 1,
            at=self.at,
            table=self.house.table,
            what=what,
            round=self._round_of(what),
            shoe=state.shoe.id or None,
            dealer=state.dealer,
            person=self._person(getattr(what, "by", None)),
            training=self._is_training(what),
            input=self.given,
        )
        self.given = None
        self.state = apply(state, record)
        self.records.append(record)

    def _person(self, name: str | None) -> str | None:
        """The id of whom a record names."""
        actor, person = self.actor
        return person if person is not None and name == actor else id_of(name)

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
        """The step due now."""
        return self.position.due(self.state)

    def fault(
        self,
        code: str,
        came: Came,
        *,
        draw: int | None = None,
        hidden: bool = False,
        without: Collection[str] = (),
        report: int | None = None,
        touched: Difference = Difference(),  # noqa: B008 - it is frozen
    ) -> None:
        """The procedure is broken: pause. `without`: rulings that this moment does not allow; `report`: the record of
        what came during the pause before."""
        state, step = self.state, None if code == "replay_failed" else self.due
        allowed = rulings(state, code, carry=self._may_carry(draw), without=without)
        fault = Fault(0, code, due_of(state, step), came, allowed, draw)
        why = {ruling: reason for ruling in allowed if (reason := hindrance(state, step, fault, ruling))}
        can = tuple(ruling for ruling in allowed if ruling not in why)
        suspect = code != "replay_failed" and bool(doubles(state, self.deck))
        self.write(Faulted(code, fault.due, came, can, draw, hidden, report, why, suspect, touched, self.currency))

    def _may_carry(self, draw: int | None) -> bool:
        """Whether the table lets the card that came open the next round, and it is one that can lie there."""
        state = self.state
        allowed = state.round.terms.carry if state.live else self.house.may_carry
        return allowed and (draw is None or self._may_lie_open(state.round.draws[draw - 1]))

    def _may_lie_open(self, draw: Draw) -> bool:
        return not draw.hidden and in_deck(self.state, self.deck, draw)

    @property
    def deck(self) -> Deck:
        """The cards in play."""
        return self.position.deck(self.state.round) if self.state.live else self.house.deck

    def ignore(self, event: Event, reason: str | None = None, full: int | None = None) -> None:
        """Record that the event comes to nothing, and why where it fits the state; nothing else changes. `full`: the
        cards of a full shoe, where it was counted and is not."""
        self.write(Ignored(event, self.state.life, reason, full))

    @property
    def currency(self) -> str:
        """Of all amounts in the record."""
        return self.state.identity.currency

    @property
    def running(self) -> bool:
        """Whether a round is on its way and not paused."""
        return self.state.life in LIVE
