"""How well the PC's clock is kept, as the kernel knows it: whichever program keeps it (timesyncd, chrony, ntpd).

The kernel is only asked; nothing is set. Where it may not be asked, as in some containers, nothing is known.
"""

import ctypes
import time
from functools import cache

from msgspec import Struct

UNSYNCHRONISED, NANOSECONDS = 0x0040, 0x2000  # STA_UNSYNC and STA_NANO of <sys/timex.h>
POLL = 0.5  # seconds


class Ntp(Struct, frozen=True):
    """All of it null where nothing is known. Seconds."""

    synchronised: bool | None = None
    offset: float | None = None  # that is still to be made up for
    max_error: float | None = None  # by which the clock may be wrong


class _Timex(ctypes.Structure):
    """`struct timex` up to what is needed here, and room for the rest. No mode: nothing is set."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("freq", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


@cache
def _library() -> ctypes.CDLL:
    return ctypes.CDLL(None)


def ntp() -> Ntp:
    """As it is now."""
    told = _Timex()
    if _library().adjtimex(ctypes.byref(told)) < 0:
        return Ntp()
    unit = 1e-9 if told.status & NANOSECONDS else 1e-6
    return Ntp(not told.status & UNSYNCHRONISED, told.offset * unit, told.maxerror * 1e-6)


def wait_for_ntp(patience: int) -> Ntp:
    """Wait until the clock is synchronised, but no longer than until the PC has been up for so many seconds."""
    while (now := ntp()).synchronised is False and time.clock_gettime(time.CLOCK_BOOTTIME) < patience:
        time.sleep(POLL)
    return now
