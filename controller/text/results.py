"""Describe the result of a round in one sentence of its game, from the recorded outcome.

The result is never computed again.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from ..core.hands import face_up_cards, score, with_board
from ..core.state import Draw
from ..rules.face import HandName, Phrase, by_winner
from ..rules.game import Game
from .faults import Words
from .naming import phrase

Outcome = Mapping[str, Any]
Lying = Mapping[str, Sequence[Draw]]  # cards by place
NO_CARDS: Lying = MappingProxyType({})


def sentence(game: Game, outcome: Outcome, words: Words, lying: Lying = NO_CARDS) -> str:
    """Result in one sentence, `BANKER wins 7 : 4`; the winner alone if the sheet has no sentence.

    `lying`: cards of the round, if they are known: then hands are named with their ranks.
    """
    try:
        return phrase(with_ranks(game.face.result(outcome), game, lying), words)
    except Exception:  # noqa: BLE001 - anybody's sheet; no sentence of it keeps a card waiting
        return phrase(by_winner(outcome), words)


def ranked_hand(game: Game, lying: Lying, place: str) -> Phrase | None:
    """Name of the hand of a place with its ranks (aces and sevens); None if ranks are no part of the name."""
    return game.face.ranked(face_up_cards(with_board(lying, place)))


def with_ranks(result: Phrase, game: Game, lying: Lying) -> Phrase:
    """The same sentence, each hand in it with its ranks. A hand that these cards do not make keeps its name."""
    values = dict(result.values)
    for name, value in result.values.items():
        if isinstance(value, HandName) and game.face.hands.get(score(game, lying, value.place)) == value.called:
            values[name] = ranked_hand(game, lying, value.place) or value
    return Phrase(result.text, values)


def remarks(game: Game, outcome: Outcome, words: Words) -> tuple[str, ...]:
    """Further remarks on a result, such as a natural or pairs; none if the sheet fails."""
    try:
        return tuple(phrase(one, words) for one in game.face.remarks(outcome))
    except Exception:  # noqa: BLE001 - a sheet from a package may fail: then there are no remarks
        return ()


def mark(outcome: Outcome) -> str:
    """Winner as a word by which a page chooses a colour: a place, "dealer" or "none"."""
    dealer = outcome.get("dealer")
    if "winner" in outcome:
        return str(outcome["winner"] or "none")
    return "dealer" if isinstance(dealer, dict) else "none"
