"""Server process that has imported all of tablectl and forks programs for `processes.Program`.

`python fork_server.py LINE`: LINE is the number of a socket's file descriptor. Each message on it is one byte with four
file descriptors: standard input, output and error of a new program, and a file with its `Request`. The program answers
with its process id, once it is a child of the process that asked.
"""

import atexit
import gc
import io
import json
import locale
import os
import pkgutil
import runpy
import signal
import socket
import sys
import tempfile
import threading
import time
from contextlib import ExitStack, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn, TypedDict

PACKAGES = ("controller", "drivers")


class Request(TypedDict):
    """Command to run, and its surroundings as `subprocess.Popen` takes them."""

    command: list[str]  # the console script or Python, and its arguments
    directory: str
    environment: dict[str, str]
    session: bool  # whether the program starts a new session
    parent: int  # process id of the requester, which adopts orphaned descendants


def preload() -> None:
    """Import all modules of the product. A broken module fails later, in the program that needs it."""
    for package in PACKAGES:
        with suppress(Exception):
            for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
                with suppress(Exception):
                    import_module(module.name)
    with suppress(Exception):
        digests()


def digests() -> None:
    """Compute the digests of the rule sheets: each takes longer than the rest of a table's start."""
    for game in import_module("controller.games").GAMES.values():
        import_module("controller.core.sheet").digest(game)


def serve(line: socket.socket) -> Request | None:
    """Fork a program for each message. Returns the request in each program, None when the socket closes."""
    while True:
        message, files, _, _ = socket.recv_fds(line, 1, 4)
        if not message:
            return None
        if not (middle := os.fork()):
            if os.fork():
                os._exit(0)  # so that the program gets another parent
            with line:
                return take_over(line, *files)
        for file in files:
            os.close(file)
        os.waitpid(middle, 0)


def take_over(line: socket.socket, stdin: int, stdout: int, stderr: int, request: int) -> Request:
    """Set parent, files, folder, environment and signals as for a new interpreter; return the request."""
    with open(request, encoding="utf-8") as file:
        fields: Request = json.load(file)
    for number, file in enumerate((stdin, stdout, stderr)):
        os.dup2(file, number)
        os.close(file)
    if fields["session"]:
        os.setsid()
    while os.getppid() != fields["parent"]:
        time.sleep(0.0001)
    line.send(b"%d" % os.getpid())
    os.chdir(fields["directory"])
    os.environ.clear()
    os.environ.update(fields["environment"])
    time.tzset()
    tempfile.tempdir = None
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__ = standard_files()
    return fields


def standard_files() -> tuple[Any, Any, Any]:
    """Return standard input, output and error, opened as `python` opens them."""
    encoding = locale.getencoding()
    at_once = bool(os.environ.get("PYTHONUNBUFFERED"))
    stdout, stderr = (os.fdopen(number, "wb", 0 if at_once else -1) for number in (1, 2))
    return (
        open(0, encoding=encoding),
        io.TextIOWrapper(stdout, encoding, line_buffering=os.isatty(1), write_through=at_once),
        io.TextIOWrapper(stderr, encoding, "backslashreplace", line_buffering=True, write_through=at_once),
    )


def run(request: Request) -> None:
    """Run the command as `python` does and end the process with its exit code; never returns."""
    with ExitStack() as stack:
        stack.push(leave)
        call(request)


def call(request: Request) -> None:
    """Run the command's module (`-m`) or code (`-c`); for any other command, run tablectl."""
    program, *words = request["command"]
    match words:
        case ["-m", module, *rest]:
            sys.argv, sys.path[0] = [module, *rest], request["directory"]
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        case ["-c", code, *rest]:
            sys.argv, sys.path[0] = ["-c", *rest], ""
            exec(compile(code, "<string>", "exec"), {"__name__": "__main__"})
        case _:
            sys.argv, sys.path[0] = [program, *words], str(Path(program).parent)
            sys.exit(import_module("controller.cli").main())


def leave(_kind: object, error: BaseException | None, _trace: object) -> NoReturn:
    """End this process as the interpreter does, but without taking all modules apart."""
    code = code_of(error)
    threading._shutdown()
    atexit._run_exitfuncs()
    gc.collect()  # objects that were not closed or awaited warn now
    try:
        if not sys.stdout.closed:
            sys.stdout.flush()
    except OSError:
        code = 120
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    if code < 0:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code & 0xFF)


def code_of(error: BaseException | None) -> int:
    """Print an error as the interpreter does; return the exit code, negative for a signal."""
    if isinstance(error, SystemExit):
        if isinstance(error.code, int | None):
            return error.code or 0
        print(error.code, file=sys.stderr)
        return 1
    if error is None:
        return 0
    sys.excepthook(type(error), error, error.__traceback__)
    return -signal.SIGINT if isinstance(error, KeyboardInterrupt) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C ends the tests, which end this process
    preload()
    gc.collect()
    gc.freeze()
    if asked := serve(socket.socket(fileno=int(sys.argv[1]))):
        run(asked)
