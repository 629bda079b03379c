"""Stakes by market on the shift manager's screen: the largest twelve, and the sum of the others."""

import pytest

from controller.text.faults import Words
from controller.web.screens.manager import manager
from controller.web.screens.staked_markets import StakedOnMarket
from tests.web.bench_screens import bench_after, bench_look

SEATS = range(1, 8)


def test_of_many_markets_the_twelve_largest_are_shown():
    bets = [f"bet p{seat} seat{seat} ante {seat + 4}.00; bet p{seat} seat{seat} tie {seat}.00" for seat in SEATS]
    table = bench_after(f"shuffled; open; {'; '.join(bets)}", "rhum32")
    shown = manager(bench_look(table), Words("en")).markets
    amounts = sorted([*SEATS, *(seat + 4 for seat in SEATS)], reverse=True)
    assert [one.total for one in shown[:12]] == [f"{amount}.00" for amount in amounts[:12]]


@pytest.mark.parametrize(("language", "said"), [("en", "and 2 more"), ("ro", "și încă 2")])
def test_further_markets_are_added_up_in_a_last_line(language, said):
    bets = [f"bet p{seat} seat{seat} ante {seat + 4}.00; bet p{seat} seat{seat} tie {seat}.00" for seat in SEATS]
    table = bench_after(f"shuffled; open; {'; '.join(bets)}", "rhum32")
    shown = manager(bench_look(table), Words(language)).markets
    assert (len(shown), shown[-1]) == (13, StakedOnMarket(said, 2, "3.00"))


def test_twelve_markets_need_no_further_line():
    bets = [f"bet p{seat} seat{seat} ante {seat + 4}.00; bet p{seat} seat{seat} tie {seat}.00" for seat in SEATS[:6]]
    table = bench_after(f"shuffled; open; {'; '.join(bets)}", "rhum32")
    assert [one.count for one in manager(bench_look(table), Words("en")).markets] == [1] * 12
