"""Copies of a project, each with its own virtual environment, in which tests run on changed code."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "__pycache__", ".*_cache", ".hypothesis", "dist", "tmp????????")
QUIET = ("-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "mutants_notes")
MEMORY = 8 << 30  # bytes of data of a process: an endless loop must not take all memory
NOT_FOUND = 4  # pytest: no test has such a name
MARK = "MUTANTS_COPY"
OWN = "project.pth"  # where an environment finds its project; a copy of a copy replaces this file
UNWANTED = ("PYTHONPATH", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST", "MAKEFLAGS", "MAKELEVEL", "PYTHONDONTWRITEBYTECODE")


class PytestResult(NamedTuple):
    """Result of a pytest run. `by`: the test or the file that failed first."""

    code: int
    by: str
    seconds: float

    @property
    def passed(self) -> bool:
        return self.code == 0


class ProjectCopy:
    """Copy of a project in `folder`/p; its temporary files are in `folder`/b and `folder`/t."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self._folder = folder
        self.root = folder / "p"
        shutil.copytree(tree, self.root, ignore=LEFT_OUT, symlinks=True)
        for name in ("probe", "notes"):
            shutil.copy(HERE / f"{name}.py", self.root / f"mutants_{name}.py")
        _make_environment(self.root)
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)  # tests list the files that git would keep
        (self.root / ".git" / "info" / "exclude").write_text("mutants_*.py\n", encoding="utf-8")
        texts = self.root / "packaging" / "texts.py"
        if texts.exists():
            subprocess.run([self.root / ".venv" / "bin" / "python", texts], cwd=self.root, check=True)

    def text(self, path: str) -> str:
        return (self.root / path).read_text(encoding="utf-8")

    def put(self, path: str, text: str) -> None:
        """Write a module and delete its compiled files, which Python compares by size and second only."""
        file = self.root / path
        file.write_text(text, encoding="utf-8")
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):
            compiled.unlink()

    def run(self, tests: Sequence[str], options: Sequence[str], patience: float) -> PytestResult:
        """Run tests for at most `patience` seconds; kill all processes that they leave."""
        for name in ("n", "t"):
            shutil.rmtree(self._folder / name, ignore_errors=True)
            (self._folder / name).mkdir(mode=0o777)
            (self._folder / name).chmod(0o777)
        names = self._folder / "names"
        names.write_text("".join(f"{test}\n" for test in tests), encoding="utf-8")
        python = str(self.root / ".venv" / "bin" / "python")
        command = (python, "-m", "pytest", *QUIET, f"--basetemp={self._folder / 'b'}", *options, f"@{names}")
        began = time.monotonic()
        with (self._folder / "log").open("wb") as log:
            process = subprocess.Popen(
                command, cwd=self.root, env=self._environment(), stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                process_group=0,  # no session of its own: a terminal that a test opens and closes would end the run
            )  # fmt: skip
            resource.prlimit(process.pid, resource.RLIMIT_DATA, (MEMORY, MEMORY))
            try:
                code = process.wait(patience)
            except subprocess.TimeoutExpired:
                code = -signal.SIGKILL
            finally:
                self.end_processes()
                process.wait()
        return PytestResult(code, _failed(self.notes()) if code else "", time.monotonic() - began)

    def type_error(self, path: str, text: str) -> str:
        """Return the first error that mypy finds with this text in place of a module; empty if it finds none."""
        unchanged = self.text(path)
        self.put(path, text)
        try:
            command = (self.root / ".venv" / "bin" / "python", "-m", "mypy", "--no-error-summary")
            done = subprocess.run(command, cwd=self.root, env=self._environment(), capture_output=True, text=True)
        finally:
            self.put(path, unchanged)
        return "" if done.returncode == 0 else (done.stdout or done.stderr).partition("\n")[0]

    def notes(self) -> list[dict]:
        """Return what the plugin `notes` wrote in the last run."""
        files = sorted((self._folder / "n").glob("*.tests"))
        return [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]

    def hits(self) -> Iterator[tuple[str, list[int]]]:
        """Yield tests with the numbers of the functions that a process noted for each."""
        for file in (self._folder / "n").glob("*.hits"):
            for part in file.read_bytes().split(b"=")[1:]:
                name, *numbers = part.split(b"\n")
                yield name.decode(), [int(number) for number in numbers if number]

    def log(self) -> str:
        """Return the output of the last run."""
        return (self._folder / "log").read_text(encoding="utf-8", errors="replace")

    def _environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if name not in UNWANTED}
        temporary = str(self._folder / "t")
        return {**own, "CI": "true", "TMPDIR": temporary, "MUTANTS_NOTES": str(self._folder / "n"), MARK: temporary}

    def end_processes(self) -> None:
        """Kill all processes that were started in this copy, in any process group."""
        mark = f"{MARK}={self._folder / 't'}\0".encode()
        for environ in Path("/proc").glob("[0-9]*/environ"):
            with suppress(OSError):
                if mark in environ.read_bytes() and int(environ.parent.name) != os.getpid():
                    os.kill(int(environ.parent.name), signal.SIGKILL)


def _failed(notes: Sequence[dict]) -> str:
    """Return the failed test, else the file that could not be collected, else the last test begun."""
    failed = [note["test"] for note in notes if note.get("failed")]
    uncollected = [note["uncollected"] for note in notes if "uncollected" in note]
    begun = [note["begun"] for note in notes if "begun" in note]
    return next(iter([*failed, *uncollected, *reversed(begun)]), "")


def _make_environment(root: Path) -> None:
    """Make a virtual environment with this environment's packages and the project's code in `root`."""
    base, environment = Path(sys.prefix), root / ".venv"
    packages = Path(sysconfig.get_path("purelib")).relative_to(base)
    (environment / packages).mkdir(parents=True)
    (environment / "bin").mkdir()
    shutil.copy(base / "pyvenv.cfg", environment)
    for entry in (base / packages).iterdir():
        if entry.name != OWN and not entry.name.startswith("_editable_impl_"):
            (environment / packages / entry.name).symlink_to(entry)
    (environment / packages / OWN).write_text(f"{root}\n", encoding="utf-8")
    for entry in (base / "bin").iterdir():
        _make_program(entry, environment / "bin" / entry.name, base, environment)


def _make_program(entry: Path, target: Path, base: Path, environment: Path) -> None:
    """Copy a program of the environment's `bin`.

    A link stays the same link, a Python script gets the new interpreter, any other program becomes a link.
    """
    interpreter = b"#!" + os.fsencode(base / "bin")
    if entry.is_symlink():
        target.symlink_to(entry.readlink())
    elif entry.is_file() and (code := entry.read_bytes()).startswith(interpreter):
        target.write_bytes(code.replace(interpreter, b"#!" + os.fsencode(environment / "bin"), 1))
        target.chmod(0o755)
    else:
        target.symlink_to(entry)
