"""Anchor of a running table: compared at the start, written after rounds and at stops.

It is read at intervals too: if another PC has taken the table over, the anchor says so and no further round opens here.

Invariant: no card waits for the anchor. A thread of its own writes it. If that fails, the table plays on, shows and
records the loss, and opens no further round if the config requires the anchor. The content is checked before each
write, because it may be another table's or have more records. If the file is missing, or is not the one begun for this
record, nothing is written: only a person begins another anchor."""

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import structlog

from ..core import events as e
from ..core import records as r
from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import Contradiction, last_before_continuation
from ..journal import (
    AnchorFolder,
    FoundAnchor,
    Head,
    JournalError,
    begin,
    find,
    find_contradiction,
    flaw,
    mark_of,
    new_anchor,
)
from ..table.beats import seconds_to_beat
from ..table.loop import Table
from ..text.coded import render, sentence_and_code
from ..text.errors import system_message

LOOK = 1.0  # seconds between two checks of the anchor: it may be lost, or another PC may have taken the table over
PATIENCE = 2.0  # seconds to wait for the last write, at a stop
SLOW = 10.0  # seconds after which a disk that does not answer is reported


def adopt_anchor(anchor: Path, journal: Path, table: Table) -> e.BeginAnchor | None:
    """Begin an anchor for a record without one, or give an id to an old one.

    Returns what to record then. Raises BadAnchor, OSError.
    """
    if table.state.anchor is not None:
        return None
    found_anchor, why = find(anchor), coded("anchor_without_id") if table.state.seq else coded("record_begins")
    mark = Mark("", 0, "", table.house.table) if found_anchor is None else found_anchor.mark
    begun = new_anchor(anchor, journal, "" if found_anchor is None else found_anchor.id)
    begin(anchor, mark, begun.id)
    return e.BeginAnchor("config", render(why), begun.id, begun.apart)


class Anchoring:
    """Anchor of one record, updated from every change of its table.

    `required`: no round opens while it is lost.
    """

    def __init__(self, anchor: Path, journal: Path, table: Table, *, required: bool = False) -> None:
        self.kept: int | None = None  # number of the last record that was written to the anchor
        self._anchor, self._journal, self._table, self._required = anchor.absolute(), journal, table, required
        self._ours: list[Mark] = []  # marks that this program wrote last, or tried to write
        self._problem: CodedMessage | str | None = None
        self._looked = False
        self._began: float | None = None  # start of the check or write under way; None: nothing is under way
        self._news = threading.Condition()
        self._wanted: tuple[State, Head] | None = None
        self._ending = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._thread = threading.Thread(target=self._run, name="anchor", daemon=True)
        self._log = structlog.get_logger().bind(anchor=str(anchor))

    @property
    def trouble(self) -> CodedMessage | None:
        """Trouble text if the record is not anchored now, else None."""
        problem = self._find_problem()
        return None if problem is None else coded("not_anchored", since=self.kept or coded("the_start"), reason=problem)

    def _find_problem(self) -> CodedMessage | str | None:
        began, problem = self._began, self._problem
        if problem is None and began is not None and time.monotonic() - began > SLOW:
            return coded("disk_silent", path=str(self._anchor))
        return problem

    def start(self) -> None:
        """Start the anchor's thread and the watch on it, on the running loop."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        self._want()
        self._watch()

    def hear(self, _: Table, records: Sequence[r.Record]) -> None:
        """Schedule an anchor write if these durable records end a round, or settle one anew."""
        if any(isinstance(record.what, r.Settled | r.Cancelled | r.Resettled) for record in records):
            self._want()

    async def stop(self) -> None:
        """Write the end of the record to the anchor, with a time limit for a disk that does not answer."""
        self._ending = True
        if self._timer is not None:
            self._timer.cancel()
        self._want()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join, PATIENCE)

    def _watch(self) -> None:
        """Record a lost anchor at intervals, in the event loop: the anchor's thread may hang on its disk."""
        if self._loop is not None and not self._ending:
            self._record()
            self._timer = self._loop.call_later(seconds_to_beat(LOOK), self._watch)

    def _record(self) -> None:
        """Record that the anchor is lost or back; a contradicting record is reported in another way."""
        problem, state = self._find_problem(), self._table.state
        silent = self._table.halted is not None or "anchor" in state.doubts or self._ending
        lost: e.NoAnchor = "" if problem is None else "required" if self._required else "lost"
        if state.no_anchor != lost and (self._looked or problem is not None) and not silent:
            self._table.take(e.AnchorChecked(lost, *sentence_and_code(problem or "")))

    def _want(self) -> None:
        with self._news:
            if self._table.state.seq:
                self._wanted = (self._table.state, self._table.journal.head)
            self._news.notify()

    def _run(self) -> None:
        """Write and check the anchor until it is stopped. Runs in the anchor's thread."""
        tried = None
        while not (self._ending and tried is self._wanted):
            with self._news:
                if tried is self._wanted and not self._ending:
                    self._news.wait(seconds_to_beat(LOOK))
                before, tried = tried, self._wanted
            if tried is not None:
                self._began = time.monotonic()
                self._tell(self._keep_anchor(*tried, anew=tried is not before or self._problem is not None))
                self._began = None

    def _keep_anchor(self, state: State, head: Head, *, anew: bool) -> CodedMessage | str | None:
        """Read the anchor; write it if the head is new or another PC knocks. Returns the reason if not written.

        A knock of another PC is answered first: this table runs, whatever is wrong with the anchor.
        """
        try:
            with AnchorFolder(self._anchor) as folder:
                found_anchor = folder.read()
                knocked = found_anchor is not None and _may_answer_knock(found_anchor.mark, state) and folder.answer()
                problem = self._flaw(found_anchor, state)
                if problem is None and found_anchor is not None and (anew or knocked):
                    mark = mark_of(state, head)
                    self._ours = [found_anchor.mark, mark]
                    folder.write(mark, found_anchor.id)
                    self._ours, self.kept = [mark], mark.seq
        except FileNotFoundError:
            return coded("anchor_missing", path=str(self._anchor))
        except OSError as error:
            return f"{self._anchor}: {system_message(error)}"
        except JournalError as error:
            return error.message
        return problem

    def _flaw(self, found_anchor: FoundAnchor | None, state: State) -> CodedMessage | None:
        """Reason not to write over this anchor; None if it may be. Raises JournalError, OSError."""
        if found_anchor is not None and (other := self._contradiction(found_anchor.mark, state)) is not None:
            return other.message
        wrong = flaw(self._anchor, found_anchor, state.anchor, self._journal)
        if wrong is None and found_anchor is not None and self._ours and found_anchor.mark not in self._ours:
            return coded("anchor_older", path=str(self._anchor))
        return wrong

    def _contradiction(self, mark: Mark, state: State) -> Contradiction | None:
        """Return how the anchor contradicts the journal, and tell the table. Raises JournalError."""
        if mark in self._ours:
            return None
        contradiction = find_contradiction(self._journal, state, mark, coded("the_anchor", path=str(self._anchor)))
        doubted = self._table.state.doubts.get("anchor")
        if doubted != (contradiction and contradiction.first) and not self._ending and self._loop is not None:
            about = (contradiction.first, *sentence_and_code(contradiction.message)) if contradiction else ()
            self._loop.call_soon_threadsafe(self._table.take, e.Checked("anchor", *about))
        return contradiction

    def _tell(self, problem: CodedMessage | str | None) -> None:
        old_problem, self._problem = self._problem, problem
        if problem != old_problem:
            if problem is None:
                self._log.info("anchored")
            else:
                self._log.warning("not_anchored", reason=render(problem))
        if (problem != old_problem or not self._looked) and self._loop is not None and not self._ending:
            self._looked = True
            self._loop.call_soon_threadsafe(self._record)


def _may_answer_knock(mark: Mark, state: State) -> bool:
    """True if this PC may answer a knock at this anchor.

    False if the anchor names another table, or if another PC has continued this table's record.
    """
    return mark.table in ("", state.table) and last_before_continuation(state, mark) is None
