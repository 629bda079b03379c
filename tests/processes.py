"""Programs that tests start, each forked from a process that has already imported tablectl.

A start costs 10 ms of the processor in place of a second. Tests of the start itself (imports, memory, interpreter
options) and programs that another program starts (strace, unshare) use `subprocess`.
"""

import atexit
import ctypes
import inspect
import json
import multiprocessing
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

from tests import fork_server
from tests.patience import PATIENCE

TABLECTL = Path(sys.executable).with_name("tablectl")  # the console script
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.floor.dealing", "tests.floor.feeding", "tests.bus.dealing"])
PR_SET_CHILD_SUBREAPER = 36
PIPES = "p2cread", "p2cwrite", "c2pread", "c2pwrite", "errread", "errwrite"  # as subprocess calls them
DEFAULTS = {"preexec_fn": None, "pass_fds": (), "shell": False, "gid": None, "gids": None, "uid": None, "umask": -1}


@contextmanager
def beside(target: Callable[..., None], *what: object) -> Iterator[ForkServerProcess]:
    """Run a function in a process of its own, which is killed at the end of the block."""
    process = PROCESSES.Process(target=target, args=what, daemon=True)
    process.start()
    try:
        yield process
    finally:
        process.kill()
        process.join()


class ForkServer:
    """Process that programs are forked from: one for each test process, with which it ends."""

    def __init__(self) -> None:
        self._line, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._turn = threading.Lock()
        self._prctl = ctypes.CDLL(None, use_errno=True).prctl
        command = [sys.executable, fork_server.__file__, str(theirs.fileno())]
        with theirs:
            self._process = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL)
        atexit.register(self._end)

    def fork(self, request: fork_server.Request, files: Sequence[int]) -> int:
        """Start a program as a child of this process; return its process id."""
        with self._turn, os.fdopen(os.memfd_create("request"), "w+", encoding="utf-8") as file:
            json.dump(request, file)
            file.seek(0)
            self._adopt(orphans=True)
            try:
                socket.send_fds(self._line, [b"."], [*files, file.fileno()])
                return int(self._line.recv(32))
            finally:
                self._adopt(orphans=False)

    def _adopt(self, *, orphans: bool) -> None:
        """Set whether descendants of this process become its children when their parents end."""
        assert self._prctl(PR_SET_CHILD_SUBREAPER, int(orphans), 0, 0, 0) == 0

    def _end(self) -> None:
        self._line.close()
        self._process.wait()


@cache
def _server(_process: int) -> ForkServer:
    return ForkServer()


def startup(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that an interpreter reads before it runs a program."""
    return {name: value for name, value in environment.items() if name.startswith(("PYTHON", "LD_", "LC_", "LANG"))}


OURS = startup(os.environ)


def can_fork(command: Sequence[str | Path], environment: Mapping[str, str] | None = None) -> bool:
    """Return whether a command can be forked.

    True for TABLECTL and for sys.executable with `-m` or `-c`, if the interpreter's variables are those of this one.
    """
    program, *words = map(os.fspath, command)
    forkable = program == str(TABLECTL) or (program == sys.executable and words[:1] in (["-m"], ["-c"]))
    return forkable and startup(os.environ if environment is None else environment) == OURS


class ForkableProgram(subprocess.Popen[Any]):
    """`subprocess.Popen` for a command that can be forked in place of executed (see `can_fork`)."""

    def _execute_child(self, *given: Any) -> None:
        arguments = inspect.signature(super()._execute_child).bind(*given).arguments
        assert {name: arguments[name] for name in DEFAULTS} == DEFAULTS, "start it with subprocess.Popen"
        assert can_fork(arguments["args"], arguments["env"]), "start it with subprocess.Popen"
        request = fork_server.Request(
            command=[os.fspath(word) for word in arguments["args"]],
            directory=str(Path(arguments["cwd"] or ".").absolute()),
            environment=dict(os.environ if arguments["env"] is None else arguments["env"]),
            session=arguments["start_new_session"],
            parent=os.getpid(),
        )
        files = [arguments[name] for name in ("p2cread", "c2pwrite", "errwrite")]
        self.pid = _server(os.getpid()).fork(request, [own if file == -1 else file for own, file in enumerate(files)])
        self._child_created = True
        self._close_pipe_fds(*(arguments[name] for name in PIPES))


def finish(command: Sequence[str | Path], stdin_text: str | None = None, **options: Any) -> "CompletedProcess[str]":
    """Run a program to its end, as `subprocess.run` does; return its output as text and its exit code."""
    pipes = dict.fromkeys(("stdout", "stderr", "stdin")[: 2 if stdin_text is None else 3], subprocess.PIPE)
    with ForkableProgram(command, text=True, **{**pipes, **options}) as program:
        try:
            output, errors = program.communicate(stdin_text, timeout=PATIENCE)
        finally:
            program.kill()
    return CompletedProcess(program.args, program.returncode, output, errors)
