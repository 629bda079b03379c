"""Messages for a disk that cannot be read or written, in every language."""

import errno
import sqlite3
from pathlib import Path

import pytest

from controller.journal.file import disk_error_text
from controller.text.coded import render
from controller.text.faults import Words

ENGLISH = {
    errno.ENOSPC: "/t1: the disk is full; make room on it",
    errno.EDQUOT: "/t1: the disk is full; make room on it",
    errno.EIO: "/t1: the disk cannot be read or written; check the disk and its cable",
    errno.EROFS: "/t1: nothing can be written there; check how its disk is mounted, and whose the file is",
}


@pytest.mark.parametrize("number", ENGLISH)
def test_a_failing_disk_has_a_sentence_in_every_language(number):
    message = disk_error_text(Path("/t1"), OSError(number, "what the system says"))
    assert render(message) == ENGLISH[number]
    assert Words("ro").tell(message).startswith("/t1: ")
    assert Words("ro").tell(message) != ENGLISH[number]


@pytest.mark.parametrize(
    ("code", "number"),
    [(sqlite3.SQLITE_IOERR_SHMSIZE, errno.ENOSPC), (sqlite3.SQLITE_IOERR_READ, errno.EIO)],
)
def test_a_reader_without_room_names_the_full_disk(code, number):
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = code
    assert render(disk_error_text(Path("/t1"), error)) == ENGLISH[number]


def test_any_other_error_keeps_the_words_of_the_system():
    assert disk_error_text(Path("/t1"), OSError(errno.EBADF, "Bad file descriptor")) == "/t1: bad file descriptor"
    assert disk_error_text(Path("/t1"), sqlite3.OperationalError("locked")) == "/t1: locked"
