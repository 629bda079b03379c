"""Driver of procedures: check an answer, then send it; drive again; look ahead; walk paths.

The list of answers is the state, the generator only computes what is due next. An answer is checked
before it is sent, so a wrong one never reaches the rule sheet; a generator that an exception has ended is thrown away.
"""

import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import NoneType
from typing import Any, TypeVar

from msgspec import Struct

from .cards import Card
from .game import Prize
from .procedure import Ask, Bets, Deal, Outcome, Procedure, Reveal, Step

_R = TypeVar("_R")


class CardTo(Struct, frozen=True):
    """Answer to a `Deal` step: the card that came, and its place."""

    card: Card
    place: str

    def fits(self, due: Step | None) -> bool:
        """True if this answers the step."""
        return isinstance(due, Deal) and due.to == self.place

    @property
    def value(self) -> Card:
        """Value to send to the procedure: the card."""
        return self.card


class Decisions(Struct, frozen=True):
    """Answer to an `Ask` step: the decision of each participant who was asked."""

    by: Mapping[str, str]  # decision by player or seat

    def fits(self, due: Step | None) -> bool:
        """True if this answers the step."""
        if not isinstance(due, Ask) or set(self.by) != set(due.who):
            return False
        return all(option in due.options for option in self.by.values())

    @property
    def value(self) -> Mapping[str, str]:
        """Value to send to the procedure: the decisions."""
        return self.by


class Revealed(Struct, frozen=True):
    """Answer to a `Reveal` step: the cards of the place were turned over."""

    place: str

    def fits(self, due: Step | None) -> bool:
        """True if this answers the step."""
        return isinstance(due, Reveal) and due.place == self.place

    @property
    def value(self) -> None:
        """Value to send to the procedure: None."""


class BetsClosed(Struct, frozen=True):
    """Answer to a `Bets` step: the further betting window has closed."""

    window: int

    def fits(self, due: Step | None) -> bool:
        """True if this answers the step."""
        return isinstance(due, Bets) and due.window == self.window

    @property
    def value(self) -> None:
        """Value to send to the procedure: None."""


Answer = CardTo | Decisions | Revealed | BetsClosed


class OutOfOrder(Exception):
    """An answer that does not fit the step due. The procedure never saw it."""

    def __init__(self, due: Step | None, answer: Answer) -> None:
        super().__init__(f"{answer} does not answer {due}")
        self.due = due
        self.answer = answer


class SheetFailed(Exception):
    """Error in a rule sheet's code; the text names the exception's type, file and line.

    The exception's own text is left out, because it may name a hidden card.
    """

    @classmethod
    def at(cls, error: Exception) -> "SheetFailed":
        """Make the error for an exception that the sheet's code raised."""
        last = traceback.extract_tb(error.__traceback__)[-1]
        return cls(f"{type(error).__name__} in {last.filename.rpartition('/')[2]}, line {last.lineno}")


class RuleSheetCall:
    """Context manager around calls of a rule sheet: turns any exception into SheetFailed.

    It is a class, because a settlement enters it once for each bet, and a generator takes five times as long.
    """

    def __enter__(self) -> None:
        """Enter the context; nothing is held."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Turn an exception of the sheet's call into SheetFailed."""
        if isinstance(error, Exception) and not isinstance(error, SheetFailed):
            raise SheetFailed.at(error) from None


def check_return(won: _R) -> _R:
    """Check that what `pay` returned is exact and not below 0. Raises TypeError."""
    amount = won.amount if isinstance(won, Prize) else won.numerator if isinstance(won, (int, Fraction)) else None
    if isinstance(amount, int) and amount >= 0:
        return won
    raise TypeError(f"pay must return a Fraction from 0 on or a Prize, not {won!r}")


def is_sound(due: object) -> bool:
    """True if a procedure yielded a step that a table can carry out and record."""
    if isinstance(due, Deal):
        return isinstance(due.to, str) and isinstance(due.face_up, bool)
    if isinstance(due, Ask):
        return is_sound_question(due)
    if isinstance(due, Reveal):
        return isinstance(due.place, str)
    return isinstance(due, Bets) and isinstance(due.window, int) and due.window > 1


def is_sound_question(due: Ask) -> bool:
    """True if a question asks somebody, each once, and its default is one of its options."""
    if not (isinstance(due.who, (tuple, list)) and isinstance(due.options, (tuple, list))):
        return False
    if not all(isinstance(name, str) for name in (*due.who, *due.options)):
        return False
    if not isinstance(due.seconds, (int, NoneType)):
        return False
    return 0 < len({*due.who}) == len(due.who) and due.default in due.options


class Dealing:
    """Running procedure. `due`: the step expected next; None at the end, when `outcome` is set."""

    __slots__ = ("_procedure", "due", "outcome")

    def __init__(self, procedure: Procedure) -> None:
        self._procedure = procedure
        self.due: Step | None = None
        self.outcome: Outcome | None = None
        self._send(None)

    def answer(self, answer: Answer) -> None:
        """Answer the step due. Raises OutOfOrder, with nothing changed, if the answer does not fit."""
        if not answer.fits(self.due):
            raise OutOfOrder(self.due, answer)
        self._send(answer.value)

    def _send(self, value: object) -> None:
        try:
            self._advance(value)
        except Exception as error:  # noqa: BLE001 - anybody's code
            raise SheetFailed.at(error) from None

    def _advance(self, value: object) -> None:
        try:
            self.due = self._procedure.send(value)
        except StopIteration as end:
            self.due, self.outcome = None, end.value
        if not is_sound(self.due) and not isinstance(self.outcome, Outcome):
            raise TypeError(f"a procedure must yield steps and return an outcome, not {self.due or self.outcome!r}")


def drive(procedure: Procedure, answers: Iterable[Answer]) -> Dealing:
    """Drive a procedure through these answers. Raises OutOfOrder at the first that does not fit."""
    dealing = Dealing(procedure)
    for answer in answers:
        dealing.answer(answer)
    return dealing


def look_ahead(
    start: Callable[[], Procedure], answers: Sequence[Answer], cards: Iterable[Card]
) -> dict[Card, Step | Outcome | None]:
    """Next step or outcome for each of these cards if it came next; empty if no card is due."""
    due = drive(start(), answers).due
    if not isinstance(due, Deal):
        return {}
    ahead = {}
    for card in cards:
        then = drive(start(), [*answers, CardTo(card, due.to)])
        ahead[card] = then.due or then.outcome
    return ahead


def walk(
    start: Callable[[], Procedure], choices: Callable[[Step], Iterable[Any]]
) -> Iterator[tuple[tuple[Answer, ...], Outcome]]:
    """Yield every possible path and its outcome. `choices`: cards or decisions that may answer a step."""
    open_paths: list[tuple[Answer, ...]] = [()]
    while open_paths:
        path = open_paths.pop()
        dealing = drive(start(), path)
        if dealing.due is None:
            assert dealing.outcome is not None  # noqa: S101 - `_advance` has checked it
            yield path, dealing.outcome
        else:
            due = dealing.due
            open_paths.extend((*path, as_answer(due, choice)) for choice in choices(due))


def as_answer(due: Step, choice: Any) -> Answer:  # noqa: ANN401 - a card, or decisions, as the step wants
    """Make the answer to a step from `choice`: a card, a mapping of decisions, or None."""
    match due:
        case Deal(to=place):
            return CardTo(choice, place)
        case Ask():
            return Decisions(choice)
        case Reveal(place=place):
            return Revealed(place)
        case Bets(window=window):
            return BetsClosed(window)
