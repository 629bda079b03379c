"""Current epoch of each table by the heads on the bus, and tables heard from a second PC."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence

import msgspec
from nats.js.api import StreamInfo

from ...bus.bus_client import AGAIN, FAILED, BusClient
from ...bus.names import HEADS, TableNames
from ...bus.seals import Seals
from ...bus.stream_reader import StoredMessage, read
from ...bus.streams import is_same
from ...core.clock import SECOND, Time
from ...core.coded_message import CodedMessage, coded
from ...core.mark import Mark
from ...core.witness import newest_head

MOST = 500  # heads read at a time
LOOKS = 60  # reads until the next check for a recreated stream
HEARD = 3 * SECOND  # a second PC counts as heard for this long after its last beat


class Epochs:
    """Epochs of all tables of a studio, from the heads on the bus."""

    def __init__(self, line: BusClient, studio: str, seals: Seals) -> None:
        self._line, self._below, self._seals = line, TableNames(studio, "*").subject(">"), seals
        self._again = False
        self._forget_all()
        self._rivals: dict[str, tuple[str, Time]] = {}  # by table: epoch of the second PC, and time of its last beat

    def _forget_all(self) -> None:
        self._last_seq = 0
        self._head_numbers: dict[str, int] = {}  # by table: sequence number of the last head that counts
        self._heads = defaultdict[str, dict[str, Mark]](dict)  # by table and epoch: the newest, in order of storing
        self._stands: dict[str, Mark] = {}

    async def run(self) -> None:
        """Read newly stored heads until cancelled."""
        was: StreamInfo | None = None
        looks = 0
        while True:
            await self._line.there.wait()
            try:
                if looks % LOOKS == 0:
                    now = await self._line.client.jetstream().stream_info(HEADS)
                    if was is not None and not is_same(was, now):
                        self._forget_all()
                    was = now
                await self._read()
                looks += 1
            except FAILED:  # the connection reports it
                looks = 0
            await asyncio.sleep(AGAIN)

    def forget(self, table: str) -> None:
        """Drop all heads that a former key of this table has signed."""
        for by_table in (self._head_numbers, self._heads, self._stands):
            by_table.pop(table, None)

    def judge_anew(self) -> None:
        """Read all heads again because other keys count now. A head that was taken already is not taken twice."""
        self._again = True

    async def _read(self) -> None:
        """Read the heads stored since the last call. Raises nats' errors."""
        if self._again:
            self._again, self._last_seq = False, 0
        while (messages := await read(self._line.client, HEADS, self._below, self._last_seq, MOST)) and not self._again:
            self._take(messages)

    def _take(self, messages: Sequence[StoredMessage]) -> None:
        self._last_seq = messages[-1].seq
        for one in messages:
            table = one.subject.split(".")[2]
            if one.seq <= self._head_numbers.get(table, 0) or not self._seals.is_sound(
                one.subject, one.headers, one.body
            ):
                continue
            self._head_numbers[table] = one.seq
            try:
                mark = msgspec.json.decode(one.body, type=Mark)
            except msgspec.MsgspecError:
                continue
            heads = self._heads[table]
            heads.pop(mark.epoch, None)
            heads[mark.epoch] = mark
            if (stands := newest_head(heads.values())) is not None:
                self._stands[table] = stands

    def is_current(self, table: str, epoch: str) -> bool | None:
        """True if this epoch of a table is the current one; None: the bus has no head of it."""
        last = self._stands.get(table)
        return None if last is None or epoch not in self._heads[table] else last.epoch == epoch

    def is_rival(self, table: str, epoch: str, now: Time) -> bool:
        """True if a beat of this epoch comes from a second PC, which `troubles_of` then reports."""
        if self.is_current(table, epoch) is not False:
            return False
        self._rivals[table] = epoch, now
        return True

    def troubles_of(self, table: str, now: Time) -> tuple[CodedMessage, ...]:
        """Return one message if a second PC of this table is heard; empty if not."""
        epoch, at = self._rivals.get(table, ("", 0))
        if not epoch or now - at > HEARD or self.is_current(table, epoch) is not False:
            return ()
        return (coded("two_pcs", theirs=epoch[:8], ours=self._stands[table].epoch[:8]),)
