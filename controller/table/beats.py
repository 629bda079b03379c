"""Common timer of a program for all regular checks, so that it wakes up less often.

To wake costs a program more than most of its looks. So looks that nobody waits for fall on one beat, and the program
sleeps in between. Each program has a beat of its own: the tables of one PC do not all wake at the same moment.
"""

import time

ORIGIN = time.monotonic()  # when this program began


def seconds_to_beat(every: float) -> float:
    """Seconds to the next beat of this length; one nearer than half a beat is left out.

    So a look that comes too late, or a trifle too early, is not made twice.
    """
    wait = every - (time.monotonic() - ORIGIN) % every
    return wait if wait > every / 2 else wait + every
