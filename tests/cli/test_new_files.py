"""A command that cannot write its new files leaves none of them, so that it can be given again."""

import resource
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from controller.cli import play, tables
from controller.journal import Journal
from tests.cli.conftest import SETTLED
from tests.processes import TABLECTL

OF_NEW_FILES = {  # the words of a command, with the record and a new path in place of {}
    "table new": ("table", "new", "new", "--game", "baccarat", "--port", "/dev/s", "--folder", "{folder}"),
    "play": ("play", "baccarat", "--journal", "{folder}/new"),
    "export of a config": ("journal", "export", "{record}", "--script", "--config", "{folder}/new"),
    "export of tables": ("journal", "export", "{record}", "--tables", "{folder}"),
    "monitor": ("monitor", "--shoe", "bee_tek", "--port", "/dev/s", "--capture", "{folder}/new"),
}


@pytest.fixture
def source(record) -> Iterator[Path]:
    """Path of a record that somebody reads: the file `-shm`, which each reader needs, is there already."""
    path = record(SETTLED)
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("SELECT count(*) FROM records").fetchone()
        yield path


@contextmanager
def room_for(most: int) -> Iterator[None]:
    """Let files grow to this many bytes, as on a disk that is nearly full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("words", OF_NEW_FILES.values(), ids=OF_NEW_FILES)
def test_a_new_file_without_room_is_removed(tablectl, source, tmp_path, words):
    folder = tmp_path / "new"
    folder.mkdir()
    with room_for(0):
        tablectl(*(word.format(record=source, folder=folder) for word in words), stdin=SETTLED, exit_code=2)
    assert list(folder.iterdir()) == []


def test_of_tables_without_room_none_is_left(tablectl, source, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "schema", dict)
    folder = tmp_path / "new"
    with room_for(80):  # enough for some sheets
        tablectl("journal", "export", source, "--tables", folder, exit_code=2)
    assert list(folder.iterdir()) == []


def test_a_config_without_its_script_is_removed(source, tmp_path):
    config, words = tmp_path / "new", ("journal", "export", source, "--script", "--config")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([TABLECTL, *words, config], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert (done.returncode, config.exists()) == (2, False)


def test_a_record_begun_meanwhile_by_another_play_stays(tablectl, tmp_path, monkeypatch):
    path = tmp_path / "new"
    with closing(Journal(path)):
        monkeypatch.setattr(play.os.path, "lexists", lambda _: False)  # as before the other one began
        assert (
            "another process writes this journal"
            in tablectl("play", "baccarat", "--journal", path, stdin=SETTLED, exit_code=2).stderr
        )
        assert path.exists()
