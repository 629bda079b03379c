"""Test kit for authors of games and codecs, public as `controller.testing`.

    from controller.testing import check_game, check_codec, check_panel, check_beacon, check_scanner, check_badge_reader

Each raises `Broken`: what was expected, the smallest script (or the bytes) that shows it, and what to change. If you
have a second implementation of the rules, give it to `check_game` as the oracle: a function from a PlayedRound to a
Judgement.
"""

from .badge import check_badge_reader
from .beacon import check_beacon
from .broken import Broken
from .codec import check_codec
from .game import check_game
from .oracle import Judgement, PlayedRound
from .panel import check_panel
from .scanner import check_scanner
from .texts import MissingTexts

__all__ = [
    "Broken", "Judgement", "MissingTexts", "PlayedRound", "check_badge_reader", "check_beacon", "check_codec",
    "check_game", "check_panel", "check_scanner",
]  # fmt: skip
