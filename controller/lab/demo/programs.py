"""Run the programs of a studio demo: start them, read their output, restart and end them.

No program outlives the demo, even if the demo is killed: the kernel then signals the programs.
"""

import asyncio
import shutil
import signal
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from ... import Unusable
from ...text.errors import shorten_to_line

PATIENCE = 10.0  # seconds for a program to end
FALLS = 3  # crashes after which a program that has never worked is given up
AGAIN, LONGEST = 1.0, 30.0  # seconds until a restart: the first, doubled after each further crash up to the second
SOON = 10.0  # seconds; a crash after a longer run begins a new row
WITH_US: Sequence[str] = ("setpriv", "--pdeathsig", "TERM") if shutil.which("setpriv") else ()


class Fallen(Unusable):
    """Error in one line: a program could not be started or keeps crashing."""


class Program(NamedTuple):
    """Program to run. `given`: text for its standard input; `log`: file for its standard error."""

    name: str
    command: tuple[str, ...]
    log: Path
    given: bytes = b""


class SupervisedProgram:
    """Supervisor of one program. `hear`: called with each line it prints; `tell`: with each change of it."""

    def __init__(self, program: Program, hear: Callable[[str], object], tell: Callable[[str], object]) -> None:
        self.program, self._hear, self._tell = program, hear, tell
        self._process: Process | None = None
        self.stands = asyncio.Event()  # set after its first line, by others who see it work, or at its end

    async def keep(self) -> None:
        """Run the program, and restart it after crashes, until it exits with code 0. Raises Fallen."""
        falls = row = 0
        while True:
            since = time.monotonic()
            code = await self._run()
            if code == 0:
                self.stands.set()
                return
            falls, row = falls + 1, row + 1 if time.monotonic() - since < SOON else 1
            if falls >= FALLS and not self.stands.is_set():
                raise Fallen(f"{self.program.name} does not stand: {self._last_words() or _describe_exit(code)}")
            self._tell(f"{_describe_exit(code)}: it is started again")
            await asyncio.sleep(min(AGAIN * 2 ** (row - 1), LONGEST))

    async def _run(self) -> int:
        """Run the program once and return its exit code."""
        with self.program.log.open("ab") as log:
            self._process = process = await _start_program(self.program, log)
        assert process.stdin is not None  # noqa: S101 - it is a pipe
        assert process.stdout is not None  # noqa: S101 - it is a pipe too
        with suppress(ConnectionError):  # the program may have crashed at once
            process.stdin.write(self.program.given)
            await process.stdin.drain()
        process.stdin.close()
        async for line in process.stdout:
            self._hear(line.decode(errors="replace").rstrip("\n"))
            self.stands.set()
        return await process.wait()

    async def end(self) -> None:
        """Terminate the program; kill it if it does not end within `PATIENCE` seconds."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        with suppress(ProcessLookupError):
            process.send_signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(PATIENCE):
                await process.wait()
        except TimeoutError:
            self._tell("it does not end: killed")
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()

    def _last_words(self) -> str:
        words = self.program.log.read_text(encoding="utf-8", errors="replace").split("\n")
        return shorten_to_line(next((line for line in reversed(words) if line.strip()), "")).removeprefix("tablectl: ")


async def _start_program(program: Program, log: BinaryIO) -> Process:
    """Start a program in a session of its own. Raises Fallen.

    So a Ctrl-C at the terminal reaches only the demo, which ends its programs in their order.
    """
    try:
        return await asyncio.create_subprocess_exec(
            *WITH_US, *program.command, stdin=PIPE, stdout=PIPE, stderr=log, start_new_session=True
        )
    except OSError as error:
        raise Fallen(f"{program.name} cannot be started: {error.strerror}") from None


def _describe_exit(code: int) -> str:
    return f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
