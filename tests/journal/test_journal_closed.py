"""A journal that fails to open closes its files at once, even while its error is still held."""

from contextlib import suppress
from pathlib import Path

import pytest

import controller.journal.reader
import controller.journal.writer
from controller.journal import Journal, JournalError, head_of
from tests.journal.test_journal import RECORDS


@pytest.fixture
def path(tmp_path) -> Path:
    """Path of a closed journal with records."""
    book = Journal(tmp_path / "table.journal")
    book.append(RECORDS)
    book.close()
    return book.path


def still_open(folder: Path) -> list[str]:
    """Return the files in a folder that this process has open."""
    found = []
    for descriptor in Path("/proc/self/fd").iterdir():
        with suppress(OSError):  # the descriptor of the listing itself
            found.append(str(descriptor.readlink()))
    return [name for name in found if name.startswith(f"{folder}/")]


def test_a_writer_failing_to_open_releases_journal_and_lock(path, monkeypatch):
    def fail(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(controller.journal.writer, "finish_rotation", fail)
    with pytest.raises(MemoryError) as failure:
        Journal(path)
    assert still_open(path.parent) == [], failure


def test_a_reader_whose_journal_vanishes_closes_it(path, monkeypatch):
    real = controller.journal.reader.open_file

    def taken(file: Path, mode: str) -> object:
        db = real(file, mode)
        file.unlink()
        return db

    monkeypatch.setattr(controller.journal.reader, "open_file", taken)
    with pytest.raises(JournalError, match="no such file") as failure:
        head_of(path)
    assert still_open(path.parent) == [], failure
