"""Records about the table: opened, closed, refused starts of a round, and events without effect."""

from ..codes import IgnoredReason, StageCode, StartReason
from ..events import Event
from .fact import Fact


class TableOpened(Fact, frozen=True, tag="table_opened"):
    """The table is open for play."""

    by: str


class TableClosed(Fact, frozen=True, tag="table_closed"):
    """The table is closed: no round starts."""

    by: str


class StartRefused(Fact, frozen=True, tag="start_refused"):
    """A request to open a round was refused for this reason."""

    reason: StartReason


class StartsRefused(Fact, frozen=True, tag="starts_refused"):
    """Number of further refused starts with the same reason. The first one is in `start_refused`."""

    reason: StartReason
    times: int
    since: str  # time of the first one
    until: str  # time of the last one


class Ignored(Fact, frozen=True, tag="ignored"):
    """An event had no effect: it does not fit the state of the table, or `reason` says why."""

    came: Event
    state: StageCode
    reason: IgnoredReason | None = None  # null: it does not fit the state
    full: int | None = None  # cards of a full shoe, if a counted shoe is not full
