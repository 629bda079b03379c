"""The table opens and closes, and what it would not do."""

from ..codes import IgnoredReason, Life, StartReason
from ..events import Event
from .fact import Fact


class TableOpened(Fact, frozen=True, tag="table_opened"):
    """The table is open for play."""

    by: str


class TableClosed(Fact, frozen=True, tag="table_closed"):
    """The table is closed: no round starts."""

    by: str


class StartRefused(Fact, frozen=True, tag="start_refused"):
    """A round could not be opened."""

    reason: StartReason


class StartsRefused(Fact, frozen=True, tag="starts_refused"):
    """Further refused starts, counted: `start_refused` with this reason has recorded the first."""

    reason: StartReason
    times: int
    since: str  # when the first of these was refused
    until: str  # when the last was


class Ignored(Fact, frozen=True, tag="ignored"):
    """Something that nothing can come of: it fits no state, or for another reason. Nothing changed."""

    came: Event
    state: Life
    reason: IgnoredReason | None = None  # null: the state
    full: int | None = None  # cards that a full shoe holds, where one was counted and is not full
