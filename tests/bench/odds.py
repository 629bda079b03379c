"""Measure how long the odds of a betting window take without caches, and how they delay a card.

Shoes are dealt down to a random depth; every computation is the first of its kind. The last lines measure `decide` for
Player's first card: with the odds computed at once, and with odds worked out in idle moments before.

    python -m tests.bench.odds [--shoes N] [--seed N]
"""

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from controller.core import events as e
from controller.core.decide import decide
from controller.core.odds import computations_ahead
from controller.games.baccarat import COUP
from controller.rules.baccarat_odds import main_bets, orders
from controller.rules.cards import FULL_DECK
from tests.core.bench import Bench

CHANGE_BELOW = 40  # cards: no round starts with fewer


class OddsTimes(NamedTuple):
    """Milliseconds: by the clock, and of processor time, which a busy machine does not change."""

    wall: float
    cpu: float


def timed(work: Callable[[], object]) -> OddsTimes:
    wall, cpu = time.perf_counter(), time.thread_time()
    work()
    return OddsTimes((time.perf_counter() - wall) * 1000, (time.thread_time() - cpu) * 1000)


def shoe(decks: int, dice: random.Random) -> tuple[dict[str, int], list[str]]:
    """Return the counts of the cards left in a random shoe, and two cards drawn from it."""
    cards = list(FULL_DECK) * decks
    dice.shuffle(cards)
    left = cards[: dice.randint(CHANGE_BELOW, len(cards))]
    return {card: left[2:].count(card) for card in FULL_DECK}, left[:2]


def cold(decks: int, window: int, dice: random.Random) -> OddsTimes:
    left, first = shoe(decks, dice)
    main_bets.cache_clear()
    return timed(lambda: COUP.chances(left, first[: window - 1]))


def card(windows: int, *, foreseen: bool) -> tuple[OddsTimes, list[OddsTimes]]:
    """Time the decision about Player's first card, and each piece of odds worked out before it."""
    main_bets.cache_clear()
    table = Bench("baccarat", {"betting_windows": windows})
    table.says("open")
    pieces = [timed(piece) for piece in computations_ahead(table.house, table.state)] if foreseen else []
    table.says("close")
    first = partial(decide, table.house, table.position, table.state, e.CardOut("9C"), table.now)
    return timed(first), pieces


def line(name: str, times: Sequence[OddsTimes]) -> str:
    wall, cpu = zip(*times, strict=True)
    return f"{name:44}{statistics.median(wall):>7.2f} ms{max(wall):>7.2f} ms{max(cpu):>7.2f} ms"


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--shoes", type=int, default=200)
    words.add_argument("--seed", type=int, default=1)
    given = words.parse_args()
    dice = random.Random(given.seed)
    print(f"{f'{given.shoes} shoes each':44}{'median':>10}{'longest':>10}{'most CPU':>10}")
    print(line("once for each start: orders of six cards", [timed(lambda: orders(COUP, ()))]))
    for decks in (6, 8):
        for window in (1, 2, 3):
            print(
                line(f"{decks} decks, window {window}, cold", [cold(decks, window, dice) for _ in range(given.shoes)])
            )
    alone, foreseen = ([card(3, foreseen=is_foreseen) for _ in range(given.shoes)] for is_foreseen in (False, True))
    print(line("a card that opens no window", [card(1, foreseen=False)[0] for _ in range(given.shoes)]))
    print(line("a card that opens one, odds known", [once for once, _ in foreseen]))
    print(line("a card that opens one, odds computed", [once for once, _ in alone]))
    print(line("a piece of work in idle moments", [piece for _, pieces in foreseen for piece in pieces]))


if __name__ == "__main__":
    main()
