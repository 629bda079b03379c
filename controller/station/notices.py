"""Log notices of devices that concern only engineers.

The same notice is logged a few times, then counted: a device that repeats it without end fills no disk.
"""

import asyncio
import time
from collections import Counter, defaultdict, deque

import structlog

from ..core.bounds import FOLDED_SECONDS, NOTICES


class Notices:
    """Log of one device's notices."""

    def __init__(self, device: str, table: str) -> None:
        self._log = structlog.get_logger().bind(table=table, device=device)
        self._event = f"{device}_notice"
        self._times: dict[str, deque[float]] = defaultdict(lambda: deque(maxlen=NOTICES))  # times of its lines
        self._folded: Counter[str] = Counter()  # notices that were not logged

    def tell(self, notice: str = "", **fields: str) -> None:
        """Log a notice; count it instead if the same one was logged NOTICES times within FOLDED_SECONDS."""
        now, times = time.monotonic(), self._times[notice]
        if len(times) < NOTICES or now - times[0] > FOLDED_SECONDS:
            times.append(now)
            self._write(notice, **fields)
            return
        if not self._folded[notice]:
            asyncio.get_running_loop().call_later(FOLDED_SECONDS, self._tell_folded, notice)
        self._folded[notice] += 1

    def _tell_folded(self, notice: str) -> None:
        self._write(notice, repeated=f"{self._folded.pop(notice):,} times")

    def _write(self, notice: str, **fields: str) -> None:
        self._log.warning(self._event, **({"said": notice} if notice else {}), **fields)
