"""Probe that notes which functions a test runs; copied into the project as `mutants_probe.py`.

Each process appends to a file of its own in the folder $MUTANTS_NOTES: a line `=TEST` when the current test changes,
then the number of each function that runs, once. Child processes inherit the current test.
Imports the standard library only: programs of the project are started with it, by any interpreter.
"""

import fcntl
import os
from contextlib import suppress
from secrets import token_hex

NOTES = "MUTANTS_NOTES"
_ENVIRONMENT = os.environ._data  # type: ignore[attr-defined]  # bytes to bytes: reading it encodes nothing
_TEST = b"PYTEST_CURRENT_TEST"


class _State:
    """Notes of this process: its current test, functions seen, and open file."""

    def __init__(self) -> None:
        self.current: bytes | None = None  # with the phase
        self.test = b""
        self.seen: set[int] = set()
        self.file = -1

    def switch(self, current: bytes | None) -> None:
        """Note that a test, or another phase of a test, has begun."""
        test = (current or b"").rpartition(b" (")[0]
        if test != self.test or self.current is None:
            self.seen = set()
            self.test = test
            self.write(b"=" + test)
        self.current = current

    def write(self, line: bytes) -> None:
        """Append a line; a process that cannot write (other root, full disk, too many files) notes nothing."""
        with suppress(OSError, KeyError):
            if self.file < 0:
                path = f"{os.environ[NOTES]}/{os.getpid()}.{token_hex(4)}.hits"
                low = os.open(path, os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_WRONLY, 0o666)
                self.file = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, 500)  # a number that the program does not use
                os.close(low)
            os.write(self.file, line + b"\n")


_state = _State()


def _begin_anew() -> None:
    global _state
    _state = _State()


os.register_at_fork(after_in_child=_begin_anew)


def probe(number: int) -> None:
    """Note a call of function NUMBER; inserted at the start of each function of the copy."""
    state = _state
    current = _ENVIRONMENT.get(_TEST)
    if current is not state.current or state.current is None:
        state.switch(current)
    if number not in state.seen:
        state.seen.add(number)
        state.write(b"%d" % number)
