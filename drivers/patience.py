"""Timing for a missing device: when to look for it again, and when to report why it is missing.

A cause is reported once; a cause that may pass by itself only after it has lasted for a while. Times are seconds of one
monotonic clock; this module reads no clock itself.
"""

from dataclasses import dataclass


class DeviceCannotServe(Exception):
    """Error: the device cannot serve; the text says why.

    `passing`: the cause may go away by itself in a moment.
    """

    def __init__(self, reason: str, *, passing: bool = True) -> None:
        super().__init__(reason)
        self.passing = passing


@dataclass(slots=True)
class Patience:
    """State of the search for a missing device."""

    patience_s: float
    retry_s: float  # between tries while patience lasts
    poll_s: float  # between looks when there is nothing to do
    longest_poll_s: float  # reached by doubling, once for each time that the device was open for less than this
    _reason: str = ""
    _tell_at: float = 0.0
    _is_reported: bool = False
    _short_lives: int = 0
    _asked: bool = False

    def forget(self) -> None:
        """Forget what was reported; the next absence is reported too. Any thread may call this."""
        self._reason, self._asked = "", True

    def note_absence(self) -> bool:
        """Note that there is no such device: an earlier trouble is over. Returns True if that is to be reported."""
        self._reason = ""
        if not self._asked:  # no write here: it could undo a `forget` in another thread
            return False
        self._asked = False
        return True

    def note_trouble(self, trouble: DeviceCannotServe, now: float) -> str | None:
        """Note that the device is there and cannot serve; returns the reason if it is to be reported now."""
        if self._reason != str(trouble):
            self._reason, self._is_reported = str(trouble), False
            self._tell_at = now + self.patience_s * trouble.passing
        if self._is_reported or now < self._tell_at:
            return None
        self._is_reported = True
        return self._reason

    def note_service(self, seconds: float) -> None:
        """Note that the device was open for that long."""
        self._reason = ""
        self._short_lives = self._short_lives + 1 if seconds < self.longest_poll_s else 0

    def pause(self) -> float:
        """Seconds to wait before the next attempt to open the device."""
        if self._reason and not self._is_reported:
            return self.retry_s
        return min(self.poll_s * 2.0 ** min(self._short_lives, 10), self.longest_poll_s)
