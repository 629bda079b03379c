"""Tests of `make install` and `make uninstall`, run without root in a folder with a space in its name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SET_BY_MAKE = {"MAKEFLAGS", "MAKEOVERRIDES", "MFLAGS", "MAKELEVEL", "ARGS", "PYTHON"}


class MakeFolder:
    """Folder with the real Makefile and a finished environment, and a home folder."""

    def __init__(self, tmp_path: Path) -> None:
        self.folder, self.home, shims = tmp_path / "tablectl, one", tmp_path / "home", tmp_path / "shims"
        self.bin = self.home / ".local" / "bin"
        for folder in (self.folder, self.home, shims):
            folder.mkdir()
        for name in ("Makefile", "pyproject.toml"):
            shutil.copy2(ROOT / name, self.folder)
        shutil.copytree(ROOT / "requirements", self.folder / "requirements")
        self.set_up(".venv")
        (shims / "id").write_text("#!/bin/sh\necho 1000\n")  # not root, even if root runs the tests
        (shims / "id").chmod(0o755)
        variables = {name: value for name, value in os.environ.items() if name not in SET_BY_MAKE}
        self.environment = {**variables, "HOME": str(self.home), "PATH": f"{shims}:{self.bin}:{os.environ['PATH']}"}

    def set_up(self, name: str) -> Path:
        """Make a virtual environment that `make` takes for finished; return the path of its tablectl."""
        venv = self.folder / name
        (venv / "bin").mkdir(parents=True)
        (venv / "bin" / "python").symlink_to(sys.executable)
        (venv / "bin" / "tablectl").write_text("#!/bin/sh\necho it runs\n")
        (venv / "bin" / "tablectl").chmod(0o755)
        (venv / "pyvenv.cfg").write_text(f"command = python3 -m venv {venv}\n")
        (venv / ".run").touch()
        return venv / "bin" / "tablectl"

    def make(self, *words: str, code: int = 0) -> "subprocess.CompletedProcess[str]":
        ran = subprocess.run(
            ["make", *words], cwd=self.folder, env=self.environment, capture_output=True, text=True, check=False
        )
        assert ran.returncode == code, ran
        return ran


@pytest.fixture
def copy(tmp_path) -> MakeFolder:
    return MakeFolder(tmp_path)


def test_install_makes_tablectl_a_command_and_uninstall_takes_it_away(copy):
    result = copy.make("install")
    assert result.stderr == ""
    assert result.stdout.splitlines()[-1].endswith("this folder; it has to stay where it is")
    ran = subprocess.run(["tablectl"], env=copy.environment, capture_output=True, text=True, check=True)
    assert ran.stdout == "it runs\n"
    copy.make("install")
    assert copy.make("uninstall").stderr == ""
    assert list(copy.bin.iterdir()) == []
    assert copy.make("uninstall").stdout == ""


def test_install_warns_if_its_folder_is_not_on_the_path(copy):
    copy.environment["PATH"] = copy.environment["PATH"].replace(f"{copy.bin}:", "")
    assert copy.make("install").stderr == f"tablectl: warning: {copy.bin} is not on your PATH\n"


def test_install_and_uninstall_keep_a_file_that_is_no_link(copy):
    mine = copy.bin / "tablectl"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    assert f"{mine} is there already and no link" in copy.make("install", code=2).stderr
    copy.make("uninstall")
    assert mine.read_text() == "mine"


def test_only_a_demo_of_several_tables_installs_the_bus(copy):
    several = ("demo", "ARGS=--tables 12")
    assert "requirements/demo.txt" not in copy.make("-n", "demo").stdout
    assert "requirements/demo.txt" in copy.make("-n", *several).stdout
    (copy.folder / ".venv" / ".demo").touch()
    assert "requirements/demo.txt" not in copy.make("-n", *several).stdout


def test_a_chosen_interpreter_has_an_environment_of_its_own(copy):
    errors = copy.make("install", "PYTHON=/no/python3.99", code=2).stderr
    assert "needs Python 3.11 or newer with its venv module; /no/python3.99 here is missing" in errors
    command = copy.set_up(".venv-python3.99")
    copy.make("install", "PYTHON=/no/python3.99")
    assert (copy.bin / "tablectl").readlink() == command
    copy.make("install")
    assert (copy.bin / "tablectl").readlink() == copy.folder / ".venv" / "bin" / "tablectl"
