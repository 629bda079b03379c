"""Line with the counts at the end of a demo, for games with each kind of outcome."""

from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.core.records import Settled
from controller.games import GAMES
from controller.lab.commands.demo_results import DemoCounter
from controller.rules.face import Phrase

SPREAD = replace(
    GAMES["thirty_two"],
    face=replace(GAMES["thirty_two"].face, result=lambda outcome: Phrase("a spread of {n}", {"n": outcome["spread"]})),
)


@pytest.mark.parametrize(
    ("outcome", "said"),
    [
        ({"winner": "tiger"}, "tiger 1"),
        ({"winner": None, "spread": 2}, "a spread of 2 1"),
        ({"hands": {"seat1": {"result": "win"}, "seat2": {"result": "lose"}}}, "lose 1, win 1"),
        ({"spread": 9}, "a spread of 9 1"),
    ],
)
def test_a_demo_counts_results_of_a_game_without_winner(outcome, said):
    count = DemoCounter(SPREAD)
    count(None, [SimpleNamespace(what=Settled(outcome, by="auto"))])
    assert count.told() == f"0 rounds: 1 settled ({said}), 0 cancelled; 0 faults"
