"""Progress bar for long work on a record, on standard error if that is a terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import click

from ..journal import Passed, ignore_progress

SHORT = 2.0  # seconds of work before a bar is shown


@contextmanager
def bar(label: str, first: int, last: int, *, after: float = SHORT) -> Iterator[Passed]:
    """Show a progress bar for work on records `first` to `last`; yield a function to call with each finished record.

    `after`: seconds of work before the bar is shown.
    """
    if not sys.stderr.isatty() or last <= first:
        yield ignore_progress
        return
    until = time.monotonic() + after
    with ExitStack() as shows:
        drawn = click.progressbar(length=last - first, label=label, file=sys.stderr)

        def advance_to(seq: int) -> None:
            if not drawn.entered and time.monotonic() >= until:
                shows.enter_context(drawn)
            if drawn.entered:
                drawn.update(max(0, seq - first - drawn.pos))

        yield advance_to
