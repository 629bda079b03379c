"""What tries a game or a codec that somebody else wrote: our own invariants, on theirs.

    from controller.testing import check_game, check_codec, check_panel, check_beacon, check_scanner, check_badge_reader

Each raises `Broken`: what was expected, the smallest script (or the bytes) that shows it, and what to change.
"""

from .badge import check_badge_reader
from .beacon import check_beacon
from .broken import Broken
from .codec import check_codec
from .game import check_game
from .panel import check_panel
from .scanner import check_scanner

__all__ = [
    "Broken", "check_badge_reader", "check_beacon", "check_codec", "check_game", "check_panel", "check_scanner",
]  # fmt: skip
