"""Filter of a panel's key presses: a finger that presses twice at once has pressed once.

The second press would count for the step that came by the first: FINISH turns a hand over, and would then confirm the
result or report a missing card. The screen's keys have the same bound, in pages/keys.js.
"""

import time
from collections.abc import Callable

from ..core import events as e

BOUNCE = 0.7  # seconds for which the key that was pressed last is not heard again
TWICE: frozenset[e.Key] = frozenset({"close"})  # keys that are meant to be pressed twice


class KeyPresses:
    """Passes presses of keys on, each once. `now`: returns a steady time in seconds."""

    def __init__(self, take: Callable[[e.Event], None], now: Callable[[], float] = time.monotonic) -> None:
        self._take, self._now = take, now
        self._last: tuple[e.Key, float] | None = None

    def press(self, key: e.Key) -> None:
        """Pass the press on, unless the press before it was of the same key, less than BOUNCE seconds ago."""
        now, last = self._now(), self._last
        self._last = key, now
        if last is None or last[0] != key or now - last[1] >= BOUNCE or key in TWICE:
            self._take(e.KeyPressed(key))
