"""The anchor of a running table's record: compared before it starts, written after each round and at each stop.

Between rounds it is looked at all the time: where another PC has taken the table over, it says so, and no round opens
here any more.

The one rule: no card waits for it. It is written by a thread of its own; where that fails the table plays on, and says
so. What the anchor remembers is looked at before it is written over: it may be another table's, or know of more.
"""

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import structlog

from ..config.table_file import JournalSection
from ..core import events as e
from ..core import records as r
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import Contradiction, went_on
from ..journal import (
    AnchorRefused,
    BadAnchor,
    Head,
    JournalError,
    contradicted,
    is_knocked,
    mark_of,
    recall,
    remember,
)
from ..table.loop import Table
from ..text import pc_texts as t
from ..text.errors import system_says

RETRY = 5.0  # seconds after which an anchor that could not be written is tried again
LOOK = 1.0  # seconds after which it is looked at, where nothing is to be written: the record may go on elsewhere now
PATIENCE = 2.0  # seconds to wait for the last write, at a stop
SLOW = 10.0  # seconds after which a disk that does not answer is told of


def admit(section: JournalSection, journal: Path, state: State) -> str | None:
    """Whether a table may start on a record that ends in this state, by its anchor. Raises AnchorRefused, JournalError.

    What is wrong all the same, where it may.
    """
    if section.anchor is None:
        return None
    anchor = Path(section.anchor)
    try:
        mark = recall(anchor)
    except BadAnchor as error:
        return _lost(section, str(error))
    if mark is None and (state.seq or not anchor.parent.is_dir()):
        mounted = "there is no such file" if anchor.parent.is_dir() else "its folder is not there: is the disk mounted?"
        return _lost(section, f"{anchor}: expected the anchor of {journal}, {mounted}")
    found = mark and contradicted(journal, state, mark, t.THE_ANCHOR.format(path=anchor))
    if mark and found:
        raise AnchorRefused(f"{journal}: {found.says}; {_remedy(section, journal, state, mark)}")
    return None


def _lost(section: JournalSection, says: str) -> str:
    if section.anchor_loss == "warn":
        return says
    begin = 'where there never was one, or it is gone for good, start once with [journal] anchor_loss = "warn"'
    raise AnchorRefused(f"{says}; bring it back, or, {begin}")


def _remedy(section: JournalSection, journal: Path, state: State, mark: Mark) -> str:
    if state.seq and mark.table not in ("", state.table):
        return "give each table an anchor of its own in [journal] anchor"
    if went_on(state, mark) is not None:
        back = "or takes it over from there (`tablectl takeover`)"
        return f"where another PC has the table now, this one stays off, {back}; else put the newest copy in its place"
    if not state.seq:
        return "put the record back, or, to begin anew, move the anchor away"
    accept = f"tablectl journal accept-loss {journal} --anchor {section.anchor} --by NAME --because TEXT"
    return f"put the newest copy in its place, or go on with what stands: `{accept}`"


class Anchoring:
    """Keeps an anchor. To be told of every change at its table."""

    def __init__(self, anchor: Path, journal: Path, table: Table) -> None:
        self.kept: int | None = None  # the record that it remembers, as far as we wrote it
        self._anchor, self._journal, self._table = anchor.absolute(), journal, table
        self._last: Mark | None = None  # as we wrote it
        self._problem: str | None = None
        self._began: float | None = None  # to write, and has not ended
        self._news = threading.Condition()
        self._wanted: tuple[State, Head] | None = None
        self._ending = False
        self._thread = threading.Thread(target=self._run, name="anchor", daemon=True)
        self._log = structlog.get_logger().bind(anchor=str(anchor))

    @property
    def trouble(self) -> str | None:
        """Why the record is not anchored now."""
        began, problem = self._began, self._problem
        if problem is None and began is not None and time.monotonic() - began > SLOW:
            problem = t.DISK_SILENT.format(path=self._anchor)
        since = self.kept or t.THE_START
        return None if problem is None else t.NOT_ANCHORED.format(since=since, reason=problem)

    def start(self) -> None:
        """From here on."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()
        self._want()

    def hear(self, _: Table, records: Sequence[r.Record]) -> None:
        """These are durable."""
        if any(isinstance(record.what, r.Settled | r.Cancelled) for record in records):
            self._want()

    async def stop(self) -> None:
        """Remember where the record ends. A disk that does not answer is waited for a little."""
        self._ending = True
        self._want()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join, PATIENCE)

    def _want(self) -> None:
        with self._news:
            if self._table.state.seq:
                self._wanted = (self._table.state, self._table.journal.head)
            self._news.notify()

    def _run(self) -> None:
        """The thread."""
        tried = None
        while not (self._ending and tried is self._wanted):
            with self._news:
                if tried is self._wanted and not self._ending:
                    self._news.wait(RETRY if self._problem else LOOK)
                before, tried = tried, self._wanted
            if tried is not None:
                self._began = time.monotonic()
                if tried is not before or self._problem or self._is_asked():
                    self._tell(self._kept(*tried))
                self._began = None

    def _is_asked(self) -> bool:
        """Whether somebody knocks, or what it remembers is not what we wrote."""
        try:
            return is_knocked(self._anchor) or recall(self._anchor) != self._last
        except (OSError, BadAnchor):
            return True

    def _kept(self, state: State, head: Head) -> str | None:
        """Remember this. Why it was not, if so."""
        mark = mark_of(state, head)
        try:
            found = self._contradiction(state)
            if found is not None:
                return found.says
            remember(self._anchor, mark)
        except OSError as error:
            return f"{self._anchor}: {system_says(error)}"
        except JournalError as error:
            return str(error)
        self._last, self.kept = mark, mark.seq
        return None

    def _contradiction(self, state: State) -> Contradiction | None:
        """What the anchor remembers that is not so. Raises JournalError."""
        try:
            there = recall(self._anchor)
        except BadAnchor:  # it says nothing; whether another can be written is seen then
            return None
        if there is None or there == self._last:
            return None
        found = contradicted(self._journal, state, there, t.THE_ANCHOR.format(path=self._anchor))
        doubted = self._table.state.doubts.get("anchor")
        if doubted != (found and found.first) and not self._ending:
            event = e.Checked("anchor", found.first, found.says) if found else e.Checked("anchor")
            self._loop.call_soon_threadsafe(self._table.take, event)
        return found

    def _tell(self, problem: str | None) -> None:
        if problem != self._problem:
            self._problem = problem
            self._log.info("anchored") if problem is None else self._log.warning("not_anchored", reason=problem)
