"""Random walks over all events: the rules of all judges hold at every table."""

import pytest

from controller.core import events as e
from controller.core.clock import SECOND
from controller.lab.testing.judges import OutOfTheShoe
from tests.chance import SEED
from tests.core.bench import Bench, kinds
from tests.core.chance import TABLES, rolls, walk
from tests.core.test_viewers import among_the_named
from tests.repeats import in_proofs
from tests.walk.judges import ALL, JUDGES

EACH_GAME = {2, 5, 7, 9, 10}  # tables: one of each game


@pytest.mark.parametrize("table", [one if one in EACH_GAME else in_proofs(one) for one in range(len(TABLES))])
def test_the_rules_of_a_table_hold_whatever_happens(table):
    for number in range(ALL.short):
        judges = [judge for judge, walks in JUDGES.items() if number < walks.short]
        walk(among_the_named(TABLES[table]), judges, rolls(f"{table} {number}", 140))


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("table", range(len(TABLES)))
def test_the_rules_of_a_table_hold_for_long_whatever_happens(table):
    for number in range(ALL.long):
        judges = [judge for judge, walks in JUDGES.items() if number < walks.long]
        walk(among_the_named(TABLES[table]), judges, rolls(f"{SEED} {table} {number}", 320))


# ── found by a walk ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_shoe_change_that_ends_an_empty_round_counts_anew():
    bench = Bench("blackjack")
    bench.judges = [OutOfTheShoe(bench)]
    bench.says("shuffled; open; card 4S; rule burn by m because early")
    bench.now += 60 * SECOND
    assert kinds(bench.do(e.ChangeShoe(left=40)))[1::3] == ["cancelled", "shoe_change"]
    assert bench.state.shoe.out == 0


def test_cards_that_a_void_cancels_with_their_round_stay_counted():
    bench = Bench("casino_holdem", confirm="dealer")
    bench.judges = [OutOfTheShoe(bench)]
    bench.says("shuffled; open; bet p1 ante 5.00; close; card 2H; card 7C; card JD; card 3D; card AD; card 6H; card AH")
    bench.says("decide p1 call; press manager; rule void 2 touched cancel by m because seen on camera")
    assert (bench.state.life, bench.state.shoe.out) == ("cancelled", 6)
