"""The `[shifts]` of a table's config: when they begin, by the clocks of which zone; and which days and shifts that makes.

A day or a shift is as long as the studio's clocks make it, also in the night in which they are set.
"""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from ..core.clock import SECOND, Time
from ..text.errors import shown
from .mistakes import BadConfig
from .sections import Section

USUAL = ("06:00", "14:00", "22:00")


class Period(Struct, frozen=True):
    """A day or a shift. `until` is not in it."""

    kind: Literal["day", "shift"]
    since: Time
    until: Time
    zone: tzinfo

    def local(self, at: Time) -> datetime:
        """A time as the clocks there show it."""
        return datetime.fromtimestamp(at / SECOND, self.zone)

    @property
    def is_set(self) -> bool:
        """Whether the clocks are set within it."""
        return self.local(self.since).utcoffset() != self.local(self.until).utcoffset()

    def hours(self) -> Iterator[int]:
        """Those of the day that it touches, in their order."""
        at, seen = self.since, dict[int, None]()
        while at < self.until:
            seen[self.local(at).hour] = None
            at += 900 * SECOND
        yield from seen


class ShiftsSection(Section, frozen=True):
    """When they begin."""

    begin: tuple[str, ...] = USUAL
    zone: str = "UTC"

    def check(self) -> None:
        """Raises BadConfig."""
        try:
            minutes_of(",".join(self.begin))
        except ValueError:
            raise BadConfig(
                f'shifts.begin: expected hours such as ["06:00", "14:00", "22:00"], got {shown(", ".join(self.begin))}'
            ) from None
        try:
            zone_named(self.zone)
        except ValueError:
            raise BadConfig(
                f"shifts.zone: expected a time zone such as Europe/Bucharest, got {shown(self.zone)}"
            ) from None

    def at(self, moment: Time, zone: tzinfo | None = None) -> Period:
        """The shift in which a time is."""
        there = zone or zone_named(self.zone)
        day = datetime.fromtimestamp(moment / SECOND, there).date()
        minutes = minutes_of(",".join(self.begin))
        days = [day + timedelta(days=ahead) for ahead in (-1, 0, 1, 2)]
        begins = sorted({_time(one, minute, there) for one in days for minute in minutes})
        since = max(begin for begin in begins if begin <= moment)
        return Period("shift", since, min(begin for begin in begins if begin > moment), there)

    def day(self, of: date, zone: tzinfo | None = None) -> Period:
        """A day, from midnight to midnight."""
        there = zone or zone_named(self.zone)
        return Period("day", _time(of, 0, there), _time(of + timedelta(days=1), 0, there), there)


def minutes_of(text: str) -> tuple[int, ...]:
    """`06:00,14:00` in minutes of the day. Raises ValueError."""
    hours = [re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])", hour.strip()) for hour in text.split(",")]
    if not all(hours):
        raise ValueError(text)
    return tuple(int(hour[1]) * 60 + int(hour[2]) for hour in hours if hour)


def zone_named(name: str) -> tzinfo:
    """Raises ValueError for one that there is not."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(name) from None


def _time(day: date, minute: int, zone: tzinfo) -> Time:
    return int(datetime.combine(day, time(minute // 60, minute % 60), zone).timestamp()) * SECOND
