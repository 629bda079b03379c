"""Ids of rounds and bets: unique in the world, and the same when a record is decided again."""

import pytest

from controller.core import events as e
from controller.core.clock import SECOND, from_text
from controller.core.decide import decide
from controller.core.fold import fold
from controller.core.movements import movement
from controller.core.position import Position
from controller.core.state import State
from controller.core.ulid import round_id
from controller.games import GAMES

from .bench import START, Bench

DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
ROUND = "close; card 9C; card 2D; card KH; card 3S"


def value(ulid):
    return sum(DIGITS.index(digit) << 5 * place for place, digit in enumerate(reversed(ulid)))


def ids(table):
    return [what.bet for kind in ("bet_accepted", "decided") for what in table.facts(kind) if what.bet]


def test_a_round_id_is_a_ulid_of_its_time():
    ulid = round_id("e1", "t1", 7, START + 5 * SECOND + 999)
    assert len(ulid) == 26
    assert set(ulid) <= set(DIGITS)
    assert value(ulid) >> 80 == (START + 5 * SECOND) // 1000


def test_rounds_sort_by_their_time():
    early, late = (round_id("e", "t", 9, from_text(f"{year}-01-01T00:00:00Z")) for year in (2026, 2027))
    assert early < late


@pytest.mark.parametrize("other", [("e2", "t1", 7), ("e1", "t2", 7), ("e1", "t1", 8), ("e1t", "1", 7)])
def test_no_two_rounds_of_the_world_share_an_id(other):
    assert round_id("e1", "t1", 7, START) != round_id(*other, START)


def test_a_bet_is_numbered_under_its_round():
    table = Bench()
    table.says("open; bet p1 player 1.00; bet p2 moon 1.00; bet p2 tie 1.00")
    (opened,) = table.facts("opened")
    assert ids(table) == [f"{opened.round_id}.1", f"{opened.round_id}.2"]


def test_a_withdrawn_bets_id_is_never_used_again():
    table = Bench()
    table.says("open; bet p1 player 1.00; unbet p1 player; bet p1 player 1.00")
    assert [bet[-2:] for bet in ids(table)] == [".1", ".2"]


def test_every_decision_stake_has_its_own_bet_id():
    """A wallet that books by bet id lost money when each round had a bet with the id `p1 call`."""
    table = Bench("casino_holdem")
    script = "shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S"
    table.says(f"{script}; decide p1 call; press manager; rule correct 7 TS touched anew by manager; decide p1 call")
    table.says("rule cancel by manager" if table.life == "paused" else "press manager; rule cancel by manager")
    table.says(f"{script}; decide p1 call")
    assert len(ids(table)) == len(set(ids(table))) == 5


def test_bet_numbers_continue_after_a_restart_and_a_checkpoint():
    table = Bench()
    table.says(
        f"open; bet p1 player 1.00; {ROUND}; open; bet p1 player 1.00; restart; rule resume by m; bet p2 tie 1.00"
    )
    first, second = (what.round_id for what in table.facts("opened"))
    assert ids(table) == [f"{first}.1", f"{second}.1", f"{second}.2"]


def test_a_bet_id_lost_with_its_record_is_never_reused():
    """Messages already sent about the lost bet must not apply to another bet."""
    table = Bench()
    table.says("open; bet p1 player 1.00; bet p2 tie 1.00")
    lost = ids(table)[-1]
    table.state = fold(State(), table.records[:-1])
    table.do(e.AcceptLoss("m", "the disk broke", "e2"))
    table.says("bet p3 tie 1.00")
    assert ids(table)[-1] != lost
    assert ids(table)[-1].startswith(table.facts("opened")[0].round_id)


def test_the_same_input_gives_the_same_ids_again():
    table = Bench()
    table.says("open; bet p1 player 1.00")
    before = fold(State(), [record for record in table.records if record.kind not in ("opened", "bet_accepted")])
    again = decide(table.house, Position(GAMES), before, e.Open(), table.now)
    assert again.records[0].what.round_id == table.facts("opened")[0].round_id


# ── movements ────────────────────────────────────────────────────────────────────────────────────────────────────


def movements(table):
    return [movement(record.what) for record in table.records if movement(record.what)]


def test_a_bet_is_debited_once_and_credited_once():
    table = Bench()
    table.says(f"open; bet p1 player 1.00; bet p2 banker 2.00; bet p3 tie 3.00; unbet p3 tie; {ROUND}")
    (opened,) = table.facts("opened")
    assert [(one.id, one.amount, one.currency) for one in movements(table)] == [
        (f"{opened.round_id}.{end}", amount, "EUR")
        for end, amount in (
            ("1.debit", 100), ("2.debit", 200), ("3.debit", 300), ("3.credit", 300), ("1.credit", 200), ("2.credit", 0),
        )
    ]  # fmt: skip


def test_a_void_round_records_the_total_returned():
    table = Bench()
    table.says("open; bet p1 player 1.00; bet p2 tie 2.50; press manager; rule cancel by m")
    (cancelled,) = table.facts("cancelled")
    assert (cancelled.bets, cancelled.amount, cancelled.currency) == (2, 350, "EUR")


def test_a_rewound_round_records_the_decision_stakes_returned():
    table = Bench("casino_holdem")
    table.says("shuffled; open; bet p1 ante 1.00; close; card AC; card 7D; card KS; card QS; card 2H; card 3H; card 4S")
    table.says("decide p1 call; press manager; rule correct 7 TS touched anew by manager")
    (rewound,) = table.facts("rewound")
    assert (rewound.bets, rewound.amount, rewound.currency) == (1, 200, "EUR")
