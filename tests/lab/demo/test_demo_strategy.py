"""Emulated players of a demo: how they decide."""

import random
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.games import GAMES
from controller.lab.demo.pace import StuckDemo
from controller.lab.demo.players import Players
from controller.lab.demo.strategy import choose, open_cards_by_place
from controller.rules.procedure import Ask
from controller.rules.strategy import Chart
from tests.games.table_scripts import table
from tests.patience import on_loop


def decided(game: str, who: str, options: tuple[str, ...], **hands: str) -> set[str]:
    """Return all decisions of 60 seeds, the most frequent first."""
    open_cards = {place: cards.split() for place, cards in hands.items()}
    choices = [choose(GAMES[game], Ask((who,), options, options[-1]), open_cards, random.Random(n)) for n in range(60)]
    return sorted(set(choices), key=choices.count, reverse=True)


@pytest.mark.parametrize(
    ("game", "who", "options", "seen", "usual"),
    [
        ("blackjack", "seat3", ("hit", "stand"), {"seat3": "9C 5D", "dealer": "KC"}, "hit"),
        ("blackjack", "seat3", ("insure", "decline"), {"seat3": "9C 5D", "dealer": "AC"}, "decline"),
        ("casino_holdem", "p2", ("call", "fold"), {"player": "2C 2D", "board": "5H 9C JD"}, "call"),
        ("rhum32", "seat5", ("raise", "fold"), {"seat5": "2C 3D 5H 9C", "dealer": "KC"}, "raise"),
    ],
)
def test_a_player_mostly_but_not_always_follows_the_strategy(game, who, options, seen, usual):
    first, *others = decided(game, who, options, **seen)
    assert first == usual
    assert set(others) == set(options) - {usual}


def test_without_a_strategy_any_option_is_chosen():
    assert set(decided("baccarat", "p1", ("left", "right"))) == {"left", "right"}


def test_a_player_is_asked_the_tables_question_with_its_default():
    asked, taken = list[Ask](), []
    stands = Chart("none", lambda ask, _: asked.append(ask) or {ask.who[0]: "stand"})
    game = replace(GAMES["blackjack"], strategy=stands)
    play = table(game, "shuffled · open · bet p1 seat1 main 1.00 · close · card 9C · card 7D · card 5S · card 4S")

    async def pause(_):
        pass

    at = SimpleNamespace(state=play.state, house=play.house, subscribe=lambda _: None, take=taken.append)
    pace = SimpleNamespace(state=play.state, pause=pause, wait_until=pause)
    on_loop(Players(at, pace, random.Random(1)).decide)
    assert asked == [Ask(("seat1",), ("hit", "stand", "double"), default="stand")]
    assert taken == [e.Choose("seat1", "stand")]


def test_a_failing_strategy_ends_the_demo_with_its_place():
    game = replace(GAMES["blackjack"], strategy=Chart("none", lambda *_: {}))
    with pytest.raises(StuckDemo, match=r"^blackjack: strategy fails \(KeyError in strategy.py, line \d+\)$"):
        choose(game, Ask(("seat1",), ("hit", "stand"), "stand"), {}, random.Random(1))


def test_a_player_sees_the_open_cards_by_place():
    play = table(
        GAMES["blackjack"], "shuffled\nopen\nbet p1 seat2 main 10.00\nclose\ncard 9H\ncard 8C\ncard 7D\ncard 6S\n"
    )
    assert open_cards_by_place(play.state.round) == {"seat2": ["9H", "8C"], "dealer": ["7D"]}
