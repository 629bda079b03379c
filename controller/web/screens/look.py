"""Input of the composers of screens: a snapshot of a table.

A composer is a pure function of this snapshot and the language.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from ...config.shifts import ShiftsSection
from ...core.came import Why
from ...core.clock import Time
from ...core.coded_message import CodedMessage
from ...core.house import House
from ...core.records import ShoeEnded
from ...core.state import Draw, State
from ...rules.procedure import Step


class Ended(Struct, frozen=True):
    """Settled round, with its outcome and time."""

    round: int
    outcome: dict[str, Any]
    manual: bool = False
    at: Time = 0  # when
    lying: Mapping[str, Sequence[Draw]] = {}  # its cards by place; none of a round from before the program's start


class LastVoid(Struct, frozen=True):
    """Cancelled round, with the reason."""

    round: int
    why: Why


class LastNotice(Struct, frozen=True):
    """Notice to players, shown for a while."""

    kind: Literal["closed", "resumed", "cancelled", "corrected"]
    at: Time
    round: int = 0


class Fitted(Struct, frozen=True):
    """Equipment of the table: devices, panel keys, language, shifts."""

    devices: tuple[str, ...] = ()  # shoe, panel, beacon, badge_reader
    keys: frozenset[str] = frozenset()  # the meanings of the panel's keys; the others are on the dealer's screen
    language: str = "en"  # of a screen for which no other is asked
    shifts: ShiftsSection = ShiftsSection()


class Look(Struct, frozen=True):
    """Snapshot of one table: state, next step, house, results and notices."""

    state: State
    due: Step | None
    house: House
    halted: CodedMessage | str | None = None  # why nothing can be recorded
    results: tuple[Ended, ...] = ()  # of this shoe, the oldest first; where every round has its own deck, the latest
    notices: tuple[LastNotice, ...] = ()  # the oldest first
    fitted: Fitted = Fitted()
    voids: tuple[LastVoid, ...] = ()  # the latest, the oldest first
    ended: ShoeEnded | None = None  # account of the shoe that was taken away last
    halted_at: Time = 0  # since when nothing can be recorded

    @property
    def training(self) -> bool:
        """True if the round in progress, or else the table, is for training."""
        return self.state.round.terms.training if self.state.live else self.house.terms.training
