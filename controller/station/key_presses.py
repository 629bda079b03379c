"""Filter of a panel's key presses: FINISH pressed twice at once counts once.

The second press would count for the step that is due after the first: FINISH turns a hand over, and would then confirm
the result or report a missing card. For the other keys the table itself decides what a second press means. The keys on
the screen have the same limit, in pages/keys.js.
"""

import time
from collections.abc import Callable

from ..core import events as e

BOUNCE = 0.7  # seconds in which a second FINISH is ignored, if no other key is pressed in between


class KeyPresses:
    """Filter that passes key presses on; a repeated FINISH is dropped.

    `pace`: how many times faster than people an emulated panel is pressed; `now`: returns a steady time in seconds.
    """

    def __init__(
        self, take: Callable[[e.Event], None], pace: float = 1.0, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._take, self._bounce, self._now = take, BOUNCE / max(1.0, pace), now
        self._finished: float | None = None  # when FINISH was pressed, if it was pressed last

    def press(self, key: e.Key) -> None:
        """Pass the press on, unless it is a FINISH within BOUNCE after another FINISH."""
        now, before = self._now(), self._finished
        self._finished = now if key == "finish" else None
        if self._finished is None or before is None or now - before >= self._bounce:
            self._take(e.KeyPressed(key))
