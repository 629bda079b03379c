"""Input of the composers of screens: a snapshot of a table.

A composer is a pure function of this snapshot and the language.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Literal

from msgspec import Struct

from ...config.shifts import ShiftsSection
from ...core.causes import VoidReason
from ...core.clock import Time
from ...core.coded_message import CodedMessage
from ...core.hands import hands
from ...core.house import House, Terms
from ...core.open_fault import RulingLimit
from ...core.records import ShoeEnded
from ...core.state import Draw, State
from ...rules.procedure import Step


class LatestResult(Struct, frozen=True):
    """Settled round, with its outcome and time."""

    round: int
    outcome: dict[str, Any]
    manual: bool = False
    at: Time = 0  # time of the settlement
    lying: Mapping[str, Sequence[Draw]] = {}  # its cards by place; empty for a round before the start of the program


class LastVoid(Struct, frozen=True):
    """Cancelled round, with the reason."""

    round: int
    why: VoidReason


class LastNotice(Struct, frozen=True):
    """Notice to players, shown for a while."""

    kind: Literal["closed", "resumed", "cancelled", "corrected"]
    at: Time
    round: int = 0


class Equipment(Struct, frozen=True):
    """Equipment of the table: devices, panel keys, language, shifts."""

    devices: tuple[str, ...] = ()  # shoe, panel, beacon, badge_reader
    keys: frozenset[str] = frozenset()  # meanings of the panel's keys; all other keys are on the dealer's screen
    language: str = "en"  # default language of screens
    shifts: ShiftsSection = ShiftsSection()


class TableSnapshot(Struct, frozen=True, dict=True):
    """Snapshot of one table: state, next step, house, results and notices."""

    state: State
    due: Step | None
    house: House
    halted: CodedMessage | str | None = None  # reason why nothing can be recorded
    results: tuple[LatestResult, ...] = ()  # of this shoe, or with a deck for every round the latest; the oldest first
    notices: tuple[LastNotice, ...] = ()  # the oldest first
    equipment: Equipment = Equipment()
    voids: tuple[LastVoid, ...] = ()  # the latest cancelled rounds, the oldest of them first
    ended: ShoeEnded | None = None  # record of the shoe that was taken away last
    halted_at: Time = 0  # time since which nothing can be recorded
    ruling_limit: RulingLimit | None = None  # what the clock does if nobody rules on the open fault
    has_doubles: bool = False  # more copies of a card lie open in a paused round than the deck holds

    @cached_property
    def live(self) -> bool:
        """True if a round is live, paused or not."""
        return self.state.live

    @cached_property
    def cards_by_place(self) -> Mapping[str, Sequence[Draw]]:
        """Cards of the round by place, see `hands`."""
        return hands(self.state.round)

    @cached_property
    def terms(self) -> Terms:
        """Terms that apply now: of the live round, or else of the table."""
        return self.state.terms(self.house.terms)
