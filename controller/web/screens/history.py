"""Recent results and notices of a table, for its screens.

They are the results on the roads, rounds without a result, the notices to players, and how the last shoe ended.
Cancelled rounds and rounds of training have no result.
"""

from collections.abc import Iterable, Iterator
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

import structlog
from msgspec.structs import replace

from ...core import records as r
from ...core.causes import ByRuling, VoidReason
from ...core.clock import Time, from_text
from ...core.hands import settled_hands
from ...core.records import Record
from ...core.state import State
from ...journal import JournalError, head_of, read_backwards
from .table_snapshot import LastNotice, LastVoid, LatestResult

KEPT = 300  # results that are kept of one shoe: more than the longest shoe has
LATEST = 30  # results that are kept of a game with a fresh deck for every round
VOIDS = 5  # cancelled rounds that are kept
NOTICES = 4  # notices to players that are kept
FAR = 200_000  # records that are read back at the start, at most
KINDS = (
    "opened", "settled", "shoe_ready", "shuffled", "cancelled", "shoe_ended", "resettled", "window_opened", "closed",
    "resumed", "clock_set",
)  # fmt: skip
A_ROUND = 8  # records of these kinds that a round has, about


class LatestResults:
    """The latest results of one game. `every_round`: it has a fresh deck for each."""

    def __init__(self, game: str, *, every_round: bool) -> None:
        self._game, self._every_round = game, every_round
        self._kept = LATEST if every_round else KEPT
        self._playing = game
        self.results: tuple[LatestResult, ...] = ()
        self._opened: tuple[int, ...] = ()  # rounds of this shoe
        self.voids: tuple[LastVoid, ...] = ()
        self._voided: tuple[LatestResult, ...] = ()  # results of this shoe made void; a correction may restore them
        self.notices: tuple[LastNotice, ...] = ()  # the oldest first
        self.ended: r.ShoeEnded | None = None

    def read(self, journal: Path) -> None:
        """Read the latest results from the journal. An error is logged, and the table opens without them."""
        try:
            self.hear(reversed(list(islice(_read_backwards(journal), A_ROUND * self._kept))))
        except JournalError as error:
            structlog.get_logger().warning("results_unreadable", reason=str(error))

    def hear(self, records: Iterable[Record], state: State | None = None) -> None:
        """Called with committed records; keeps results and notices of rounds that count.

        `state`: state of the table after them, if known; the result of its round is kept with the round's cards.
        """
        for record in records:
            if not record.training:
                self._hear(record, state)

    def _hear(self, record: Record, state: State | None) -> None:
        self._update_notices(record)
        if isinstance(record.what, r.ShoeEnded | r.ShoeReady):
            self.ended = record.what if isinstance(record.what, r.ShoeEnded) else None
        match record.what:
            case r.Opened(game=game):
                self._playing = game
                if game == self._game:
                    self._opened = (*self._opened, record.round or 0)[-self._kept :]
            case r.Settled(outcome=outcome, manual=manual) if self._playing == self._game:
                number = record.round or 0
                lying = settled_hands(state) if state is not None and state.round.number == number else {}
                ended = LatestResult(number, outcome, manual, record.at, lying)
                self.results = (*self.results, ended)[-self._kept :]
            case r.ShoeReady() | r.Shuffled() if not self._every_round:
                self.results = self._voided = self._opened = ()
            case r.Resettled(now=now, because=reason) if not record.what.is_later_part:
                self._correct(record.round or 0, now, record.at)
                self._void(record.round or 0, None if now is not None else ByRuling(reason))
            case r.Cancelled(why=why):
                self._void(record.round or 0, why)

    def _void(self, number: int, why: VoidReason | None) -> None:
        """Note that a round is void, or no longer (`why` is None)."""
        others = [void for void in self.voids if void.round != number]
        voids = others if why is None else [*others, LastVoid(number, why)]
        self.voids = tuple(sorted(voids, key=lambda void: void.round)[-VOIDS:])

    def _correct(self, number: int, now: dict[str, Any] | None, at: Time) -> None:
        """Replace the result of a round that was settled anew, or remove it.

        A round without a result gets one only if it was opened from this shoe.
        """
        same = [ended for ended in (*self.results, *self._voided) if ended.round == number]
        others = [ended for ended in self.results if ended.round != number]
        if now is None:
            self._voided = (*self._voided, *same)
        elif same or number in self._opened:
            others.append(
                replace(same[0], outcome=now, lying={}) if same else LatestResult(number, now, manual=True, at=at)
            )
        self.results = tuple(sorted(others, key=lambda one: one.round))

    def _move_times(self, step: Time) -> None:
        """Move times with the clock, so that what is shown for a while stays as long as without the step."""
        self.results = tuple(replace(one, at=one.at + step) for one in self.results)
        self.notices = tuple(replace(one, at=one.at + step) for one in self.notices)

    def _update_notices(self, record: Record) -> None:
        """Update the notices to players, and how long results and notices are shown, after a record."""
        match record.what:
            case r.Opened():
                self._forget("closed", "resumed")  # these notices were about the round before
            case r.WindowOpened():
                self._forget("closed")
            case r.Closed():
                self._note(LastNotice("closed", record.at))
            case r.Resumed():
                self._note(LastNotice("resumed", record.at))
            case r.Cancelled():
                self._forget("closed", "resumed")
                self._note(LastNotice("cancelled", record.at, record.round or 0))
            case r.Resettled() if not record.what.is_later_part:
                self._note(LastNotice("corrected", record.at, record.round or 0))
            case r.ClockSet(from_=was, to=now):
                self._move_times(from_text(now) - from_text(was))

    def _note(self, notice: LastNotice) -> None:
        """Add a notice. It replaces a notice about the same round, or without a round one of the same kind."""
        subject = notice.round or notice.kind
        others = [one for one in self.notices if (one.round or one.kind) != subject]
        self.notices = (*others, notice)[-NOTICES:]

    def _forget(self, *kinds: str) -> None:
        """Drop the notices of these kinds."""
        self.notices = tuple(one for one in self.notices if one.kind not in kinds)


def _read_backwards(journal: Path) -> Iterator[Record]:
    """Yield results, voids and shoe changes from journal and archives, the latest first."""
    head = head_of(journal).seq
    return takewhile(lambda record: record.seq > head - FAR, read_backwards(journal, head + 1, KINDS))
