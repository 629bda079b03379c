"""Describe the result of a round in one sentence of its game, from the recorded outcome.

The result is never computed again.
"""

from collections.abc import Mapping
from typing import Any

from ..rules.face import by_winner
from ..rules.game import Game
from .faults import Words
from .naming import phrase

Outcome = Mapping[str, Any]


def sentence(game: Game, outcome: Outcome, words: Words) -> str:
    """Result in one sentence, `BANKER wins 7 : 4`; the winner alone if the sheet has no sentence."""
    try:
        return phrase(game.face.result(outcome), words)
    except Exception:  # noqa: BLE001 - anybody's sheet; no sentence of it keeps a card waiting
        return phrase(by_winner(outcome), words)


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
