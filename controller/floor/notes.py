"""What people do at the floor on its way into the floor's own record, which a thread writes.

The one rule: nothing is left out. What cannot be written now is kept, in its order, and written when it can; meanwhile
that is told.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import structlog

from .. import Unusable
from ..core import events as e
from .record import Kind

AGAIN = 1.0  # seconds
PATIENCE = 2.0  # seconds for which an act waits for its record


class Note(NamedTuple):
    """One of them. `written`: it is durable."""

    kind: Kind
    what: dict[str, object]
    written: asyncio.Event


class Notes:
    """`append`: writes one, in a thread; raises Unusable where it cannot."""

    def __init__(self, append: Callable[..., object]) -> None:
        self.trouble: str | None = None
        self._append, self._waiting = append, deque[Note]()
        self._news = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    @property
    def waiting(self) -> int:
        """How many are not written yet."""
        return len(self._waiting)

    def put(self, kind: Kind, **what: object) -> Note:
        """Have it written."""
        note = Note(kind, what, asyncio.Event())
        self._waiting.append(note)
        self._news.set()
        return note

    async def __call__(self, kind: Kind, **what: object) -> None:
        """Have it written, and wait until it is, unless that takes long."""
        note = self.put(kind, **what)
        try:
            async with asyncio.timeout(PATIENCE):
                await note.written.wait()
        except TimeoutError:
            self._log.error("floor_record_waits", kind=kind, waiting=len(self._waiting))

    def hear(self, event: e.Event) -> None:
        """What comes of signing in."""
        if isinstance(event, e.SignIn):
            self.put("signed_in", by=event.person, name=event.by, source=event.source, proof=event.proof)
        elif isinstance(event, e.BadSignIns):
            about = event.wrong, event.delayed, event.most, event.delay
            counts = dict(zip(("wrong", "delayed", "most", "delay"), about, strict=True))
            self.put("sign_ins_refused", **counts, people=event.people, sources=event.sources)

    async def run(self) -> None:
        """For ever."""
        while True:
            await self._news.wait()
            self._news.clear()
            while self._waiting:
                await self._write(self._waiting[0])

    async def _write(self, note: Note) -> None:
        try:
            await asyncio.to_thread(self._append, note.kind, **note.what)
        except Unusable as error:
            if self.trouble is None:
                self._log.error("floor_record_unwritten", reason=str(error))
            self.trouble = str(error)
            await asyncio.sleep(AGAIN)
            return
        self.trouble = None
        self._waiting.popleft()
        note.written.set()

    async def finish(self) -> None:
        """The end: what waits is written, for as long as that takes no time."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self._waiting:
                    await self._waiting[0].written.wait()
        except TimeoutError:
            self._log.error("floor_record_lost", kinds=[note.kind for note in self._waiting], reason=self.trouble)
