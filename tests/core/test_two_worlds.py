"""Two worlds: views of a table are equal whatever cards lie face down, until they are turned over."""

from functools import partial
from random import Random

import pytest

from controller.core import copies, fitting, views
from controller.core import events as e
from controller.rules.cards import JOKER
from controller.text.naming import card_face
from controller.web.screens import places
from tests.chance import SEED
from tests.repeats import first_of

from .bench import Bench
from .chance import TABLES, happen
from .hidden_card_worlds import TwoWorlds

HIDING = (
    *TABLES[4:7],
    *TABLES[8:11],
    partial(Bench, "rhum32", {"dealer_shows_fourth": False}, reveal="dealer"),
)


SHORT = 6  # rounds of one table: a restart reads them all


def rounds(table, count, seed, judge=TwoWorlds):
    """Play `count` rounds with hidden cards; return how often the two worlds were compared."""
    compared = 0
    for start in range(0, count, SHORT):
        bench, chance = table(), Random(f"{seed} {start}")
        bench.judges = [looks := judge(bench)]
        while looks.rounds < min(SHORT, count - start):
            if looks.worlds and not chance.randrange(8):
                bench.do(guess(looks, chance))
            else:
                happen(bench, chance.randrange(100), chance.randrange(10**6))
        compared += looks.compared
    return compared


def guess(looks, chance):
    """Return an event that tries to reveal a hidden card: a duplicate, a key press or a ruling."""
    down = [draw.card for world in looks.worlds for draw in world.state.round.draws if draw.hidden and draw.card]
    card, state = chance.choice(down or [JOKER]), looks.bench.state
    if state.fault is None:
        return chance.choice([e.CardOut(card), e.CardOut(None), e.KeyPressed("manager")])
    draw = chance.choice([None, *(draw.number for draw in state.round.draws)])
    return e.Rule(chance.choice(state.fault.rulings), "manager", f"it was the {card}", draw, card)


@pytest.mark.parametrize("table", HIDING, ids=range(len(HIDING)))
def test_nobody_can_tell_which_cards_lie_face_down(table):
    assert rounds(table, 3, seed=1) > 5


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("table", HIDING, ids=range(len(HIDING)))
def test_nobody_can_tell_the_hidden_cards_in_500_rounds(table):
    assert rounds(table, -(-500 // len(HIDING)), seed=SEED) > 500


# ── the judge finds leaks ────────────────────────────────────────────────────────────────────────────────────────


def all_before(state, draw):
    """Return the draws before this one, including those that lie face down."""
    return state.round.draws[: draw.number - 1]


LEAKS = {
    "a view that names the card": (views, "withhold", lambda what: what),
    "a screen that shows it": (places, "face", lambda draw, words: card_face(draw.card or JOKER, words)),
    "a fault for its double": (fitting, "open_draws_before", all_before),
    "a refusal of its double": (copies, "open_draws_before", all_before),
}


@pytest.mark.parametrize(("module", "name", "leaky"), first_of(1, LEAKS.values()), ids=LEAKS)
def test_a_view_that_leaks_a_hidden_card_is_found(monkeypatch, module, name, leaky):
    monkeypatch.setattr(module, name, leaky)
    with pytest.raises(AssertionError):
        rounds(HIDING[2], 100, seed=2)
