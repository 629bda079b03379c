"""Driving of a round many times with other cards for some draws; the other answers are built once."""

from collections.abc import Mapping

from ..rules.cards import Card
from ..rules.dealing import CardTo, Dealing
from .position import Position, pass_over_void
from .script import Laid
from .state import Round


class OtherCards:
    """Driver of a round to the step due, with other cards for some draws. Raises Unplayable."""

    def __init__(self, position: Position, round_: Round) -> None:
        self._round, self._game, self._settings = round_, position.game(round_), position.settings(round_)
        self._answers = [position.answer(round_, entry) for entry in round_.script]
        self._laid = [(index, entry.draw) for index, entry in enumerate(round_.script) if isinstance(entry, Laid)]

    def drive(self, cards: Mapping[int, Card]) -> Dealing:
        """New dealing with these cards, by the number of their draw. Raises OutOfOrder if a card does not fit."""
        round_, answers = self._round, [*self._answers]
        for index, number in self._laid if cards else ():
            if number in cards:
                answers[index] = CardTo(cards[number], round_.draws[number - 1].place or "")
        dealing = Dealing(self._game.procedure(self._settings, round_.participants))
        for answer in answers:
            pass_over_void(round_, dealing, answer)
            dealing.answer(answer)
        pass_over_void(round_, dealing)
        return dealing
