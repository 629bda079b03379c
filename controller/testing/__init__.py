"""Checks that other authors' games and codecs keep the invariants of the built-in ones.

    from controller.testing import check_game, check_codec, check_panel, check_beacon, check_scanner, check_badge_reader

Each raises `Broken`: what was expected, the smallest script (or the bytes) that shows it, and what to change. If you
have a second implementation of the rules, give it to `check_game` as the oracle: a function from a PlayedRound to a
Judgement.
"""

from ..lab.testing import (
    Broken,
    Judgement,
    MissingTexts,
    PlayedRound,
    check_badge_reader,
    check_beacon,
    check_codec,
    check_game,
    check_panel,
    check_scanner,
)

__all__ = [
    "Broken", "Judgement", "MissingTexts", "PlayedRound", "check_badge_reader", "check_beacon", "check_codec",
    "check_game", "check_panel", "check_scanner",
]  # fmt: skip
