"""Port of an emulated serial device: the far end of a line that can be plugged and unplugged."""

from collections.abc import Callable
from typing import Protocol


class EmulatedPort(Protocol):
    """Far end of a line. Data that nobody reads is lost, as on a real one."""

    @property
    def name(self) -> str:
        """Name of the port in a config."""

    @property
    def is_plugged(self) -> bool:
        """True if a host can find the port."""

    def plug(self) -> None:
        """Connect the cable; does nothing if it is connected."""

    async def wait_for_host(self) -> None:
        """Wait until a host has the port open. What is sent before that is lost."""

    def unplug(self) -> None:
        """Disconnect the cable: a host with the line open reads an error. Does nothing if it is out."""

    def write(self, data: bytes) -> None:
        """Send bytes to the host."""

    def read(self) -> bytes:
        """Return the bytes that the host has sent since the last read; empty if there are none."""

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Call `received` on the running loop with each piece of data from the host, even after unplugging."""
