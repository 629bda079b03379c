"""Early close: the clock closes the bets, unless the dealer presses the key twice within two seconds."""

import pytest
from msgspec import UNSET

from controller.core.clock import SECOND
from controller.core.events import KeyPressed
from controller.core.records import Closed, Ignored
from controller.outputs.keys import lights
from drivers.panels import Light
from tests.core.bench import Bench, kinds

CLOSE = KeyPressed("close")


def opened(**about) -> Bench:
    """Return a table whose bets are open for 15 seconds."""
    bench = Bench(betting_seconds=15, **about)
    bench.says("open")
    return bench


@pytest.mark.parametrize(("after", "early"), [(0, 15), (1, 14), (12.5, 3), (14.9, 1)])
def test_two_presses_close_early_and_say_by_how_much(after, early):
    bench = opened()
    bench.now += round(after * SECOND)
    (first,) = bench.do(CLOSE)
    assert isinstance(first.what, Ignored)
    assert first.what.reason == "press_again"
    closed = bench.do(CLOSE)[0].what
    assert isinstance(closed, Closed)
    assert (closed.by, closed.early) == ("dealer", early)


@pytest.mark.parametrize(("apart", "life"), [(2 * SECOND, "dealing"), (2 * SECOND + 1, "betting")])
def test_two_presses_count_within_two_seconds(apart, life):
    bench = opened()
    bench.do(CLOSE)
    bench.now += apart
    bench.do(CLOSE)
    assert bench.state.life == life


def test_a_late_second_press_is_a_first_one():
    bench = opened()
    for _ in range(3):
        bench.do(CLOSE)
        bench.now += 3 * SECOND
    assert bench.state.life == "betting"
    bench.do(CLOSE)
    assert kinds(bench.do(CLOSE))[0] == "closed"


def test_a_first_press_counts_in_its_own_window_alone():
    bench = opened(settings={"betting_windows": 3})
    bench.do(CLOSE)
    bench.says("close; card 9C")
    assert (bench.state.life, bench.state.round.window) == ("betting", 2)
    bench.do(CLOSE)
    assert bench.state.life == "betting"


def test_the_clock_closes_between_two_presses():
    bench = opened()
    bench.now += 14 * SECOND
    bench.do(CLOSE)
    bench.now += 1 * SECOND
    assert kinds(bench.do(CLOSE)) == ["closed", "ignored"]
    assert bench.facts("closed")[-1].by == "clock"
    assert bench.facts("ignored")[-1].reason is None


def test_the_command_closes_at_once_and_is_not_early():
    bench = opened()
    bench.says("close")
    assert bench.facts("closed")[-1].early is UNSET


def test_the_lamp_of_the_closing_key_stays_dark():
    bench = opened()
    assert lights(bench.house, bench.state, bench.due)["close"] is Light.OFF
