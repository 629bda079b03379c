"""Two at once in the core: limits, reports, lost devices, bets and markets are kept apart."""

import pytest

from controller.core.book import NO_BETS, Bet
from controller.core.clock import SECOND
from controller.core.open_fault import MOST_CALLS
from controller.core.spot import Spot
from tests.core.bench import Bench, kinds


def test_a_fault_escalates_ten_times_and_not_again():
    table = Bench()
    table.says("open; press manager")
    called = [kind for _ in range(2 * MOST_CALLS) for kind in kinds(table.wait(60)) if kind == "escalated"]
    records = [record for record in table.records if record.kind == "escalated" and record.what.level is not None]
    assert (len(records), table.state.fault.escalations) == (MOST_CALLS, MOST_CALLS)
    assert len(called) <= MOST_CALLS + 1  # and once for the offer to cancel
    assert [record.what.level for record in records] == list(range(2, MOST_CALLS + 2))


def test_each_limit_of_a_fault_has_its_own_time():
    table = Bench()
    table.says("open; press manager")
    start, fault = table.now, table.state.fault.seq
    table.wait(3600)
    at = [(record.at - start) // SECOND for record in table.records if record.kind == "escalated"]
    assert at == sorted(at)
    assert len(at) > MOST_CALLS
    assert table.state.fault.seq == fault


def test_reports_in_a_pause_wait_once_each_in_order():
    table = Bench()
    table.says("open; close; card 9C; press manager; press dropped; shoe error 7; press dropped; shoe error 7")
    waiting = [one.came for one in table.state.waiting]
    assert len(waiting) == len(set(map(str, waiting))) == 2
    first, second = waiting
    table.says("rule resume by anna because seen")
    assert table.state.fault.came == first
    assert [one.came for one in table.state.waiting] == [second]


def test_only_the_device_that_is_back_answers_its_loss():
    table = Bench(panel_loss="fault")
    table.says("open; close; card 9C; press manager; lost shoe; lost panel")
    assert [one.came.device for one in table.state.waiting] == ["shoe", "panel"]
    table.says("found panel")
    assert [one.came.device for one in table.state.waiting] == ["shoe"]
    table.says("found shoe")
    assert table.state.waiting == ()


# ── the book ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("count", [2, 40, 200])
def test_markets_and_players_of_a_book_are_counted_apart(count):
    spots = [Spot("player"), Spot("banker"), Spot("tie")]
    bets = [Bet(f"b{number}", f"p{number % 7}", spots[number % 3], number + 1) for number in range(count)]
    book = NO_BETS
    for bet in bets:
        book = book.copy_with(bet)
    for spot in spots:
        of_it = [bet for bet in bets if bet.spot == spot]
        assert book.staked.get(spot, (0, 0)) == (len(of_it), sum(bet.stake for bet in of_it))
        assert [bet.id for bet in book.bets_on("p1", spot)] == [bet.id for bet in of_it if bet.player == "p1"]
    for bet in bets:
        if bet.spot == spots[0]:
            book = book.without(bet.id)
    assert set(book.staked) == {bet.spot for bet in bets} - {spots[0]}
    again = bets[0]
    book = book.copy_with(again)
    assert list(book)[-1] == again.id  # a bet placed again is last
    assert len(book) == len(list(book)) == 1 + sum(bet.spot != spots[0] for bet in bets)
    assert book.without("nobody's") is book


def test_a_second_restart_in_a_pause_adds_no_fault():
    table = Bench()
    table.says("open; press manager; restart; restart")
    assert [record.what.code for record in table.records if record.kind == "faulted"] == ["dealer_call"]
    table.says("rule resume by anna because seen; restart; restart")
    assert [record.what.code for record in table.records if record.kind == "faulted"] == ["dealer_call", "restarted"]
