"""Previews over random play: the previewed effect of a ruling is the real one, in every field."""

import random

import pytest

from tests.chance import SEED
from tests.repeats import first_of

from .chance import TABLES, happen
from .preview_judge import PreviewMatches
from .test_rulings import bench

HIDING = (4, 5, 6, 8, 9, 10)


def looked(table, seed, length=100):
    """Play random events at a table; return how many rulings were previewed and compared."""
    dice, bench = random.Random(f"{table} {seed}"), TABLES[table]()
    bench.judges = [judge := PreviewMatches(bench)]
    for _ in range(length):
        happen(bench, dice.randrange(100), dice.randrange(10**6))
    return judge.looked


@pytest.mark.parametrize("table", first_of(5, range(len(TABLES))))
def test_the_preview_of_a_ruling_is_what_then_happens(table):
    seeds = range(1 if table in HIDING else 2)  # slow there: a preview tries all cards that could lie face down
    assert sum(looked(table, seed) for seed in seeds) > 10


def test_end_is_left_open_where_a_second_hidden_card_decides():
    deal = "shuffled; open; bet a seat1 main 5.00; close; card AD; card 2D; card KC; card AD at nowhere; card TD"
    table = bench(f"{deal}; rule move 4 dealer by m because x", "blackjack", settings={"decks": 1})
    assert table.fault == "duplicate_card"
    table.judges = [judge := PreviewMatches(table)]
    table.says("rule burn 4 checked deck by m because x")
    assert (table.life, judge.looked) == ("deciding", 1)


def test_card_that_a_fault_has_named_is_hidden_no_more():
    deal = "shuffled; open; bet a seat1 main 5.00; close; card AS; card 2D; card KC; card AS; decide seat1 stand"
    table = bench(f"{deal}; card 7C; card 8C", "blackjack", settings={"decks": 1})
    assert (table.fault, table.state.fault.draw) == ("duplicate_card", 4)
    table.judges = [judge := PreviewMatches(table)]
    table.says("rule correct 2 3D checked deck by m because x")
    assert (table.fault, judge.looked) == ("duplicate_card", 1)


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_the_preview_of_a_ruling_holds_over_long_walks(table):
    seeds = range(SEED, SEED + (16 if table in HIDING else 6))
    assert sum(looked(table, seed, 150) for seed in seeds) > 25
