"""The `[shifts]` of a table's config: when they begin, by which clocks; and which days and shifts that makes.

A day or a shift is as long as the studio's clocks make it, also in the night in which they are set.
"""

import re
from collections.abc import Iterator, Sequence
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

    def __str__(self) -> str:
        since, until = self.local(self.since), self.local(self.until)
        same = since.date() == until.date()
        return f"{since:%Y-%m-%d %H:%M} – {until:{'%H:%M' if same else '%Y-%m-%d %H:%M'}} {since:%Z}"

    def local(self, at: Time) -> datetime:
        """A time as the clocks there show it."""
        return local(at, self.zone)

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

    begin: tuple[str, ...] = USUAL  # the hours at which one begins
    zone: str = "UTC"  # by which clocks: a name of the IANA database

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

    @property
    def minutes(self) -> tuple[int, ...]:
        """When they begin, in minutes of the day."""
        return minutes_of(",".join(self.begin))

    @property
    def there(self) -> tzinfo:
        """By whose clocks."""
        return zone_named(self.zone)


def shift_at(moment: Time, minutes: Sequence[int], zone: tzinfo) -> Period:
    """The shift in which a time is, of those that begin in these minutes of the day."""
    day = local(moment, zone).date()
    days = [day + timedelta(days=ahead) for ahead in (-1, 0, 1, 2)]
    begins = sorted({_time(one, minute, zone) for one in days for minute in minutes})
    since = max(begin for begin in begins if begin <= moment)
    return Period("shift", since, min(begin for begin in begins if begin > moment), zone)


def local(at: Time, zone: tzinfo) -> datetime:
    """A time as the clocks there show it."""
    return datetime.fromtimestamp(at / SECOND, zone)


def day_of(day: date, zone: tzinfo) -> Period:
    """A day, from midnight to midnight."""
    return Period("day", _time(day, 0, zone), _time(day + timedelta(days=1), 0, zone), zone)


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
