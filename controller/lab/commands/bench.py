"""`tablectl bench`: measure if this PC is fast enough for a table."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import click
import msgspec
from msgspec import Struct

from ... import Unusable
from ...cli.arguments import WholeNumber
from ...journal import JournalError
from ...text.errors import system_message
from ..measures import MeasuredTimes, cards, disk, line, wakes

MEMORY = 0.005  # milliseconds; a faster "disk" is a file in memory


class BenchLimit(Struct, frozen=True):
    """Limit of one measurement: the highest p99 allowed, in milliseconds, and why."""

    name: str
    what: str
    most: float
    why: str


DISK = BenchLimit("disk", "a page is on disk after", 100, "every card, bet and ruling waits for it")
CARD = BenchLimit("card", "judged and on disk after", 250, "a quick dealer slides one every 300 ms")
LINE = BenchLimit("line", "a message is heard after", 50, "a card slid before NO MORE BETS must arrive before it")
WAKE = BenchLimit("wake", "a program is woken late by", 100, "this PC has too much to do: countdowns would stutter")


@click.command
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path())
@click.option("--count", type=WholeNumber(20, 100_000), default=500, help="Number of measurements of each time.")
@click.option("--json", "as_json", is_flag=True, help="As one JSON object.")
def bench(folder: Path, count: int, *, as_json: bool) -> int:
    """Measure whether this PC is fast enough for a table with its record in FOLDER (by default the current one).

    Prints p50, p99 and the worst value of each time, in milliseconds; exit 1 if a p99 is above its limit. All test
    files are removed.
    """
    try:
        measured = _measure_all(folder, count)
    except (OSError, JournalError) as error:
        raise Unusable(f"{folder}: {system_message(error) if isinstance(error, OSError) else error}") from None
    reasons = verdict(measured)
    if as_json:
        figures = {limit.name: took for limit, took in measured.items()}
        click.echo(msgspec.json.encode({"fit": not reasons, "says": reasons, **figures}))
        return int(bool(reasons))
    for limit, took in measured.items():
        click.echo(f"{limit.name:<6}{limit.what:<28}{format_times(took)}")
    for one in reasons or ["fit for a table"]:
        click.echo(one)
    return int(bool(reasons))


def _measure_all(folder: Path, count: int) -> dict[BenchLimit, MeasuredTimes]:
    parts: tuple[tuple[BenchLimit, Callable[[], MeasuredTimes]], ...] = (
        (DISK, lambda: disk(folder, count)),
        (CARD, lambda: cards(folder, count)),
        (LINE, lambda: asyncio.run(line(count))),
        (WAKE, lambda: asyncio.run(wakes(min(count, 200)))),
    )
    return {limit: measure() for limit, measure in parts}


def format_times(took: MeasuredTimes) -> str:
    """Format the figures of one measurement as a line."""
    return "".join(f"{name} {value:>8.2f} ms   " for name, value in (("p50", took.half), ("p99", took.most))) + (
        f"worst {took.worst:.2f} ms"
    )


def verdict(measured: dict[BenchLimit, MeasuredTimes]) -> list[str]:
    """Reasons why this PC is too slow for a table, one line each; empty if it is fit."""
    reasons = [
        f"not fit: {limit.name}: expected a p99 of at most {limit.most:g} ms, got {took.most:.0f}: {limit.why}"
        for limit, took in measured.items()
        if took.most > limit.most
    ]
    if DISK in measured and measured[DISK].half < MEMORY:
        reasons.append("not fit: disk: it answers sooner than any disk: this is memory, which a power cut empties")
    return reasons
