"""Parser for a keyboard's node (/dev/input/event...): a stream of `struct input_event`.

How sure: the kernel's own headers (linux/input.h, input-event-codes.h) and Documentation/input/event-codes.rst.

An event is its time (seconds, microseconds), a type, a code and a value, in the machine's byte order. Two types matter
here. EV_KEY (1): value 1 down, 0 up, 2 held. EV_SYN (0): its code SYN_DROPPED (3) says that events were lost;
everything up to the next SYN_REPORT (0) is discarded, and it is not known which keys are held.

No library: python-evdev has no wheel for arm64, so such a PC would need a compiler.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

EVENT: Final = struct.Struct("@llHHi")
EV_SYN, EV_KEY = 0, 1
SYN_REPORT, SYN_DROPPED = 0, 3
UP, DOWN = 0, 1
EVIOCGRAB, EVIOCSCLOCKID = 0x40044590, 0x400445A0  # _IOW('E', 0x90, int), _IOW('E', 0xa0, int)


@dataclass(frozen=True, slots=True)
class Key:
    """Key that went down or up."""

    code: int
    down: bool
    at: float  # time in seconds, by a clock of the kernel


@dataclass(frozen=True, slots=True)
class Dropped:
    """Marker that keys were lost at this point."""


class InputEvents:
    """Parser from bytes to keys; the stream may come in any chunks."""

    def __init__(self) -> None:
        self._held = b""
        self._skips = False  # True: events are discarded up to the next report

    def clear(self) -> None:
        """Forget a partly received event."""
        self._held, self._skips = b"", False

    def feed(self, data: bytes) -> Iterator[Key | Dropped]:
        """Yield the key events that these bytes complete."""
        data = self._held + data
        whole = len(data) - len(data) % EVENT.size
        self._held = data[whole:]
        for seconds, micros, kind, code, value in EVENT.iter_unpack(data[:whole]):
            if kind == EV_SYN and code == SYN_DROPPED:
                self._skips = True
                yield Dropped()
            elif self._skips:
                self._skips = (kind, code) != (EV_SYN, SYN_REPORT)
            elif kind == EV_KEY and value in (UP, DOWN):
                yield Key(code, value == DOWN, seconds + micros / 1e6)
