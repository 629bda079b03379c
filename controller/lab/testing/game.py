"""`check_game`: the checks of our own games, for a game that somebody else wrote.

First the sheet by itself, then its texts, then its returns: counted, simulated, published and paid at a table. Then
tables with random events: money is conserved, every path ends, hidden cards stay hidden, a replay is equal to the byte,
and each fault has a ruling that ends it.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from ...core.causes import Undriven
from ...core.decide.writable import writable
from ...core.encoding import encode
from ...core.house import Terms
from ...games.installing.fit import Unfit, validate_game
from ...rules.dealing import SheetFailed
from ...rules.game import Game
from ...rules.procedure import plain
from ...script.directives import Recorded
from ...script.reader import write_line
from .bench import Bench
from .broken import Broken, lines_of
from .chance import Roll, play
from .hidden_knowledge import HiddenKnowledge
from .highest_returns import ExposureBound, check_highest
from .judge import Judge
from .judges import Copies, CutOff, Dates, Draws, OutOfTheShoe, OwnRound, Pause, Reports, Rulings
from .money import BookJudge, Moved, Offer, PursesJudge, Touching, TwoPersons
from .oracle import Oracle, check_oracle
from .payments import check_payments
from .returns import check_returns
from .sheet import ROUNDS, check_sheet
from .source import check_source
from .stakes import check_stakes
from .texts import check_texts, warn_of_missing

JUDGES: tuple[type[Judge], ...] = (
    Moved, PursesJudge, Draws, Pause, Reports, Rulings, OwnRound, Copies, OutOfTheShoe, CutOff, Dates, BookJudge, Offer,
    Touching, TwoPersons, HiddenKnowledge, ExposureBound,
)  # fmt: skip
TERMS: tuple[dict[str, Any], ...] = (
    {},
    {"confirm": "dealer", "reveal": "dealer", "unruled": "cancel"},
    {"confirm": "dealer", "carry": True, "telegram_loss": "fault", "second_above": 500},
)
LENGTH = 150  # random events at a table
TRIES = 120  # tries to find a smaller script


class Driven(Judge):
    """An open round can always continue, whatever events come."""

    advice = "correct the line that is named in brackets: it has to work for every card and decision"

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        assert after.fault is None or after.fault.code != "replay_failed", after.fault.came.setting


def check_game(
    game: Game, rounds: int = ROUNDS, tables: int = 6, *, oracle: Oracle | None = None
) -> dict[str, tuple[str, ...]]:
    """Check a game. Raises Broken: what was expected, the smallest script that shows it, what to change.

    `rounds`: number of rounds of the sheet by itself; `tables`: number of random tables; `oracle`: a second
    implementation of the rules, which returns the expected result of a round. Returns the missing texts by language,
    without languages that have all. A game without texts in a language passes, with the warning MissingTexts.
    """
    _check_fields(game)
    check_source(game)
    check_sheet(game, rounds)
    if oracle is not None:
        check_oracle(game, oracle)
    missing = check_texts(game)
    check_stakes(game, rounds)
    check_payments(game)
    check_returns(game)
    check_highest(game, rounds)
    for seed in range(tables):
        _check_table(game, seed)
    warn_of_missing(game, missing)
    return missing


def _check_fields(game: Game) -> None:
    """Make the checks that a table makes at its start with an installed game. Raises Broken."""
    try:
        validate_game(game.name if isinstance(game, Game) else "", game)
    except Unfit as error:
        raise Broken(str(error), change="see docs/write-a-game.md for the fields of a Game") from None
    except SheetFailed as error:
        raise Broken(
            f"expected a procedure that begins with a step, it fails ({error})",
            change="have it use only cards that have been dealt",
        ) from None


def _check_table(game: Game, seed: int) -> None:
    dice = random.Random(seed)
    rolled = [(dice.randrange(100), dice.randrange(10**6)) for _ in range(LENGTH)]
    table = partial(Bench, game, **TERMS[seed % len(TERMS)])
    fault = fault_of(table, rolled)
    if fault is not None:
        least = shrink_rolls(
            rolled, lambda fewer: (other := fault_of(table, fewer)) is not None and other[0] == fault[0]
        )
        rule, advice, script = fault_of(table, least) or fault
        raise Broken(f"expected at every table: {rule}", script, advice)
    _check_again(table, rolled)


def fault_of(table: Callable[[], Bench], rolled: Sequence[Roll]) -> tuple[str, str, list[str]] | None:
    """Broken rule, advice and script for these rolls at a new table; None if no rule breaks."""
    bench: Bench | None = None

    def make_bench() -> Bench:
        nonlocal bench
        bench = table()
        return bench

    judge: type[Judge] = Driven
    try:
        play(make_bench, (Driven, *JUDGES), rolled)
    except AssertionError as error:
        judge = judge_of(error)
    except Exception as error:  # noqa: BLE001 - anybody's sheet
        rule = f"no event makes the program fail, the last one of this script does ({type(error).__name__}: {error})"
        return rule, "have the sheet work for every card and decision", _script(bench)
    else:
        return None
    broken_rule = f"{' '.join((judge.__doc__ or '').split())} {error_text(bench)}".strip()
    return broken_rule, judge.advice, _script(bench)


def judge_of(error: BaseException) -> type[Judge]:
    """Class of the judge that raised this error; `Judge` if it was none."""
    trace, judge = error.__traceback__, Judge
    while trace is not None:
        looking = trace.tb_frame.f_locals.get("self")
        judge = type(looking) if isinstance(looking, Judge) else judge
        trace = trace.tb_next
    return judge


def error_text(bench: Bench | None) -> str:
    """Reason why the sheet failed, in brackets; empty if it did not fail."""
    fault = bench.state.fault if bench else None
    return f"({fault.came.setting})" if fault and isinstance(fault.came, Undriven) else ""


def _script(bench: Bench | None) -> list[str]:
    """Script of a bench for `tablectl play`: the config as comments, the state at the beginning, the events."""
    if bench is None:
        return []
    begin = write_line(Recorded(replace(bench.begun, seq=bench.begun.seq - 1)))  # its last record is the state itself
    inputs = (replace(one, event=writable(bench.house, one.event)) for one in bench.heard[bench.own :])
    return [*_config_lines(bench.house.terms), begin, *lines_of(inputs)]


def _config_lines(terms: Terms) -> Iterator[str]:
    """Comments on the keys of a config under which `tablectl play` repeats the script."""
    usual = plain(Terms())
    for key, value in plain(terms).items():
        if value == usual[key]:
            continue
        section, line = (
            ("rulings", {"second_person_above": value / 100}) if key == "second_above" else ("table", {key: value})
        )
        yield f"# under [{section}]: {msgspec.toml.encode(line).decode().strip()}"


def shrink_rolls(rolled: Sequence[Roll], fails: Callable[[Sequence[Roll]], bool]) -> Sequence[Roll]:
    """Smallest found part of the rolls for which `fails` is still true; at most TRIES are tried."""
    tries, size = iter(range(TRIES)), len(rolled)
    while size and next(tries, None) is not None:
        shorter = next(
            (some for some in _shorter_rolls(rolled, size) if next(tries, None) is not None and fails(some)), None
        )
        rolled, size = (shorter, min(size, len(shorter))) if shorter is not None else (rolled, size // 2)
    return rolled


def _shorter_rolls(rolled: Sequence[Roll], size: int) -> Iterator[Sequence[Roll]]:
    for start in range(0, len(rolled), size):
        yield [*rolled[:start], *rolled[start + size :]]


def _check_again(table: Callable[[], Bench], rolled: Sequence[Roll]) -> None:
    """Check that the same inputs lead to the same records, and these to the same state."""
    first, second = play(table, (), rolled), play(table, (), rolled)
    ours, theirs = ([encode(record) for record in bench.records] for bench in (first, second))
    unlike = next((n for n, pair in enumerate(zip(ours, theirs, strict=False)) if pair[0] != pair[1]), None)
    if unlike is not None or len(ours) != len(theirs):
        record = first.records[unlike if unlike is not None else min(len(ours), len(theirs)) - 1]
        raise Broken(
            f"expected the same inputs to lead to the same records to the byte, {record.kind} differs",
            _script(first),
            "use no chance, clock, file or variable of the module in the sheet",
        )
