"""One table of a studio's demo as a program: `python -m controller.lab.demo.one_of_many CONFIG`.

It reads the plan as JSON from standard input, and prints the address of its pages and each fault as a line. It runs
until SIGTERM, or until its rounds are dealt.
"""

import asyncio
import signal
import sys
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path

import msgspec

from ... import Unusable
from ...bus.assembly import join_bus
from ...config.people import PeopleFile, registry
from ...config.table_file import Config, load
from ...core.life import RESTING
from ...core.records import Cancelled, Faulted, Record, Ruled
from ...journal import Journal
from ...reports.event_lines import lines
from ...station.logs import set_up
from ...table.loop import Table
from ...web.net.listening import NetListening, listen
from . import Demo, Plan, StuckDemo

AGAIN = 2.0  # seconds before a dealer tries again
TOLD = (Faulted, Ruled, Cancelled)


class OneOfMany(Demo):
    """Demo table on the bus, whose dealer waits while the table is closed or has no dealer."""

    def __init__(self, plan: Plan, journal: Journal, net: NetListening, config: Config, people: PeopleFile) -> None:
        """Join the table to the bus. Raises Unusable."""
        super().__init__(plan, journal, net, None, config, people)
        self.table.subscribe(tell)
        self._line = join_bus(config, self.station, self.doors, journal.path)

    def open(self) -> None:
        """Open the table and the connection to the bus."""
        super().open()
        self._line.start()

    async def close(self) -> None:
        """Close the table, then the connection to the bus."""
        await super().close()
        await self._line.stop()

    async def play(self, error: str | None) -> None:
        """Play one round, without a time limit: if the table does not follow, keep trying."""
        try:
            await super().play(error)
        except StuckDemo as stuck:
            await self._go_on(stuck)

    async def _go_on(self, stuck: StuckDemo) -> None:
        while True:
            say(f"the dealer waits: {stuck}")
            await asyncio.sleep(AGAIN)
            try:
                if self.table.state.life not in RESTING:
                    await self.dealer.go_on()
            except StuckDemo as again:
                stuck = again
            else:
                return


def tell(table: Table, records: Sequence[Record]) -> None:
    """Print the faults in these records, and their outcomes."""
    wrong = [record for record in records if isinstance(record.what, TOLD)]
    for line in lines(table.state, wrong):
        if line.kind != "money":
            say(line.text)


def say(text: str) -> None:
    """Print a line for the parent process, which may have ended."""
    with suppress(BrokenPipeError):
        print(text, flush=True)  # noqa: T201 - that is how


async def _run_until_signal(show: Demo) -> None:
    loop, all_of_it = asyncio.get_running_loop(), asyncio.ensure_future(show.run())
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, all_of_it.cancel)
    with suppress(asyncio.CancelledError):
        await all_of_it


def main(config: Path, plan: Plan) -> None:
    """Run the table until told to end, or its rounds are dealt. Raises Unusable, StuckDemo."""
    settings = load(config)
    journal = Path(settings.journal.path or "")
    with (
        closing(set_up(debug=False)),
        closing(listen(settings.web, settings.users_beside(journal), settings.overlay, at_hand=True)) as net,
        closing(Journal(journal)) as book,
    ):
        show = OneOfMany(plan, book, net, settings, registry(config, settings.people))
        say(net.url or "no pages")  # tells the parent that this table has started
        asyncio.run(_run_until_signal(show))


if __name__ == "__main__":
    try:
        main(Path(sys.argv[1]), msgspec.json.decode(sys.stdin.buffer.read(), type=Plan))
    except (Unusable, StuckDemo) as error:
        sys.exit(f"tablectl: {error}")
