"""Latest corrections of the rounds in a file, for the commands that show rounds as they are settled now."""

from collections.abc import Iterator
from pathlib import Path

from ..core.records import Record
from ..journal import head_of, later_files, read_back, read_backwards
from ..reports.summaries import Revisions, revisions

_KINDS = ("resettled",)


def latest_revisions(file: Path) -> Revisions:
    """Latest resettlement of each round; of an archive also those in the later files beside it."""
    return revisions(_read_latest_first(file))


def _read_latest_first(file: Path) -> Iterator[Record]:
    for later in reversed(later_files(file).files):
        yield from read_back(later, head_of(later).seq + 1, _KINDS)
    yield from read_backwards(file, head_of(file).seq + 1, _KINDS)
