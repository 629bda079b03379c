"""Relative paths of a config: the folder in which a command works, wherever it is typed."""

import os
from pathlib import Path

from controller.config.paths import change_directory

NOBODY = 65534


def test_a_command_works_from_a_folder_closed_to_its_user(tmp_path):
    closed = tmp_path / "closed"
    closed.mkdir()
    child = os.fork()
    if child == 0:
        os.chdir(closed)
        closed.chmod(0)
        if os.geteuid() == 0:
            os.setuid(NOBODY)
        with change_directory(Path("/")):
            inside = Path.cwd()
        os._exit(0 if inside == Path("/") else 1)
    assert os.waitpid(child, 0)[1] == 0
    closed.chmod(0o700)


def test_relative_paths_lead_as_before_after_the_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with change_directory(Path("/")):
        assert Path.cwd() == Path("/")
    assert Path.cwd() == tmp_path
