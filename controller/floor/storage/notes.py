"""Queue of notes for the floor's own record, which is written in a thread.

Invariant: nothing is left out. Notes that cannot be written now are queued in order and written later; until then
`trouble` says why.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import structlog

from ... import Unusable
from ...core import events as e
from ...core.clock import Time, to_text
from ...core.coded_message import CodedMessage
from ...text.coded import CodedError, render
from .floor_record import Kind

AGAIN = 1.0  # seconds until a failed write is repeated
PATIENCE = 2.0  # seconds for which an act waits for its record


class Note(NamedTuple):
    """Note to be written. `written`: set once it is durable."""

    kind: Kind
    what: dict[str, object]
    written: asyncio.Event


class Notes:
    """Queue and writer of notes.

    `append`: writes one note with its time, called in a thread; raises Unusable if it cannot.
    `trouble`: the last such error; None after a success.
    """

    def __init__(self, append: Callable[..., object], clock: Callable[[], Time]) -> None:
        self.trouble: CodedMessage | str | None = None
        self._append, self._clock, self._waiting = append, clock, deque[Note]()
        self._news = asyncio.Event()
        self._writing: asyncio.Task[None] | None = None
        self._log = structlog.get_logger()

    @property
    def waiting_count(self) -> int:
        """Number of notes that are not written yet."""
        return len(self._waiting)

    def put(self, kind: Kind, **what: object) -> Note:
        """Queue a note and return at once."""
        note = Note(kind, {"at": to_text(self._clock()), **what}, asyncio.Event())
        self._waiting.append(note)
        self._news.set()
        return note

    async def __call__(self, kind: Kind, **what: object) -> None:
        """Queue a note and wait until it is durable, at most PATIENCE seconds."""
        note = self.put(kind, **what)
        try:
            async with asyncio.timeout(PATIENCE):
                await note.written.wait()
        except TimeoutError:
            self._log.error("floor_record_waits", kind=kind, waiting=len(self._waiting))

    def hear(self, event: e.Event) -> None:
        """Queue a note for a sign-in event; other events are ignored."""
        if isinstance(event, e.SignIn):
            self.put("signed_in", by=event.person, name=event.by, source=event.source, proof=event.proof)
        elif isinstance(event, e.BadSignIns):
            about = event.wrong, event.delayed, event.most, event.delay
            counts = dict(zip(("wrong", "delayed", "most", "delay"), about, strict=True))
            self.put("sign_ins_refused", **counts, people=event.people, sources=event.sources)

    async def run(self) -> None:
        """Write queued notes until cancelled; repeat after errors."""
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
            self.trouble = error.message if isinstance(error, CodedError) else str(error)
            await asyncio.sleep(AGAIN)
            return
        self.trouble = None
        self._waiting.popleft()
        note.written.set()

    async def finish(self) -> None:
        """Wait until all notes are written, at most PATIENCE seconds. `run` must be running."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self._waiting:
                    await self._waiting[0].written.wait()
        except TimeoutError:
            self._log.error(
                "floor_record_lost", kinds=[note.kind for note in self._waiting], reason=render(self.trouble or "")
            )
