"""Time as the core knows it: whole microseconds since 1970, UTC.

Text is ISO 8601 with six decimals and a `Z`.
"""

from datetime import UTC, datetime, timedelta
from functools import lru_cache

Time = int

SECOND: Time = 1_000_000
DAY: Time = 86_400 * SECOND
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_text(at: Time) -> str:
    """ISO text of a time: `2026-01-01T00:00:00.000000Z`."""
    second, part = divmod(at, SECOND)
    return f"{_second(second)}.{part:06}Z"


@lru_cache(maxsize=64)  # most records share their second with the one before
def _second(second: int) -> str:
    return (_EPOCH + timedelta(seconds=second)).isoformat()[:-6]


def from_text(text: str) -> Time:
    """Convert ISO text, such as a record's `at`, to a time. Raises ValueError."""
    at = datetime.fromisoformat(text)
    if at.tzinfo is None:
        raise ValueError(f"no zone: {text!r}")
    return (at - _EPOCH) // _MICROSECOND
