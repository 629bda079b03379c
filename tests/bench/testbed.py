"""Panel of the soak: on a umockdev testbed in a process of its own, or no panel."""

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

from tests.needs import DEBIAN_PYTHON, umockdev

UMOCK = Path(__file__).parents[1] / "drivers" / "umock" / "usb_server.py"


class NoPanel:
    """Stand-in for a panel: commands do nothing, and the table runs without umockdev."""

    environment: ClassVar[dict[str, str]] = {}

    async def do(self, command: str) -> str:
        """Accept a command and do nothing."""


class UmockPanel:
    """Panel on a umockdev testbed, controlled over the pipes of the testbed's process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.environment = {**umockdev(), "UMOCKDEV_DIR": process.stdout.readline().strip()}

    async def do(self, command: str) -> str:
        return await asyncio.to_thread(self._do, command)

    def _do(self, command: str) -> str:
        self._process.stdin.write(f"{command}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline().strip()


@contextmanager
def testbed(environment: dict[str, str]) -> Iterator["subprocess.Popen[str]"]:
    """Run a umockdev testbed with one panel."""
    pipe = subprocess.PIPE
    with subprocess.Popen(
        [DEBIAN_PYTHON, UMOCK, "xk24"], stdin=pipe, stdout=pipe, text=True, env=environment
    ) as served:
        try:
            yield served
        finally:
            served.kill()
