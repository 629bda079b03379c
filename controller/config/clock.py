"""The `[clock]` section: how far the PC's clock is trusted when a table starts.

The message of a refused start has both times, and the config line that allows the start.
"""

from typing import Annotated

from msgspec import Meta

from .. import Unusable
from ..core.clock import DAY, Time, to_text
from .sections import Section

Days = Annotated[int, Meta(ge=0, le=36_500)]


class WrongClock(Unusable):
    """Error: the PC's clock is too far before or after the last record."""


class ClockSection(Section, frozen=True):
    """Limits for the PC's clock at a start."""

    wait: Annotated[int, Meta(ge=0, le=600)] = 60  # a start waits for NTP until the PC has been up for so many seconds
    behind_days: Days = 1  # days that the clock may be behind the last record
    ahead_days: Days = 14  # days that it may be ahead: as long as a table may be unused

    def check(self, recorded: Time, now: Time) -> None:
        """Check that the clock is not too far from the last record. Raises WrongClock."""
        for key, days, far, where in (
            ("behind_days", self.behind_days, recorded - now, "before"),
            ("ahead_days", self.ahead_days, now - recorded, "after"),
        ):
            if far > days * DAY:
                raise WrongClock(
                    f"the PC's clock says {_time_text(now)}, {far / DAY:.1f} days {where} the last record "
                    f"({_time_text(recorded)}): set it (timedatectl); if it is right, start once with "
                    f"[clock] {key} = {far // DAY + 1}"
                )


def _time_text(at: Time) -> str:
    text = to_text(at)
    return f"{text[:10]} {text[11:16]} UTC"
