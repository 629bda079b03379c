"""Cards of a demo: when its shoe is changed, and when its deck is shuffled."""

import random
from types import SimpleNamespace

import pytest

from controller.core import events as e
from controller.lab.demo.manager import MANAGER
from controller.lab.demo.shoes import CUT_AT, DemoShoe
from controller.rules.cards import FULL_DECK, Deck
from tests.patience import on_loop

CHANGE = [e.ChangeShoe(MANAGER), e.CutShoe(MANAGER), e.LoadShoe(MANAGER)]


async def no_wait(*_):
    """Pause or wait that is over at once."""


@pytest.mark.parametrize(
    ("left", "cut", "every_round", "events", "keys"),
    [
        (CUT_AT, False, False, [], ["open"]),
        (CUT_AT - 1, False, False, CHANGE, ["open"]),
        (300, True, False, CHANGE, ["open"]),
        (CUT_AT - 1, True, True, [], ["shuffled", "open"]),
    ],
    ids=["enough cards", "few cards", "the cut card is out", "a deck for each round"],
)
def test_a_shoe_is_changed_behind_its_cut_card_only(left, cut, every_round, events, keys):
    inputs, pressed, seeds = list[e.Event](), list[e.Key](), list[int]()
    device = SimpleNamespace(cards_left=left, change_shoe=lambda seed: seeds.append(seed))
    house = SimpleNamespace(deck=Deck(FULL_DECK, copies=8, every_round=every_round))
    state = SimpleNamespace(life="betting", seq=1, shoe=SimpleNamespace(cut=cut, shuffled=True))
    pace = SimpleNamespace(state=state, wait_until=no_wait, pause=no_wait)
    table = SimpleNamespace(house=house, take=inputs.append)
    on_loop(DemoShoe(device, table, pace, pressed.append, random.Random(1)).open_round)
    assert (inputs, pressed) == (events, keys)
    assert len(seeds) == bool(events or every_round)
