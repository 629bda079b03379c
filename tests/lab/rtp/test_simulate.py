"""Simulated returns: reproducible, the same on every PC, with a right standard error."""

import os
from collections import Counter
from fractions import Fraction
from math import sqrt
from statistics import fmean, stdev

import pytest

from controller.lab.rtp.cores import AHEAD, spread
from controller.lab.rtp.simulate import CHUNK, Chunk, Estimate, deal, samples


def test_an_estimate_is_the_mean_and_its_standard_error():
    returns = Counter({Fraction(0): 5, Fraction(2): 4, Fraction(5, 2): 1})
    each = [float(value) for value, times in returns.items() for _ in range(times)]
    estimate = Estimate.of(returns)
    assert (estimate.rounds, estimate.mean) == (10, Fraction(21, 20))
    assert estimate.mean == pytest.approx(fmean(each))
    assert estimate.error == pytest.approx(stdev(each) / sqrt(10))


def test_one_round_has_a_mean_and_no_spread():
    assert Estimate.of(Counter({Fraction(2): 1})) == Estimate(1, Fraction(2), 0.0)


def test_the_same_seed_deals_the_same_rounds_and_another_others():
    first, again, other = (deal(Chunk("blackjack", ("main",), 300, seed)) for seed in ("1", "1", "2"))
    assert first == again
    assert first != other


def test_every_round_is_counted_for_every_market_asked_for():
    returns = deal(Chunk("rhum32", ("ante", "tie"), 50, "1"))
    assert {market: counts.total() for market, counts in returns.items()} == {"ante": 50, "tie": 50}


def estimates(game, market, rounds, seed, cores=None):
    """Return the estimate over all rounds so far, after every chunk."""
    return [Estimate.of(total[market]) for total in samples(game, [market], rounds, seed, cores)]


def test_estimates_per_chunk_are_equal_on_any_core_count():
    one, two = (estimates("blackjack", "main", 2 * CHUNK + 10, 3, cores) for cores in (1, 2))
    assert [estimate.rounds for estimate in one] == [CHUNK, 2 * CHUNK, 2 * CHUNK + 10]
    assert one == two


def worker(_: int) -> int:
    """Return the id of the process that does the job."""
    return os.getpid()


def test_jobs_go_to_other_processes_and_come_back_in_order():
    assert os.getpid() not in set(spread(worker, range(4), 2))
    assert list(spread(abs, [-3, 2, -1], 2)) == [3, 2, 1]


def test_jobs_are_taken_at_most_a_few_results_ahead():
    jobs = list(range(1000))
    log = []

    class Watched(list):
        def __iter__(self):
            for job in super().__iter__():
                log.append(job)
                yield job

    results = spread(abs, Watched(jobs), 2)
    assert next(results) == 0
    assert len(log) <= 2 * AHEAD
    assert [0, *results] == jobs


def test_one_core_needs_no_other_process():
    assert set(spread(worker, range(4), 1)) == {os.getpid()}


def three_errors(estimate: Estimate, percent: float) -> bool:
    """Return True if the estimate is within three standard errors of this percentage."""
    return abs(100 * float(estimate.mean) - percent) <= 300 * estimate.error


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_blackjack_returns_what_these_rules_return_under_basic_strategy():
    """99.51 %: from an independent simulation of exactly these rules."""
    assert three_errors(estimates("blackjack", "main", 2_000_000, 7)[-1], 99.51)


@pytest.mark.proof
@pytest.mark.timeout(0)
def test_the_ante_of_hold_em_returns_what_its_sheet_publishes():
    ante = estimates("casino_holdem", "ante", 3_500_000, 7)[-1]
    assert 100 * ante.error <= 0.15
    assert three_errors(ante, 97.84)
