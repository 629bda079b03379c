"""Time as the core knows it: whole microseconds since 1970, UTC. Text is ISO 8601 with six decimals and a `Z`."""

from datetime import UTC, datetime, timedelta

Time = int

SECOND: Time = 1_000_000
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def to_text(at: Time) -> str:
    """`2026-01-01T00:00:00.000000Z`."""
    return (_EPOCH + timedelta(microseconds=at)).isoformat(timespec="microseconds")[:-6] + "Z"


def from_text(text: str) -> Time:
    """The time a record's `at` stands for. Raises ValueError."""
    return (datetime.fromisoformat(text) - _EPOCH) // _MICROSECOND
