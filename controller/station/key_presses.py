"""Filter of a panel's key presses: a finger that presses FINISH twice at once has pressed it once.

The second press would count for the step that came by the first: FINISH turns a hand over, and would then confirm the
result or report a missing card. Of the other keys the table itself knows what a second press means. The screen's keys
have the same bound, in pages/keys.js.
"""

import time
from collections.abc import Callable

from ..core import events as e

BOUNCE = 0.7  # seconds for which a person's FINISH is not heard again, if no other key is pressed meanwhile


class KeyPresses:
    """Passes presses of keys on, FINISH once.

    `pace`: how many times faster than people an emulated panel is pressed; `now`: returns a steady time in seconds.
    """

    def __init__(
        self, take: Callable[[e.Event], None], pace: float = 1.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._take, self._bounce, self._now = take, BOUNCE / max(1.0, pace), now
        self._finished: float | None = None  # when FINISH was pressed, if it was pressed last

    def press(self, key: e.Key) -> None:
        """Pass the press on, unless it is of FINISH and follows another of it at once."""
        now, before = self._now(), self._finished
        self._finished = now if key == "finish" else None
        if self._finished is None or before is None or now - before >= self._bounce:
            self._take(e.KeyPressed(key))
