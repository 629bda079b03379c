"""Exact confidence interval of a share (Clopper and Pearson, Biometrika 26, 1934).

Invariant: the interval covers the true share at least as often as stated, however few rounds there are.
"""

from collections.abc import Callable
from functools import lru_cache
from math import exp, lgamma, log, log1p, sqrt

from msgspec import Struct

SURE = 0.95
HALVINGS = 50  # bisections, after which the bounds are as exact as a double
NEAR = 1e-11  # distance between the two bounds of the search; large enough that rounding cannot swap them
SECANTS = 12
TERMS = 100_000  # most terms of the continued fraction; about the square root of the number of trials is needed


class Share(Struct, frozen=True):
    """Observed share `count` of `of`, with the bounds of its interval at confidence SURE."""

    count: int
    of: int
    low: float
    high: float

    @property
    def value(self) -> float | None:
        """Observed share; None if there were no trials."""
        return self.count / self.of if self.of else None


@lru_cache(maxsize=4096)
def share(count: int, of: int, sure: float = SURE) -> Share:
    """Return a share with its interval. Without trials the bounds are 0 and 1."""
    count = min(count, of)
    tail = (1 - sure) / 2
    low = 0.0 if count == 0 else _solve(lambda p: beta(p, count, of - count + 1), tail, _guess(count, of, -2))
    high = 1.0 if count == of else _solve(lambda p: beta(p, count + 1, of - count), 1 - tail, _guess(count, of, 2))
    return Share(count, of, low, high)


def _guess(count: int, of: int, deviations: float) -> float:
    """Estimate a bound by Wilson's interval, as a start for the search."""
    square = deviations * deviations
    aside = deviations * sqrt(count * (of - count) / of + square / 4)
    return (count + square / 2 + aside) / (of + square)


def _solve(rising: Callable[[float], float], reaches: float, guess: float) -> float:
    """Find the point in 0..1 at which a rising function reaches a value, by bisection.

    The function is evaluated only close to that point; `guess`: an estimate of it.
    """
    below, above = _bracket(rising, reaches, guess)
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_below = middle <= below or (middle < above and rising(middle) < reaches)
        low, high = (middle, high) if is_below else (low, middle)
    return (low + high) / 2


def _bracket(rising: Callable[[float], float], reaches: float, guess: float) -> tuple[float, float]:
    """Find two close points with the solution between them, by the secant method from a guess.

    If that fails, the point is replaced by 0 or 1.
    """
    before, at = guess * 0.99, guess
    under, over = rising(before) - reaches, rising(at) - reaches
    for _ in range(SECANTS):
        if under == over or abs(at - before) < NEAR / 10:
            break
        before, at = at, min(max(at - over * (at - before) / (over - under), 0.0), 1.0)
        under, over = over, rising(at) - reaches
    low, high = at - NEAR / 2, at + NEAR / 2
    return (low if rising(low) < reaches else 0.0), (high if rising(high) >= reaches else 1.0)


def beta(x: float, a: float, b: float) -> float:
    """The regularized incomplete beta function I_x(a, b)."""
    if x <= 0.0 or x >= 1.0:
        return float(x >= 1.0)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Continued fraction of I_x(a, b), by Lentz's method (Numerical Recipes 6.4).

    No divisor comes near 0, as `x` is below (a + 1) / (a + b + 2): each is 1 / (a + b) or more.
    """
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    h = d
    for m in range(1, TERMS):
        even = m * (b - m) / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even * x, odd * x):
            d, c = 1 / (1 + step * d), 1 + step / c
            h *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return h
