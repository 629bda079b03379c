"""Common timer of a program for all regular checks, so that it wakes up less often.

A wake-up costs a program more than most of its checks. So checks that nobody waits for run at common times, the beats,
and the program sleeps in between. Each program has its own beats: the tables of one PC do not all wake at once.
"""

import time

ORIGIN = time.monotonic()  # time at which this program began


def seconds_to_beat(every: float) -> float:
    """Seconds to the next beat; one that is nearer than half a period is skipped. `every`: the period.

    So a check that ran late, or slightly early, is not repeated at once.
    """
    wait = every - (time.monotonic() - ORIGIN) % every
    return wait if wait > every / 2 else wait + every
