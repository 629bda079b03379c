"""Picture and lines of the demo at several steps of a round, compared with stored output."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.scenes import BETS, DEALT, DECIDING, TO_THE_END
from tests.kept_files import is_kept
from tests.lab.demo.test_screen import ShownScript

HERE = Path(__file__).parent / "kept"


def steps(game: str) -> dict[str, str]:
    """Return the scripts that lead a game to each step."""
    betting = f"shuffled; open; {BETS[game]}"
    dealt = f"{betting}; close; {DEALT[game]}"
    found = {"betting": betting, "dealt": dealt, "stopped": f"{dealt}; press manager"}
    if game in DECIDING:
        found["deciding"] = dealt + DECIDING[game]
    over = f"{dealt}; {TO_THE_END[game]}"
    return {**found, "over": over, "void": f"{dealt}; press manager; rule cancel by anna because x"}


STEPS = {
    "baccarat": ["betting", "stopped", "over"],
    "thirty_two": ["over"],
    "casino_holdem": ["deciding", "void"],
    "blackjack": ["deciding"],
}


def demo_pictures(game: str) -> Iterator[str]:
    """Yield the picture at each step of a game, and the lines of an ended round."""
    for name in STEPS[game]:
        script = steps(game)[name]
        shown = ShownScript(game, script.replace("; ", " · "), rule_at="http://127.0.0.1/manager")
        yield f"── {name}"
        yield from (" ".join(words) for words in shown.picture if words)
        if name in ("over", "void"):
            yield from (f"> {line.text}" for line in shown.lines)


@pytest.mark.parametrize("game", STEPS)
def test_the_demo_shows_a_round_as_it_was_kept(game):
    assert is_kept(HERE / f"{game}.txt", "\n".join(demo_pictures(game)))
