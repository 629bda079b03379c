"""Search for a strategy's numbers: look ahead from many decisions, then fit the numbers to the gains.

It starts from the scale alone, so that it can be repeated with the same result.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from math import exp
from operator import mul

from msgspec import Struct

from ...rules.dealing import RuleSheetCall
from .cores import spread
from .look_ahead import PART, LookAheadJob, count_of, outlooks, parts

LOOKS = 20  # continuations of each decision
SLOPES = 800  # steps of the fit, after which no number of our two games moves by a whole point
STEPS = (0, *(sign * 2**power for power in range(6) for sign in (1, -1)))

Signs = tuple[int, ...]
Gains = Mapping[Signs, float]  # by visible signs: gain of `yes` over `no`, per decision


class SearchResult(Struct, frozen=True):
    """Result of a search: the numbers, and their gain per decision and unit staked over always `no`."""

    decisions: int
    numbers: dict[str, int]
    gain: float
    gain_in_use: float  # gain of the game's present numbers on the same decisions


def search(game: str, market: str, decisions: int, seed: int, cores: int | None = None) -> Iterator[int | SearchResult]:
    """Yield the number of decisions examined after each job, and at last the result."""
    gains: defaultdict[Signs, float] = defaultdict(float)
    work, in_use = parts(game, market, decisions, f"{seed}/{game}/search"), count_of(game).numbers
    for looked, more in enumerate(spread(_gains, work, cores), start=1):
        for signs, gain in more.items():
            gains[signs] += gain / decisions
        yield min(looked * PART, decisions)
    numbers = climb(gains, fit(gains, scale=next(iter(in_use.values()))))
    yield SearchResult(
        decisions,
        dict(zip(in_use, numbers, strict=True)),
        total_gain(gains, numbers),
        total_gain(gains, tuple(in_use.values())),
    )


def _gains(part: LookAheadJob) -> Gains:
    gains: defaultdict[Signs, float] = defaultdict(float)
    with RuleSheetCall():
        for outlook in outlooks(part):
            gains[outlook.signs] += sum(outlook.gain() for _ in range(LOOKS)) / LOOKS
    return gains


def fit(gains: Gains, scale: int) -> list[int]:
    """Fit the numbers of a chart by logistic regression: the larger the gain of `yes`, the more the chart favours it.

    Each case is weighted by its gain. Each number is moved against its error, in steps that grow while the direction
    stays and shrink when it turns.
    """
    numbers, steps, before = ([value] * len(next(iter(gains))) for value in (0.0, 0.1, 0.0))
    for _ in range(SLOPES):
        slope = _slope(gains, numbers)
        for at, now in enumerate(slope):
            steps[at] = steps[at] * 0.5 if now * before[at] < 0 else min(1.0, steps[at] * 1.2)
            numbers[at] += steps[at] if now > 0 else -steps[at]
        before = slope
    return [scale, *(round(number * scale / numbers[0]) for number in numbers[1:])]


def _slope(gains: Gains, numbers: Sequence[float]) -> list[float]:
    slope = [0.0] * len(numbers)
    for signs, gain in gains.items():
        points = sum(map(mul, numbers, signs))
        pull = gain / (1 + exp(max(-30.0, min(30.0, points if gain > 0 else -points))))
        for at, sign in enumerate(signs):
            slope[at] += pull * sign
    return slope


def climb(gains: Gains, numbers: list[int]) -> list[int]:
    """Improve the fitted numbers: change each but the first in turn while that gains more.

    A smaller number is preferred if it gains as much.
    """
    before: list[int] = []
    while before != numbers:
        before = numbers
        for at in range(1, len(numbers)):
            changed = [[*numbers[:at], numbers[at] + step, *numbers[at + 1 :]] for step in STEPS]
            numbers = max(changed, key=lambda some: (total_gain(gains, some), -sum(map(abs, some))))
    return numbers


def total_gain(gains: Gains, numbers: Sequence[int]) -> float:
    """Total gain over all decisions in which these numbers say yes."""
    return sum(gain for signs, gain in gains.items() if sum(map(mul, numbers, signs)) >= 0)
