"""What an emulated serial device stands at: the far end of a line, to be plugged and unplugged."""

from collections.abc import Callable
from typing import Protocol


class EmulatedPort(Protocol):
    """The far end of a line. What nobody reads is lost, as on a real one."""

    @property
    def name(self) -> str:
        """What a config calls it."""

    @property
    def plugged(self) -> bool:
        """Whether a host can find it."""

    def plug(self) -> None:
        """Put the cable in; nothing to do if it is."""

    def unplug(self) -> None:
        """Pull the cable: a host that has the line open reads an error. Nothing to do if it is out."""

    def write(self, data: bytes) -> None:
        """To the host."""

    def read(self) -> bytes:
        """What the host has sent since the last read; empty if nothing."""

    def watch(self, received: Callable[[bytes], object]) -> None:
        """Call `received` with what the host sends, as it comes, on the running loop; across unplugging too."""
