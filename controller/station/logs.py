"""Set up logging of events with fields: JSON lines on standard error, readable lines if that is a terminal."""

import logging
import queue
import sys
import threading
from contextlib import suppress
from typing import TextIO, cast

import structlog


class ThreadedStream:
    """Stream that a thread of its own writes, so that a blocked log never stops the table.

    `room`: lines that wait at most. Further lines are dropped; their number is logged when there is room again.
    """

    def __init__(self, stream: TextIO, room: int = 10_000) -> None:
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(room)
        self._dropped = 0
        self._thread = threading.Thread(target=self._write, name="log", daemon=True)
        self._thread.start()

    def write(self, text: str) -> int:
        """Put a text into the queue without waiting, or count it as dropped. Returns its length."""
        try:
            self._lines.put_nowait(text)
        except queue.Full:
            self._dropped += 1
        return len(text)

    def flush(self) -> None:
        """Do nothing: the thread flushes after each text."""

    def close(self, patience: float = 1.0) -> None:
        """Write the waiting lines and end the thread; waits for at most `patience` seconds."""
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


def set_up(*, debug: bool) -> ThreadedStream:
    """Configure structlog for a program run; the stream is to be closed at its end."""
    stream = ThreadedStream(sys.stderr)
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
        logger_factory=structlog.WriteLoggerFactory(cast("TextIO", stream)),  # a line in one piece
        cache_logger_on_first_use=False,
    )
    return stream
