"""Position of a round: the step due next, found by driving its procedure through its script.

Only a cache is kept here. A generator cannot be copied or stored, so a script that does not continue the one driven
last is driven again from the start.
"""

from collections import deque
from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from ..rules.cards import Card, Deck
from ..rules.dealing import Answer, BetsClosed, CardTo, Dealing, Decisions, Revealed, SheetFailed
from ..rules.game import Game
from ..rules.procedure import Ask, Bets, Outcome, Settings, Step
from .causes import Undriven
from .events import Resettle
from .notation import cause_text
from .returns import OwedReturns, Returned, compute_returns_in_pieces
from .script import Entry, Laid, PlaceShown, WindowAnswers, WindowClosed
from .sheet import digest
from .state import Draw, Round, State


class Unplayable(Exception):
    """A recorded round cannot be driven by this version of the rule sheets."""

    def __init__(self, round_: Undriven) -> None:
        super().__init__(cause_text(round_))
        self.round = round_


class RecentAnswers:
    """Cache of the latest answers, for questions that cannot be hashed."""

    MOST = 6  # for one ruling: before it, without it and after it, also with other cards in place of hidden ones

    def __init__(self) -> None:
        self._answers: deque[tuple[object, Mapping[str, int | None]]] = deque(maxlen=self.MOST)

    def get(self, question: object) -> Mapping[str, int | None] | None:
        """Answer to this question; None if it was not asked lately."""
        return next((answer for key, answer in self._answers if key == question), None)

    def keep(self, question: object, answer: Mapping[str, int | None]) -> Mapping[str, int | None]:
        """Keep an answer, which must not be changed any more, and return it."""
        self._answers.append((question, answer))
        return answer


class Position:
    """Finds the step due. One object for each table; its answers depend on the state alone."""

    def __init__(self, games: Mapping[str, Game]) -> None:
        self.games = games
        self._round = Round()  # the one that was driven last
        self._dealing: Dealing | None = None  # as far as it went
        self._passed = False  # whether it went beyond the script, over void hands
        self._due: tuple[State | None, Step | None] = None, None  # the state that was asked about last, and its step
        self._deck: tuple[Round, Deck] | None = None  # the cards of a round under the same settings
        self._prepared: tuple[Resettle, object] | None = None
        self._returns: OwedReturns | None = None  # of a round that is being paid
        self.known_returns = RecentAnswers()  # returns of a round, see `known_returns`

    def prepare(self, event: Resettle, result: object) -> None:
        """Keep the result of a resettlement that was worked out beforehand, off the table's loop."""
        self._prepared = event, result

    def take_prepared(self, event: Resettle) -> object:
        """Result that was worked out beforehand for this event, given once; None if there is none."""
        (key, result), self._prepared = self._prepared or (None, None), None
        return result if key == event else None

    def due(self, state: State) -> Step | None:
        """Step that is due; None if no round is live or the procedure has ended. Raises Unplayable."""
        key, step = self._due
        if state is not key:
            step = self._step(state)
            self._due = state, step
        return step

    def _step(self, state: State) -> Step | None:
        if not state.live or (state.fault and state.fault.code == "replay_failed"):
            return None
        return Bets(1) if state.round.joined is None else without_void(state.round, self.dealing(state.round).due)

    def outcome(self, state: State) -> Outcome | None:
        """Outcome of the round; None while a step is due. Raises Unplayable."""
        undriven = state.fault is not None and state.fault.code == "replay_failed"
        return None if undriven or state.round.joined is None else self.dealing(state.round).outcome

    def returns_of_owed(self, state: State) -> Mapping[str, Returned]:
        """Return of each bet of a settled round, computed once for all slices. Raises SheetFailed."""
        owed, self._returns = self._owed_returns(state), None  # if the rule sheet fails, the next call begins anew
        returns = owed.all_returns
        self._returns = owed
        return returns

    def work_on_owed(self, state: State) -> bool:
        """Compute a piece of the returns under ceilings; False if nothing is left. Raises SheetFailed."""
        if not state.round.owed:
            return False
        owed, self._returns = self._owed_returns(state), None
        more = owed.go_on()
        self._returns = owed
        return more

    def _owed_returns(self, state: State) -> OwedReturns:
        round_, outcome = state.round, self.outcome(state)
        assert outcome is not None  # noqa: S101 - only a complete round is paid
        if self._returns is None or not self._returns.is_of(round_.owed, outcome):
            bets, currency = round_.owed.values(), state.identity.currency
            computation = compute_returns_in_pieces(self.game(round_), round_, outcome, bets, currency)
            self._returns = OwedReturns(round_.owed, outcome, computation)
        return self._returns

    def dealing(self, round_: Round) -> Dealing:
        """Procedure of the round, driven to its present step. Raises Unplayable."""
        driven = self._dealing
        if driven is not None and round_ is self._round:
            return driven
        count = len(self._round.script)
        if driven is None or not self._continues(round_):
            driven, count = self.start(round_), 0
        self._dealing = None  # a generator that an exception has ended must not be asked again
        try:
            for entry in round_.script[count:]:
                self.take(driven, round_, entry)
            self._passed = pass_over_void(round_, driven)
        except SheetFailed as error:
            raise Unplayable(failed_round(round_, error)) from None
        except Exception:  # noqa: BLE001 - whatever an old record makes a rule sheet raise, the round cannot be driven
            # The error could name a card that lies face down: it is neither shown nor chained.
            raise Unplayable(_undriven_cause(round_, "steps")) from None
        self._dealing, self._round = driven, round_
        return driven

    def _continues(self, round_: Round) -> bool:
        """True if the round only continues the last driven one, without corrections, moves or removed cards."""
        last = self._round
        return not self._passed and (
            (round_.number, round_.game, round_.joined, round_.settings, round_.void)
            == (last.number, last.game, last.joined, last.settings, last.void)
            and round_.script[: len(last.script)] == last.script
            and round_.draws[: len(last.draws)] == last.draws
        )

    def drive_copy(self, round_: Round) -> Dealing:
        """New dealing, driven to the same point; driving it further does not affect the cached one."""
        dealing = self.start(round_)
        for entry in round_.script:
            self.take(dealing, round_, entry)
        pass_over_void(round_, dealing)
        return dealing

    def take(self, dealing: Dealing, round_: Round, entry: Entry) -> None:
        """Answer the dealing's step with an entry of the script. Raises OutOfOrder."""
        answer = self.answer(round_, entry)
        pass_over_void(round_, dealing, answer)
        dealing.answer(answer)

    def start(self, round_: Round) -> Dealing:
        """The round's procedure at its first step. Raises Unplayable."""
        game = self.game(round_)
        return Dealing(game.procedure(self.settings(round_), round_.participants))

    def answer(self, round_: Round, entry: Entry) -> Answer:
        """Answer for the procedure from an entry of the script."""
        match entry:
            case Laid(draw=number):
                draw = round_.draws[number - 1]
                return CardTo(self._card_for_sheet(round_, draw), draw.place or "")
            case WindowAnswers(decisions=decisions):
                return Decisions(decisions)
            case PlaceShown(place=place):
                return Revealed(place)
            case WindowClosed(window=window):
                return BetsClosed(window)

    def _card_for_sheet(self, round_: Round, draw: Draw) -> Card:
        """Card of a draw; for a hidden foreign card, a card of the deck instead.

        A foreign card is a fault when it is turned over. Until then the rule sheet can only compute with cards of its
        own.
        """
        card = draw.card or ""
        if not draw.hidden:
            return card
        cards = self.deck(round_).cards
        return card if card in cards else cards[0]

    def game(self, round_: Round) -> Game:
        """The rule sheet that the round was opened under. Raises Unplayable if it is not this version."""
        game = self.games.get(round_.game)
        if game is None or game.version != round_.version:
            raise Unplayable(_undriven_cause(round_, "version", here=game.version if game else None))
        if digest(game) != round_.digest:
            raise Unplayable(_undriven_cause(round_, "digest", here=digest(game)))
        return game

    def settings(self, round_: Round) -> Settings:
        """The game settings pinned in the round. Raises Unplayable for one that this version does not know."""
        try:
            return msgspec.convert(round_.settings, self.game(round_).settings)
        except msgspec.ValidationError as error:
            raise Unplayable(_undriven_cause(round_, "settings", setting=str(error))) from None

    def deck(self, round_: Round) -> Deck:
        """Deck of the round, by its pinned settings. Raises Unplayable."""
        if self._deck is not None:
            key, deck = self._deck
            if (key.settings is round_.settings) and (key.game, key.version) == (round_.game, round_.version):
                return deck
        deck = self.game(round_).deck(self.settings(round_))
        self._deck = round_, deck
        return deck


def pass_over_void(round_: Round, dealing: Dealing, until: Answer | None = None) -> bool:
    """Take the default wherever only void hands are asked, up to where `until` fits.

    Returns True if any was taken.
    """
    passed = False
    while round_.void and isinstance(due := dealing.due, Ask) and all(map(round_.is_void, due.who)):
        if until is not None and until.fits(due):
            break
        dealing.answer(Decisions(dict.fromkeys(due.who, due.default)))
        passed = True
    return passed


def without_void(round_: Round, due: Step | None) -> Step | None:
    """Step that is due, without the void hands among those it asks."""
    if not round_.void or not isinstance(due, Ask):
        return due
    return replace(due, who=tuple(who for who in due.who if not round_.is_void(who)))


def failed_round(round_: Round, error: SheetFailed) -> Undriven:
    """Cause for Unplayable: the round cannot go on because its rule sheet failed."""
    return _undriven_cause(round_, "failed", setting=str(error))


_Why = Literal["version", "digest", "settings", "steps", "failed"]


def _undriven_cause(round_: Round, why: _Why, *, here: str | None = None, setting: str = "") -> Undriven:
    return Undriven(round_.number, why, round_.game, round_.version, here, setting)
