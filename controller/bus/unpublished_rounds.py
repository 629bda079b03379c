"""Publication of rounds of an epoch that is no longer valid.

A later epoch exists, so the table may not start, but the bus still gets the events of these rounds.
"""

import asyncio
from pathlib import Path

import structlog

from ..config.bus import BusSection
from ..core.state import State
from ..core.viewers import STRANGERS
from ..journal import JournalError
from .bus_client import BusClient, failure_text, options
from .bus_tasks import audiences_of
from .keys import credentials_in
from .names import TableNames
from .publisher import LOOK, Publisher, Recent, Source
from .witness import seals_of

PATIENCE = 10.0  # seconds; the rest is published at the next attempt to start


async def publish_rest(section: BusSection, journal: Path, state: State) -> None:
    """Publish the events that the bus does not have yet, and no head. Raises Unusable."""
    names, credentials = TableNames(section.studio, state.table), credentials_in(Path(section.credentials or ""))
    line = BusClient(options(section, credentials, names.inbox))
    source = Source(names, journal, lambda: state, audiences_of(section), lambda: STRANGERS)
    publisher = Publisher(source, Recent(), line, credentials.secret, seals_of(section, state.table))
    publisher.is_standing = False
    try:
        async with asyncio.timeout(PATIENCE):
            await line.open()
            line.up.set()
            publisher.start()
            while publisher.acknowledged_seq < state.seq:
                await asyncio.sleep(LOOK)
    except (TimeoutError, JournalError) as error:
        log = structlog.get_logger().bind(table=state.table)
        log.warning("bus_behind", sent=publisher.acknowledged_seq, head=state.seq, reason=failure_text(error))
    finally:
        await publisher.stop()
        await line.close()
