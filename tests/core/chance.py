"""Random walks at a test table: each roll picks an event, and judges check every step.

A walk that breaks a rule is shortened to the fewest rolls that still break it. The error then carries the judge's rule,
these rolls and the script. (Rolls are drawn evenly: hypothesis used half of the running time and reached fewer kinds of
records.)
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from random import Random

from controller.lab.testing.broken import lines_of
from controller.lab.testing.chance import PLAYERS, Roll, allowed_ruling, any_ruling, happen, play
from controller.lab.testing.game import judge_of, shrink_rolls
from controller.lab.testing.judge import Judge

from .bench import Bench

__all__ = [
    "PLAYERS", "TABLES", "Judge", "allowed_ruling", "any_ruling", "happen", "play", "rolls", "walk",
]  # fmt: skip

Table = Callable[[], Bench]

TABLES = (
    partial(Bench, "baccarat"),
    partial(Bench, "baccarat", confirm="dealer", unruled="cancel", telegram_loss="fault"),
    partial(Bench, "baccarat", {"betting_windows": 3, "decks": 1, "change_below": 6}, confirm="shoe", carry=True),
    partial(Bench, "baccarat", {"decks": 1, "change_below": 20}, panel_loss="fault", gone="keep"),
    partial(Bench, "casino_holdem", second_above=500),
    partial(Bench, "casino_holdem", {"burn_before_street": True}, confirm="dealer", reveal="dealer"),
    partial(Bench, "casino_holdem", {"deal_out_if_all_fold": True, "deal_order": "rounds"}, confirm="shoe"),
    partial(Bench, "thirty_two"),
    partial(Bench, "blackjack", {"decks": 1}),
    partial(Bench, "blackjack", {"every_round": False, "deal_order": "rounds", "split_second_card": "in_turn"}),
    partial(Bench, "rhum32", confirm="dealer"),
    partial(Bench, "baccarat", {"betting_windows": 3}, wrong_odds="lower", carry=True),
)


def rolls(seed: str, number: int) -> list[Roll]:
    """Return `number` rolls; the same seed gives the same rolls."""
    dice = Random(seed)
    return [(dice.randrange(100), dice.randrange(10**6)) for _ in range(number)]


def walk(table: Table, judges: Iterable[type[Judge]], rolled: Sequence[Roll]) -> None:
    """Play these rolls at a table; raise the first judge's error, with the fewest rolls that cause it."""
    error, bench = outcome(table, judges, rolled)
    if error is None:
        return
    rule = judge_of(error)
    alone = () if rule is Judge else (rule,)

    def is_broken(fewer: Sequence[Roll]) -> bool:
        other, _ = outcome(table, alone, fewer)
        return type(other) is type(error) and judge_of(other) is rule

    least = shrink_rolls(rolled, is_broken)
    if is_broken(least):
        error, bench = outcome(table, alone, least)
    error.add_note(f"rule: {rule.__name__}: {' '.join((rule.__doc__ or '').split())}")
    error.add_note(f"rolls: {least}")
    error.add_note("\n".join(["script:", *lines_of(bench.heard[4:])]))
    raise error


class Ending:
    """Context manager that stops the exception of its body and keeps it; None if there was none."""

    error: Exception | None = None

    def __enter__(self) -> "Ending":
        return self

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> bool:
        self.error = error if isinstance(error, Exception) else None
        return self.error is not None


def outcome(table: Table, judges: Iterable[type[Judge]], rolled: Iterable[Roll]) -> tuple[Exception | None, Bench]:
    """Play these rolls; return the error of the first broken rule, or None, and the table after it."""
    bench = table()
    with Ending() as ended:
        play(lambda: bench, judges, rolled)
    return ended.error, bench
