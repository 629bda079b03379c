"""The `[clock]` of a table's config: how far the PC's clock is believed when a table starts.

A start that is refused says what was found, and the line that lets it be.
"""

from typing import Annotated

from msgspec import Meta

from .. import Unusable
from ..core.clock import DAY, Time, to_text
from .sections import Section

Days = Annotated[int, Meta(ge=0, le=36_500)]


class WrongClock(Unusable):
    """The PC's clock cannot be right, by what has been recorded."""


class ClockSection(Section, frozen=True):
    """What a start makes of the clock."""

    wait: Annotated[int, Meta(ge=0, le=600)] = 60  # seconds the PC has been up until which a start waits for NTP
    behind_days: Days = 1  # that the clock may be behind the record
    ahead_days: Days = 14  # that it may be ahead of the record: as long as a table stands idle

    def check(self, recorded: Time, now: Time) -> None:
        """Raises WrongClock for a clock that is too far from the last record."""
        for key, days, far, where in (
            ("behind_days", self.behind_days, recorded - now, "before"),
            ("ahead_days", self.ahead_days, now - recorded, "after"),
        ):
            if far > days * DAY:
                raise WrongClock(
                    f"the PC's clock says {_shown(now)}, {far / DAY:.1f} days {where} the last record "
                    f"({_shown(recorded)}): set it (timedatectl); if it is right, start once with "
                    f"[clock] {key} = {far // DAY + 1}"
                )


def _shown(at: Time) -> str:
    text = to_text(at)
    return f"{text[:10]} {text[11:16]} UTC"
