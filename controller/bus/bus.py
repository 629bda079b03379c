"""Connection of a table to the studio's bus, in a thread with an event loop of its own.

the table's loop                                the bus thread's loop
durable record         -- a moment later -->    events of the record and heads, in order, each acknowledged
change of the table    ---------------------->  status; only the latest is published
                                                heartbeat, every second
the API                <----------------------  commands and questions
refusal of new rounds  <----------------------  the bus has another record of this table
"""

import asyncio
import threading
from collections.abc import Sequence

import msgspec

from ..core.coded_message import CodedMessage, coded
from ..core.records import Record
from ..outputs.web_metrics import Backlog
from ..table.loop import Table
from .bus_tasks import PATIENCE, BusTasks, TableEnds
from .lag import Lag
from .status import status

GATHER = 0.005  # seconds after a record until the bus thread is woken, so that the table handles the card first


class Bus:
    """Connection of one table to the studio's bus.

    Create it before the table starts: it publishes every record from there on.
    """

    def __init__(self, ends: TableEnds) -> None:
        """Prepare the bus thread and subscribe to the table. Raises BadCredentials, BadConfig."""
        self._ends, self._work = ends, BusTasks(ends)
        self._thread = threading.Thread(target=self._run, name="bus", daemon=True)
        self._lag, self._began = Lag(), ends.table.state.seq
        self._telling: asyncio.TimerHandle | None = None
        self._last_status = b""  # the status that was passed to the bus thread last
        ends.table.subscribe(self._hear)

    @property
    def trouble(self) -> CodedMessage | None:
        """Present defect of the bus connection; None if there is none."""
        reason = self._work.trouble
        return None if reason is None else coded("bus_trouble", reason=reason)

    @property
    def acknowledged_seq(self) -> int | None:
        """Number of the last record that the bus has acknowledged; None until that is known."""
        return self._work.acknowledged_seq

    def backlog(self) -> Backlog:
        """Records of the table that the bus has not acknowledged yet."""
        head = self._ends.table.state.seq
        sent = self._work.acknowledged_seq
        return self._lag.backlog(self._began if sent is None else sent, head)

    def look(self) -> None:
        """Publish the table's status, even if nothing was recorded."""
        if self._telling is None:
            self._tell()

    def start(self) -> None:
        """Start the bus thread, once the table has started."""
        self._work.table_loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """End the bus thread, and wait a little for records that are not sent yet."""
        if self._telling is not None:
            self._telling.cancel()
            self._send_status()
        self._work.end()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join, 2 * PATIENCE)

    def _run(self) -> None:
        """Run the event loop of the bus thread."""
        asyncio.run(self._work.run())

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        self._work.recent.add(records)
        if records:
            self._lag.note_records(records[0].seq)
        self._schedule_tell()

    def _schedule_tell(self) -> None:
        if self._telling is None:
            self._telling = asyncio.get_running_loop().call_later(GATHER, self._tell)

    def _tell(self) -> None:
        self._telling = None
        if not self._send_status():  # the bus thread does not run yet: try again
            self._schedule_tell()

    def _send_status(self) -> bool:
        """Send a changed status to the bus thread. Returns False if that thread does not run yet."""
        table = self._ends.table
        if not table.state.seq:
            return True
        body = msgspec.json.encode(status(table, self._ends.troubles()))
        if body == self._last_status and self._work.acknowledged_seq == table.state.seq:
            return True
        is_sent = self._work.tell(body)
        self._last_status = body if is_sent else self._last_status
        return is_sent
