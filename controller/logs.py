"""Logs: event names with fields, one JSON object a line on standard error; readable lines where a person is looking."""

import logging
import sys
from contextlib import suppress
from typing import TextIO, cast

import structlog


class Stubborn:
    """A stream that is written to as long as somebody reads it: a log nobody takes must not stop a table."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write, if it can be written."""
        with suppress(OSError, ValueError):
            return self._stream.write(text)
        return 0

    def flush(self) -> None:
        """Push it out, if it can be."""
        with suppress(OSError, ValueError):
            self._stream.flush()


def set_up(*, debug: bool) -> None:
    """Configure structlog for a program run."""
    person = sys.stderr.isatty()
    renderer: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if person else structlog.processors.JSONRenderer()
    )
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="logged"),
            structlog.processors.format_exc_info,
            renderer,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.DEBUG if debug else logging.INFO),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", Stubborn(sys.stderr))),
        cache_logger_on_first_use=False,
    )
