"""What tries a game or a codec that somebody else wrote: our own invariants, on theirs.

    from controller.testing import check_game, check_codec

Each raises `Broken`: what was expected, the smallest script (or the bytes) that shows it, and what to change.
"""

from .broken import Broken
from .codec import check_codec
from .game import check_game

__all__ = ["Broken", "check_codec", "check_game"]
