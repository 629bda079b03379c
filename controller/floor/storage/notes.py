"""Queue of notes for the floor's own record, which is written in a thread.

Notes that cannot be written now are queued in order and written later; until then `trouble` says why. Notes that still
wait when the program ends are lost, and the log lists their kinds (`floor_record_lost`). An act that may not happen
without its record (`require`) is refused instead.
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
from .failures import FloorFailed
from .floor_record import Kind

AGAIN = 1.0  # seconds until a failed write is repeated
PATIENCE = 2.0  # seconds for which an act waits for its record


class Note(NamedTuple):
    """Note to be written. `written`: True once it is durable, False if it was withdrawn.

    `required`: True: it is withdrawn if it cannot be written at once.
    """

    kind: Kind
    what: dict[str, object]
    written: asyncio.Future[bool]
    required: bool


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
        return self._queue(kind, what, required=False)

    def _queue(self, kind: Kind, what: dict[str, object], *, required: bool) -> Note:
        written = asyncio.get_running_loop().create_future()
        note = Note(kind, {"at": to_text(self._clock()), **what}, written, required)
        self._waiting.append(note)
        self._news.set()
        return note

    async def require(self, kind: Kind, **what: object) -> None:
        """Write a note and return once it is durable. If it cannot be written, withdraw it and raise FloorFailed."""
        if not await asyncio.shield(self._queue(kind, what, required=True).written):
            raise FloorFailed(self.trouble or "")

    async def __call__(self, kind: Kind, **what: object) -> None:
        """Queue a note and wait until it is durable, at most PATIENCE seconds."""
        note = self.put(kind, **what)
        await asyncio.wait([note.written], timeout=PATIENCE)
        if not note.written.done():
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
            self._withdraw()
            await asyncio.sleep(AGAIN)
            return
        self.trouble = None
        self._waiting.popleft()
        note.written.set_result(True)

    def _withdraw(self) -> None:
        """Withdraw all required notes: they cannot be written at once."""
        for note in [note for note in self._waiting if note.required]:
            self._waiting.remove(note)
            note.written.set_result(False)

    async def finish(self) -> None:
        """Wait until all notes are written, at most PATIENCE seconds. `run` must be running."""
        try:
            async with asyncio.timeout(PATIENCE):
                while self._waiting:
                    await asyncio.shield(self._waiting[0].written)
        except TimeoutError:
            self._log.error(
                "floor_record_lost", kinds=[note.kind for note in self._waiting], reason=render(self.trouble or "")
            )
