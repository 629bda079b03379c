"""Files that a floor refuses to open: nothing of them stays open or locked in the process."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from controller.floor.storage.failures import FloorFailed
from controller.floor.storage.floor_record import FloorRecord
from controller.floor.storage.store import Store
from controller.journal import Journal
from tests.floor.statuses import START


def open_record(path: Path) -> FloorRecord:
    """Open a floor's record."""
    return FloorRecord(path, lambda: START)


def open_files(folder: Path) -> list[str]:
    """Return the names of the folder's files that this process has open, each as often as it is open."""
    links = [link.resolve() for link in Path("/proc/self/fd").iterdir()]
    return sorted(link.name for link in links if link.parent == folder)


OPENS = pytest.mark.parametrize("opens", [Store, open_record])


@OPENS
def test_a_file_in_use_is_left_closed(tmp_path, opens: Callable):
    with closing(opens(tmp_path / "main.floor")):
        before = open_files(tmp_path)
        with pytest.raises(FloorFailed, match="another floor writes it"):
            opens(tmp_path / "main.floor")
        assert open_files(tmp_path) == before != []
    assert open_files(tmp_path) == []


@OPENS
def test_a_file_that_is_no_database_is_left_closed(tmp_path, opens: Callable):
    (tmp_path / "main.floor").write_bytes(b"no database at all")
    with pytest.raises(FloorFailed):
        opens(tmp_path / "main.floor")
    assert open_files(tmp_path) == []


@OPENS
def test_the_journal_of_a_table_is_left_as_it_is(tmp_path, opens: Callable):
    path = tmp_path / "main.floor"
    Journal(path).close()
    before = path.read_bytes()
    with pytest.raises(FloorFailed, match=r"not the record of a floor|the database of another program"):
        opens(path)
    assert path.read_bytes() == before
    assert open_files(tmp_path) == []
