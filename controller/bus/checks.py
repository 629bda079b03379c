"""Checks that `tablectl bus check` makes with the key of a table or of a floor."""

import asyncio
import socket
from contextlib import suppress
from pathlib import Path

from nats.aio.client import Client
from nats.aio.msg import Msg

from ..config.bus import BusSection, FloorBusSection
from ..core.coded_message import CodedMessage, coded
from ..journal import find_contradiction, is_there, recover_state
from ..text.coded import render
from .bus_client import connect_once
from .floor_beats import EVERY, Twins, subject_of
from .keys import credentials_in
from .names import TableNames
from .permissions import inbox_of
from .roster import read_rosters
from .seals import Seals
from .streams import find_defects
from .unsigned_messages import junk
from .witness import WHERE, required_head, seals_of

TIMEOUT = 2.0


async def check_as_floor(section: FloorBusSection, floor: str) -> list[str]:
    """Check the bus with a floor's key, by the roster; return one line for each defect.

    Raises BusFailed if the bus cannot be reached, Unusable if the credentials cannot be used.
    """
    seals = Seals(credentials_in(Path(section.credentials or "")).signer, {}, {}, section.admin)
    async with connect_once(section, inbox_of("floor", floor)) as client:
        if defects := await find_defects(client, section.studio):
            return [*map(render, defects)]
        roster = (await read_rosters(client.jetstream(timeout=TIMEOUT), section.studio, seals)).newest
        if roster is None:
            return [render(one) for one in (coded("no_roster"), *seals.troubles)]
        seals.trust(roster.tables, roster.floors)
        absent = [] if roster.floors.get(floor) == seals.public else [coded("not_in_roster", floor=floor)]
        twin = await _twin(client, section.studio, floor, seals.public)
        return [*map(render, [*absent, *twin]), *await junk(client, section.studio, seals)]


async def _twin(client: Client, studio: str, floor: str, key: str) -> list[CodedMessage]:
    """Listen for some heartbeats; return a message if more than one process runs this floor."""
    twins, two = Twins(floor, key), asyncio.Event()

    async def take_beat(message: Msg) -> None:
        twins.take(message.subject, message.headers, message.data)
        if len(twins.live_processes) > 1:
            two.set()

    await client.subscribe(subject_of(studio, floor), cb=take_beat)
    with suppress(TimeoutError):
        await asyncio.wait_for(two.wait(), 2.5 * EVERY)
    here = socket.gethostname()
    hosts = sorted((one.host for one in twins.live_processes), key=lambda host: host == here)
    return [coded("floor_twin", name=floor, host=hosts[0])] if two.is_set() else []


async def check_as_table(section: BusSection, table: str, journal: Path | None) -> list[str]:
    """Check the bus with a table's key; return one line for each defect.

    Also compares the table's record with the last head on the bus. `journal`: the record's path, or None. Raises
    BusFailed if the bus cannot be reached, Unusable if the credentials cannot be used.
    """
    names = TableNames(section.studio, table)
    async with connect_once(section, names.inbox) as client:
        defects = await find_defects(client, section.studio)
        if journal is None or not is_there(journal) or defects:
            return [*map(render, defects)]
        state, seals = recover_state(journal), seals_of(section, table)
        mark = await required_head(client, names, state, seals)
        contradiction = None if mark is None else find_contradiction(journal, state, mark, WHERE)
        wrong_here = [] if contradiction is None else [f"{journal}: {render(contradiction.message)}"]
        return [*map(render, seals.troubles), *wrong_here]
