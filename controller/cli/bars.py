"""Progress of a long work over a record, on standard error where that is a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

import click

from ..journal import Passed, no_news


@contextmanager
def bar(label: str, first: int, last: int) -> Iterator[Passed]:
    """Show a bar while records `first` to `last` are worked on; the result is told the number of each one passed."""
    if not sys.stderr.isatty() or last <= first:
        yield no_news
        return
    with click.progressbar(length=last - first, label=label, file=sys.stderr) as shown:
        yield lambda seq: shown.update(max(0, seq - first - shown.pos))
