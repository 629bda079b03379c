"""Confidence of a share of rounds: exact binomial intervals of 95 per cent."""

from fractions import Fraction
from math import comb
from random import Random

import pytest

from controller.floor.history.intervals import HALVINGS, beta, share

KNOWN = [  # as scipy.stats.binomtest(k, n).proportion_ci(method="exact") gives them
    (0, 10, 0.0, 0.3084971),
    (1, 10, 0.0025286, 0.4450161),
    (5, 10, 0.1870860, 0.8129140),
    (10, 10, 0.6915029, 1.0),
    (10, 100, 0.0490047, 0.1762226),
    (3, 1000, 0.0006191, 0.0087420),
]


@pytest.mark.parametrize(("count", "of", "low", "high"), KNOWN)
def test_interval_bounds_equal_those_of_scipy(count, of, low, high):
    interval = share(count, of)
    assert (interval.low, interval.high) == (pytest.approx(low, abs=1e-6), pytest.approx(high, abs=1e-6))


def test_without_rounds_the_interval_is_zero_to_one():
    interval = share(0, 0)
    assert (interval.value, interval.low, interval.high) == (None, 0.0, 1.0)


@pytest.mark.parametrize("of", [1, 2, 7, 30])
def test_the_true_share_lies_within_the_95_percent_interval(of):
    for percent in range(1, 100, 3):
        true = Fraction(percent, 100)
        within = (count for count in range(of + 1) if share(count, of).low <= true <= share(count, of).high)
        assert sum(comb(of, count) * true**count * (1 - true) ** (of - count) for count in within) >= Fraction(95, 100)


def test_intervals_of_complementary_counts_mirror_each_other():
    for count in range(31):
        one, other = share(count, 30), share(30 - count, 30)
        assert one.low == pytest.approx(1 - other.high, abs=1e-9)


def test_more_rounds_make_the_interval_narrower():
    widths = [share(rounds // 50, rounds).high - share(rounds // 50, rounds).low for rounds in (50, 500, 5000, 500_000)]
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.001


def halved(rising, reaches):
    """Find a bound by plain bisection of 0..1."""
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if rising(middle) < reaches else (low, middle)
    return (low + high) / 2


def test_the_fast_search_finds_the_bounds_of_plain_bisection():
    chance = Random(4)
    for _ in range(60):
        of = int(10 ** chance.uniform(0.4, 5.5))
        count = chance.randint(1, max(1, chance.choice((of, of // 50)) - 1))
        interval = share(count, of)
        assert interval.low == halved(lambda p: beta(p, count, of - count + 1), 0.025), (count, of)  # noqa: B023 - used here
        assert interval.high == halved(lambda p: beta(p, count + 1, of - count), 0.975), (count, of)  # noqa: B023 - used here
