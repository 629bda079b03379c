"""Logs as event names with fields: JSON lines on standard error, or readable lines.

The readable ones where a person is looking.
"""

import logging
import queue
import sys
import threading
from contextlib import suppress
from typing import TextIO, cast

import structlog


class Aside:
    """A stream written by a thread of its own, so that a log which nobody reads never stops the table.

    What does not fit into the queue any more is dropped and counted; the count is written when there is room again.
    """

    def __init__(self, stream: TextIO, room: int = 10_000) -> None:
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(room)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Take a text; never waits, never fails."""
        try:
            self._lines.put_nowait(text)
        except queue.Full:
            self._dropped += 1
        return len(text)

    def flush(self) -> None:
        """Do nothing: the thread flushes after each text."""

    def close(self, patience: float = 1.0) -> None:
        """Write what is left, for so many seconds at most."""
        with suppress(queue.Full):
            self._lines.put_nowait(None)
            self._thread.join(patience)

    def _write(self) -> None:
        while (text := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            note = f'{{"event": "log_lines_dropped", "count": {dropped}}}\n' if dropped else ""
            with suppress(OSError, ValueError):
                self._stream.write(note + text)
                self._stream.flush()


def set_up(*, debug: bool) -> Aside:
    """Configure structlog for a program run; the stream is to be closed at its end."""
    stream = Aside(sys.stderr)
    person = sys.stderr.isatty()
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if person else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="logged"),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if debug else logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", stream)),
        cache_logger_on_first_use=False,
    )
    return stream
