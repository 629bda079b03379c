"""Quality of the PC's clock as the kernel reports it.

Any program may keep the clock (timesyncd, chrony, ntpd). This module only asks the kernel and sets nothing. If asking
is forbidden, as in some containers, nothing is known.
"""

import ctypes
import time
from functools import cache

from msgspec import Struct

UNSYNCHRONISED, NANOSECONDS = 0x0040, 0x2000  # STA_UNSYNC and STA_NANO of <sys/timex.h>
POLL = 0.5  # seconds


class Ntp(Struct, frozen=True):
    """Synchronisation of the PC's clock, in seconds; all None if it is not known."""

    synchronised: bool | None = None
    offset: float | None = None  # error that NTP still has to correct
    max_error: float | None = None  # largest possible error of the clock


class _Timex(ctypes.Structure):
    """Beginning of the kernel's `struct timex`, with room for the rest. No mode is set: nothing changes."""

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
    """Return the present state of the PC's clock."""
    timex = _Timex()
    if _library().adjtimex(ctypes.byref(timex)) < 0:
        return Ntp()
    unit = 1e-9 if timex.status & NANOSECONDS else 1e-6
    return Ntp(not timex.status & UNSYNCHRONISED, timex.offset * unit, timex.maxerror * 1e-6)


def wait_for_ntp(patience: int) -> Ntp:
    """Wait until the clock is synchronised, at most until the PC has been up for `patience` seconds.

    Returns the last known state.
    """
    while (now := ntp()).synchronised is False and time.clock_gettime(time.CLOCK_BOOTTIME) < patience:
        time.sleep(POLL)
    return now
