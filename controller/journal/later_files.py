"""Files of a record after an archive: the later archives and the journal itself, which may correct its rounds."""

import re
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from .archive import archives
from .file import JournalError
from .reader import origin_of
from .verification import hash_at

_ARCHIVE = re.compile(r"(.+)\.[0-9]{12}")  # the name of an archive without its suffix: journal, number


class LaterFiles(NamedTuple):
    """Files that continue an archive, in order. `complete`: True if the last one is the journal."""

    files: tuple[Path, ...]
    complete: bool


def later_files(path: Path) -> LaterFiles:
    """Find the files that continue an archive without a gap; none for a file that is no archive by its name.

    Raises NotAJournal, JournalFailed for the archive itself.
    """
    real = path.resolve()
    named = _ARCHIVE.fullmatch(real.stem)
    if named is None:
        return LaterFiles((), complete=True)
    journal, files = real.with_name(named[1] + real.suffix), [real]
    for file in (*(one for one in archives(journal) if one > real), journal):
        with suppress(JournalError):
            if continues(file, files[-1]):
                files.append(file)
                continue
        break
    return LaterFiles(tuple(files[1:]), complete=files[-1] == journal)


def continues(file: Path, earlier: Path) -> bool:
    """True if a file begins right after the last record of the earlier one.

    After a crash in a rotation it may begin after an earlier record: then both files have the same last records.
    """
    begin = origin_of(file)
    return origin_of(earlier).seq < begin.seq and hash_at(earlier, begin.seq) == begin.hash
