"""What a round came to, in one sentence of its game's.

It is read from the outcome as it is recorded, never worked out anew.
"""

from collections.abc import Mapping
from typing import Any

from ..rules.face import by_winner
from ..rules.game import Game
from .faults import Words
from .naming import phrase

Outcome = Mapping[str, Any]


def sentence(game: Game, outcome: Outcome, words: Words) -> str:
    """`BANKER wins 7 : 4`. Where the sheet has no sentence for it: who won."""
    try:
        return phrase(game.face.result(outcome), words)
    except Exception:  # noqa: BLE001 - anybody's sheet; no sentence of it keeps a card waiting
        return phrase(by_winner(outcome), words)


def remarks(game: Game, outcome: Outcome, words: Words) -> tuple[str, ...]:
    """What else is to be said: a natural, pairs."""
    try:
        return tuple(phrase(one, words) for one in game.face.remarks(outcome))
    except Exception:  # noqa: BLE001 - likewise
        return ()


def mark(outcome: Outcome) -> str:
    """Who won, as a word that a page can colour."""
    dealer = outcome.get("dealer")
    if "winner" in outcome:
        return str(outcome["winner"] or "none")
    return "dealer" if isinstance(dealer, dict) else "none"
