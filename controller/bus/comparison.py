"""Comparison of a running table's record with the heads of its table on the bus.

It runs after each connect and at each heartbeat.

Another PC may run the same table. If its epoch is the later one, no further round opens here: the table still publishes
its recorded events, but no heads and no status, and answers no requests.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import Contradiction, opponent, past_of
from ..journal import JournalError, find_contradiction, hash_at
from ..table.beats import seconds_to_beat
from .bus_client import FAILED, BusClient, reason_of
from .names import TableNames
from .seals import Seals
from .witness import WHERE, Heads, publish_head

BEAT = 1.0  # seconds between two comparisons
ANSWER = 2.0  # seconds to wait for each head; a request that a cut line has lost is repeated after this time
RETELL = 60.0  # seconds until everything is read or published again, as the stream may have been recreated


class Comparison:
    """Comparison task in the bus thread's event loop.

    `record`: the journal and the table's state now; `hear`: called with each result.
    """

    def __init__(
        self,
        line: BusClient,
        names: TableNames,
        seals: Seals,
        record: Callable[[], tuple[Path, State]],
        hear: Callable[[Contradiction | None], None],
    ) -> None:
        self.doubt: CodedMessage | None = None
        self.looks = 0  # number of times that the heads were read from the bus
        self.tried = asyncio.Event()  # set after the first comparison, also if it failed
        self._line, self._names, self._seals = line, names, seals
        self._record, self._hear = record, hear
        self._heads = self._new_heads()

    def _new_heads(self) -> Heads:
        return Heads(self._line.client, self._names, self._seals, ANSWER)

    @property
    def heads(self) -> Sequence[Mark]:
        """Heads of this table on the bus, of all epochs, in the order of storing."""
        return self._heads.marks

    async def greet(self) -> bool:
        """Compare the record with all heads. Returns True if its events may be published."""
        if not self._record()[1].seq:
            return False
        try:
            self._heads = self._new_heads()
            await self._heads.read()
            contradiction = self._compare()
            if contradiction is None:
                await self._announce()
                contradiction = self._compare()  # again, with heads that have arrived meanwhile
        except (*FAILED, JournalError) as error:
            self.note_failure(error)
            return False
        self._tell(contradiction)
        self.looks += 1
        return contradiction is None or contradiction.elsewhere

    async def _announce(self) -> None:
        """Publish the head of a new epoch, so that other PCs see it before a round opens in it.

        Raises nats' errors.
        """
        journal, state = self._record()
        if not state.losses or any(head.epoch == state.identity.epoch for head in self.heads):
            return
        first = state.losses[-1].stands + 1
        if (digest := hash_at(journal, first)) is not None:
            mark = Mark(state.identity.epoch, first, digest.hex(), state.table, past_of(state.losses))
            await publish_head(self._line.client, self._names, self._seals, mark, state.at)
            await self._heads.read()

    def note_failure(self, error: Exception) -> None:
        """Note an error of reading the heads as the reason why the record is not compared."""
        self.doubt = coded("heads_unseen", reason=reason_of(error))
        self.tried.set()

    async def run(self) -> None:
        """Compare, at each beat, with the heads stored since the last one, until cancelled."""
        while True:
            await asyncio.sleep(seconds_to_beat(BEAT))
            await self._line.up.wait()
            with suppress(*FAILED, JournalError):  # repeated at the next beat
                if self.looks % round(RETELL / BEAT) == 0:
                    self._heads = self._new_heads()
                if await self._heads.read():
                    contradiction = self._compare()
                    self._tell(contradiction)
                    if contradiction is not None and not contradiction.elsewhere:
                        self._line.greet_again()
                self.looks += 1

    def _compare(self) -> Contradiction | None:
        """Compare the journal with the head on the bus. Returns None if they agree. Raises JournalError."""
        journal, state = self._record()
        mark = opponent(state, self.heads)
        return None if mark is None else find_contradiction(journal, state, mark, WHERE)

    def _tell(self, contradiction: Contradiction | None) -> None:
        self.doubt = contradiction and contradiction.message
        self._hear(contradiction)
        self.tried.set()
