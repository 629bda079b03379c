"""The `[shifts]` section: times and zone at which shifts begin; days and shifts that follow from it.

Days and shifts are as long as the studio's clocks make them, also in the night in which the clocks are changed.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Struct

from ..core.clock import SECOND, Time
from ..text.errors import quote
from .mistakes import BadConfig
from .sections import Section

USUAL = ("06:00", "14:00", "22:00")
HOUR: Time = 3600 * SECOND


class Period(Struct, frozen=True):
    """Day or shift; `until` is not included. Raises ValueError, OverflowError at the limits of dates."""

    kind: Literal["day", "shift"]
    since: Time
    until: Time
    zone: tzinfo

    def __post_init__(self) -> None:
        for at in (self.since - SECOND, self.until):
            self.local(at)

    def __str__(self) -> str:
        since, until = self.local(self.since), self.local(self.until)
        same, zone = since.date() == until.date(), f" {since:%Z}" if self.has_clock_change else ""
        return f"{since:%Y-%m-%d %H:%M}{zone} – {until:{'%H:%M' if same else '%Y-%m-%d %H:%M'}} {until:%Z}"

    def local(self, at: Time) -> datetime:
        """Return a time as local time of the period's zone."""
        return local(at, self.zone)

    @property
    def has_clock_change(self) -> bool:
        """True if the clocks are changed within the period."""
        return self.local(self.since).utcoffset() != self.local(self.until).utcoffset()

    def hours(self) -> Iterator[int]:
        """Yield the hours of the day that the period touches, in order."""
        at, hours = self.since, dict[int, None]()
        while at < self.until:
            hours[self.local(at).hour] = None
            at += 900 * SECOND
        yield from hours


class ShiftsSection(Section, frozen=True):
    """Beginnings of shifts, in local time of `zone`."""

    begin: tuple[str, ...] = USUAL  # times at which a shift begins
    zone: str = "UTC"  # time zone, by its name in the IANA database

    def check(self) -> None:
        """Check times and time zone. Raises BadConfig."""
        try:
            minutes_of(",".join(self.begin))
        except ValueError:
            raise BadConfig(
                f'shifts.begin: expected hours such as ["06:00", "14:00", "22:00"], got {quote(", ".join(self.begin))}'
            ) from None
        try:
            zone_named(self.zone)
        except ValueError:
            raise BadConfig(
                f"shifts.zone: expected a time zone such as Europe/Bucharest, got {quote(self.zone)}"
            ) from None

    @property
    def minutes(self) -> tuple[int, ...]:
        """Beginnings of shifts, in minutes of the day."""
        return minutes_of(",".join(self.begin))

    @property
    def time_zone(self) -> tzinfo:
        """Time zone of the studio. Raises ValueError if it does not exist."""
        return zone_named(self.zone)


def shift_at(moment: Time, minutes: Sequence[int], zone: tzinfo) -> Period:
    """Return the shift that contains a time. `minutes`: beginnings of shifts in minutes of the day."""
    return shift_and_begin(moment, minutes, zone)[0]


def shift_and_begin(moment: Time, minutes: Sequence[int], zone: tzinfo) -> tuple[Period, int]:
    """Return the shift that contains a time, and the minute of the day at which it begins by the configuration.

    Clocks may show another minute then: a time that they skip is as long after midnight as on any other day.
    """
    day = local(moment, zone).date()
    days = [day + timedelta(days=ahead) for ahead in (-1, 0, 1, 2)]
    begins = {_time(one, minute, zone): minute for one in days for minute in sorted(minutes)}
    since = max(begin for begin in begins if begin <= moment)
    until = min(begin for begin in begins if begin > moment)
    return Period("shift", since, until, zone), begins[since]


def local(at: Time, zone: tzinfo) -> datetime:
    """Return a time as local time of a zone."""
    return datetime.fromtimestamp(at / SECOND, zone)


def hour_at(at: Time, zone: tzinfo) -> Time:
    """Return the beginning of the hour of a zone's clocks that contains a time."""
    ahead = int((local(at, zone).utcoffset() or timedelta()).total_seconds()) * SECOND
    return (at + ahead) // HOUR * HOUR - ahead


def day_of(day: date, zone: tzinfo) -> Period:
    """Return a day as a period, from midnight to midnight."""
    return Period("day", _time(day, 0, zone), _time(day + timedelta(days=1), 0, zone), zone)


def minutes_of(text: str) -> tuple[int, ...]:
    """Parse times such as `06:00,14:00` to minutes of the day. Raises ValueError."""
    hours = [re.fullmatch(r"([01][0-9]|2[0-3]):([0-5][0-9])", hour.strip()) for hour in text.split(",")]
    if not all(hours):
        raise ValueError(text)
    return tuple(int(hour[1]) * 60 + int(hour[2]) for hour in hours if hour)


def zone_named(name: str) -> tzinfo:
    """Return the time zone of an IANA name. Raises ValueError if there is none."""
    try:
        return UTC if name == "UTC" else ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError(name) from None


def _time(day: date, minute: int, zone: tzinfo) -> Time:
    return int(datetime.combine(day, time(minute // 60, minute % 60), zone).timestamp()) * SECOND
