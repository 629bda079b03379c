"""Early knowledge in random rounds of all games: no player decides after seeing a card too early."""

import random
import sys
from functools import partial
from pathlib import Path

import pytest

from controller.core.decide import rounds, rulings
from controller.games import GAMES
from controller.lab.testing.chance import happen
from controller.lab.testing.hidden_knowledge import HiddenKnowledge
from tests.chance import SEED
from tests.repeats import first_of

from .bench import Bench

LENGTH = 140  # events at a table
TABLES = 250  # in a proof; their seeds differ with each commit


def poker():
    """Load the example game Three Card Poker and return it."""
    sys.path.insert(0, str(Path(__file__).parents[2] / "examples" / "three_card_poker"))
    try:
        from three_card_poker import GAME
    finally:
        sys.path.pop(0)
    return GAME


def happens(game, seed, **settings):
    """Play random events at a table; return how many decisions were open while a card lay face down."""
    dice, bench = random.Random(seed), Bench(game, settings, confirm=("auto", "dealer")[seed % 2])
    bench.judges = [judge := HiddenKnowledge(bench)]
    for _ in range(LENGTH):
        happen(bench, dice.randrange(100), dice.randrange(10**6))
    return judge.asked


GAME = {name: partial(happens, name) for name in GAMES} | {
    "blackjack, one deck": partial(happens, "blackjack", decks=1),
    "three_card_poker": lambda seed: happens(poker(), seed),
}
ASKING = sorted(GAME.keys() - {"baccarat", "thirty_two"})  # these two games ask for no decisions
HIDING = ("casino_holdem", "blackjack, one deck", "rhum32")


@pytest.mark.parametrize("game", ASKING)
def test_nobody_decides_after_seeing_a_card_too_early(game):
    assert sum(GAME[game](seed) for seed in range(6))


def test_the_judge_knows_the_cards_that_players_were_shown():
    table = Bench("casino_holdem")
    table.judges = [judge := HiddenKnowledge(table)]
    table.says("shuffled; open; bet p1 ante 10.00; close; card AC; card 7D; card KS; card QS")
    table.says("card 2C; card 7H; card TH")
    assert (judge.known, judge.down(table.state)) == ({1, 2, 5, 6, 7}, {3, 4})
    table.says("decide p1 call; card AD; card KD")
    assert (judge.known, judge.down(table.state)) == (set(range(1, 10)), set())
    anew = HiddenKnowledge(table)
    for record in table.records:
        if record.kind == "revealed":
            anew.hear(record, table.state)
    assert anew.known == {3, 4}
    table.says("shuffled; open")
    assert judge.known == set()


@pytest.mark.parametrize("third", ["card KS", "unread"], ids=["placed", "loose"])
def test_the_judge_counts_exposed_cards_as_seen(third):
    table = Bench("casino_holdem")
    table.judges = [judge := HiddenKnowledge(table)]
    table.says(f"shuffled; open; bet p1 ante 10.00; close; card AC; card 7D; {third}")
    assert judge.known == {1, 2}
    table.says("press exposed")
    assert judge.known == {1, 2, 3}


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("game", ASKING)
def test_nobody_decides_after_seeing_too_much_at_many_tables(game):
    assert sum(GAME[game](seed) for seed in range(SEED, SEED + TABLES)) > TABLES


@pytest.mark.parametrize("game", first_of(1, HIDING))
def test_without_the_check_the_judge_fails_within_200_tables(game, monkeypatch):
    for module in (rounds, rulings):
        monkeypatch.setattr(module, "forbids", lambda *_: False)
    with pytest.raises(AssertionError, match="lie face down and were seen"):
        [GAME[game](seed) for seed in range(200)]
