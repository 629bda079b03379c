"""Stakes by market on the shift manager's screen: the largest twelve."""

from controller.text.faults import Words
from controller.web.screens.manager import manager
from tests.web.bench_screens import bench_after, bench_look

SEATS = range(1, 8)


def test_of_many_markets_the_twelve_largest_are_shown():
    bets = [f"bet p{seat} seat{seat} ante {seat + 4}.00; bet p{seat} seat{seat} tie {seat}.00" for seat in SEATS]
    table = bench_after(f"shuffled; open; {'; '.join(bets)}", "rhum32")
    shown = manager(bench_look(table), Words("en")).markets
    amounts = sorted([*SEATS, *(seat + 4 for seat in SEATS)], reverse=True)
    assert [one.total for one in shown] == [f"{amount}.00" for amount in amounts[:12]]
