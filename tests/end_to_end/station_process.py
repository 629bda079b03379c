"""Run a table like `tablectl run`, with an emulated panel in the same process: `python -m ... CONFIG`.

Standard input is a script of one event a line, as for `tablectl play`; `press KEY` goes through the panel. More lines:
`plug` and `unplug` the panel, `standing` prints the table's state. Standard output has one JSON object a line:

    {"seq", "kind", "card"}     a record, once it is durable
    {"life", "due", ...}        the table's state, after all records of one event

Programs play the dealer and the shift manager and deal a whole shoe in a second. PACE lets the table accept this: at
a real table such a shoe would count as broken.

Each line is one write, made exactly when the table announces the record or the state.
"""

import asyncio
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from controller.config.table_file import Config, load
from controller.core.offers import possible_rulings
from controller.core.records import Record
from controller.journal import Journal
from controller.rules.procedure import Deal
from controller.script.reader import parse
from controller.station.logs import set_up
from controller.station.station import Station
from controller.table.loop import Table
from controller.text.coded import render
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24

PACE = 1000.0  # times faster than people


def say(**fields: Any) -> None:
    """Write one JSON line to the test."""
    os.write(1, json.dumps(fields).encode() + b"\n")


def announce(table: Table, records: Sequence[Record]) -> None:
    """Print records that are durable now, and the table's state after them."""
    for record in records:
        say(seq=record.seq, kind=record.kind, card=getattr(record.what, "card", None))
    say(**standing(table))


def standing(table: Table) -> dict[str, Any]:
    """Return what a dealer and a shift manager see of the table's state."""
    state, due = table.state, table.due
    return {
        "life": state.life,
        "due": due.to if isinstance(due, Deal) else None,
        "round": state.round.number,
        "draws": len(state.round.draws),
        "fault": state.fault.code if state.fault else None,
        "rulings": possible_rulings(state, due),
        "lost": state.lost,
        "left": state.shoe.size - state.shoe.out,
        "changing": state.shoe.changing,
        "halted": None if table.halted is None else render(table.halted),
    }


async def serve(config: Config) -> None:
    """Run the table until standard input ends."""
    bus = EmulatedUsbBus()
    panel = EmulatedXK24(bus)
    panel.plug()
    station = Station(config, config.house("dealer"), Journal(Path(config.journal.path or "")), bus, PACE)
    station.table.subscribe(announce)
    station.start()
    lines = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := (await lines.readline()).decode():
        obey(line, station.table, panel, config)
    await station.stop()


def obey(line: str, table: Table, panel: EmulatedXK24, config: Config) -> None:
    """Carry out one line of standard input."""
    match line.split():
        case ["press", key]:
            panel.tap(config.panel.bindings[key])
        case ["plug"]:
            panel.plug()
        case ["unplug"]:
            panel.unplug()
        case ["standing"]:
            say(**standing(table))
        case _:
            for _, event in parse(line):
                table.take(event)


if __name__ == "__main__":
    set_up(debug=False)
    asyncio.run(serve(load(Path(sys.argv[1]))))
