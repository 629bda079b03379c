"""`tablectl demo`: a whole table on emulated devices, in the terminal."""

import asyncio
import tempfile
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import click
import structlog
from rich.console import Console

from ..core.records import Cancelled, Faulted, Opened, Record, Settled
from ..demo import Demo, Plan
from ..journal import verify
from ..screen import Lines, Screen
from ..table import Table


@click.command
@click.argument("game", type=click.Choice(["baccarat"]), default="baccarat", expose_value=False)
@click.option("--rounds", type=click.IntRange(min=1), help="End after so many rounds; by default go on until Ctrl-C.")
@click.option("--speed", type=click.FloatRange(min=0.1, max=1000), default=1.0, show_default=True, help="How fast.")
@click.option("--seed", type=int, help="The same cards and the same errors again.")
@click.option("--faults", is_flag=True, help="The dealer makes errors, a scripted shift manager rules on them.")
@click.option("--journal", type=click.Path(path_type=Path, file_okay=False), help="Keep the record in this folder.")
def demo(rounds: int | None, speed: float, seed: int | None, journal: Path | None, *, faults: bool) -> None:
    """Watch a table at work: an emulated shoe on a real serial port, an emulated panel on USB."""
    console = Console()
    with ExitStack() as stack:
        folder = journal or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-")))
        folder.mkdir(parents=True, exist_ok=True)
        _quiet(folder / "demo.log", stack)
        with suppress(KeyboardInterrupt):
            asyncio.run(_show(Plan(rounds, speed, seed, faults), folder, console))


async def _show(plan: Plan, folder: Path, console: Console) -> None:
    show = Demo(plan, folder)
    count = Count()
    show.table.tell(count)
    with ExitStack() as stack:
        show.table.tell(stack.enter_context(Screen(console)) if console.is_terminal else Lines(console))
        await show.run()
    verdict = verify(folder / "demo.journal")
    console.print(count.told(), highlight=False)
    console.print(f"journal: {verdict.records} records stand, head {verdict.head}", highlight=False, soft_wrap=True)


class Count:
    """What the rounds came to."""

    def __init__(self) -> None:
        self.kinds: Counter[type] = Counter()
        self.winners: Counter[str] = Counter()
        self.cards = 0

    def __call__(self, table: Table, records: Sequence[Record]) -> None:
        """Count what happened."""
        self.kinds.update(type(record.what) for record in records)
        for record in records:
            if isinstance(record.what, Settled):
                self.winners[record.what.outcome["winner"]] += 1
        self.cards = max(self.cards, table.state.shoe.out)

    def told(self) -> str:
        """The summary."""
        kinds = self.kinds
        winners = ", ".join(f"{name} {number}" for name, number in sorted(self.winners.items()))
        return (
            f"{kinds[Opened]} rounds: {kinds[Settled]} settled ({winners}), {kinds[Cancelled]} cancelled; "
            f"{kinds[Faulted]} faults"
        )


def _quiet(path: Path, stack: ExitStack) -> None:
    """Logs go to a file: the terminal shows the table."""
    file = stack.enter_context(path.open("w", encoding="utf-8"))
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(file),
        cache_logger_on_first_use=False,
    )
