"""Small files that are shipped beside a record, and adopted by the PC that takes the table over."""

import os
from pathlib import Path

import pytest

from controller.journal import Journal
from controller.journal.outbox import TargetPlaces
from controller.station.standby import PLACES, USERS, adopt_shipped_files, ship_beside


@pytest.fixture
def journal(tmp_path) -> Path:
    """Record of the table on the first PC, with a users file beside it."""
    path = tmp_path / "first" / "t.journal"
    path.parent.mkdir()
    Journal(path).close()
    path.with_suffix(".users").write_text("{}")
    return path


@pytest.fixture
def folder(tmp_path) -> Path:
    """Folder into which the first PC ships."""
    (tmp_path / "parts").mkdir()
    return tmp_path / "parts"


@pytest.fixture
def standby(tmp_path) -> Path:
    """Record of the table on the second PC."""
    path = tmp_path / "second" / "t.journal"
    path.parent.mkdir()
    Journal(path).close()
    return path


def test_every_target_goes_on_from_its_own_place(journal, folder, standby):
    places = {"chat": 3, "mail": 7, "platform": 5}
    for target, seq in places.items():
        TargetPlaces(journal).move(target, seq)
    ship_beside(journal, journal.with_suffix(".users"), folder)
    adopt_shipped_files(folder, standby, standby.with_suffix(".users"))
    assert TargetPlaces(standby).read() == places


def test_small_shipped_files_are_not_readable_by_other_users(journal, folder, standby):
    TargetPlaces(journal).move("chat", 3)
    ship_beside(journal, journal.with_suffix(".users"), folder)
    adopt_shipped_files(folder, standby, standby.with_suffix(".users"))
    files = folder / PLACES, folder / USERS, standby.with_suffix(".users")
    assert [file.stat().st_mode & 0o777 for file in files] == [0o640] * 3


def test_a_users_file_of_the_standby_stays(journal, folder, standby):
    ship_beside(journal, journal.with_suffix(".users"), folder)
    standby.with_suffix(".users").write_text('{"own": true}')
    adopt_shipped_files(folder, standby, standby.with_suffix(".users"))
    assert standby.with_suffix(".users").read_text() == '{"own": true}'


def test_a_shipped_file_is_synced_before_and_after_its_renaming(journal, folder, monkeypatch):
    """Otherwise a power cut can leave an empty file under the final name, or the old one."""
    done = list[str]()
    sync, rename = os.fsync, Path.replace

    def note_sync(descriptor: int) -> None:
        done.append(f"sync {Path(f'/proc/self/fd/{descriptor}').readlink().name}")
        sync(descriptor)

    def note_rename(path: Path, target: Path) -> Path:
        done.append(f"rename {path.name} with {path.stat().st_size} bytes")
        return rename(path, target)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(Path, "replace", note_rename)
    ship_beside(journal, journal.with_suffix(".users"), folder)
    assert done == ["sync users.new", "rename users.new with 2 bytes", "sync parts"]
