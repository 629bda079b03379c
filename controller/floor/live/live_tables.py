"""State of all tables at a floor, and its display for each viewer.

Invariant: nothing here blocks. Callers report what they receive. After a change a strip is composed once per language,
for any number of viewers.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence

from ...accounts.card_reads import KINDS
from ...bus.status import Status
from ...core.clock import Time
from ...core.coded_message import CodedMessage
from ...text.faults import LANGUAGES
from ..history.misreads import Reads
from ..shared_state.alarms import View, table_of, update_alarms
from ..shared_state.documents import Alarms, Assignments, CallClaim, FloorWorker
from ..storage.table_events import TableEvent
from . import page_messages as m
from .cache import CachedValue, Composed
from .page_head import FloorFacts, head
from .strips import StripFacts, StripViewer, strip, strip_for, table_ranks
from .table_state import KnownTable


class LiveTables:
    """State of all tables of a studio, kept in the floor's event loop.

    `at_most`: tables of one supervisor; `news`: event that is set at the next change, then replaced.
    """

    def __init__(self, floor: str, at_most: int, clock: Callable[[], Time]) -> None:
        self.version, self.news = 1, asyncio.Event()
        self._floor, self._at_most, self._clock = floor, at_most, clock
        self._tables: dict[str, KnownTable] = {}
        self._looks: dict[str, object] = {}
        self._reads = defaultdict[str, Reads](Reads)
        self._ranks: Mapping[str, int] = {}
        self._gone: dict[str, int] = {}  # by table: the version at which it was removed
        self._assignments: Assignments = {}
        self._alarms, self._claims = Alarms(), dict[str, CallClaim | None]()
        self._staff: tuple[FloorWorker, ...] = ()
        self._trouble: CodedMessage | str | None = None
        self._twin: CodedMessage | None = None
        self._now, self._behind, self._complete, self._ranked = clock(), 0, False, True
        self.doubts: Callable[[str], tuple[CodedMessage, ...]] = lambda _: ()  # defects in a table's messages
        self._strips, self._heads = Composed[m.Strip](), Composed[m.PageHead]()

    # ── updates ──────────────────────────────────────────────────────────────────────────────────────────────────

    def take_status(self, table: str, status: Status, seq: int = 0) -> None:
        """Handle a table's new status. `seq`: its sequence number in the bucket."""
        state = self._tables.get(table)
        if state is None:
            self._tables[table] = state = KnownTable(status, seq, self._reads[table], self._clock())
            state.held = {key: one for key, one in self._alarms.items() if table_of(key) == table}
            state.claim = self._claims.get(table)
            self._ranked = False
        state.status, state.seq = status, seq
        self._update_look(table)

    def remove(self, table: str) -> None:
        """Remove a table that is no longer on the bus."""
        if self._tables.pop(table, None) is not None:
            self._looks.pop(table, None)
            for language in LANGUAGES:
                self._strips.forget((table, language))
            self._touch()
            self._gone[table] = self.version
            self._ranked = False

    def note_complete(self) -> None:
        """Note that the status of every table has been received."""
        self._complete = True

    def note_beat(self, table: str, now: Time) -> None:
        """Note a heartbeat of a table."""
        state = self._tables.get(table)
        if state is not None:
            was = state.silent
            state.note_beat(now)
            if was is not None:
                self._update_look(table)

    def count_reads(self, events: Iterable[TableEvent]) -> None:
        """Count the cards and misreads in new events. Each event must come once, in the order of the record."""
        for event in events:
            if event.kind in KINDS:
                reads = self._reads[event.table]
                before = reads.misread_count
                reads.take(event.body)
                if event.table in self._tables and reads.misread_count != before:
                    self._update_look(event.table)

    def set_claim(self, table: str, claim: CallClaim | None) -> None:
        """Set the claim of a table's call, from the document that floors share."""
        state, self._claims[table] = self._tables.get(table), claim
        if state is not None and state.claim != claim:
            state.claim = claim
            self._update_look(table)

    def set_assignments(self, document: Assignments) -> None:
        """Set the assignments of tables to people, from the document that floors share."""
        before, self._assignments = self._assignments, document
        for table in self._tables:
            if before.get(table) != document.get(table):
                self._update_look(table)
        self._touch()

    def set_alarms(self, document: Alarms) -> None:
        """Set the alarms that floors share."""
        self._alarms, held = document, dict[str, Alarms]()
        for key, one in document.items():
            held.setdefault(table_of(key), {})[key] = one
        for table, state in self._tables.items():
            if state.held != held.get(table, {}):
                state.held = held.get(table, {})
                self._update_look(table)
        self._touch()

    def set_staff(self, people: Sequence[FloorWorker]) -> None:
        """Set the people who may be assigned tables."""
        if self._staff != tuple(people):
            self._staff = tuple(people)
            for table in self._tables:
                self._update_look(table)
            self._touch()

    def set_trouble(self, trouble: CodedMessage | str | None) -> None:
        """Set the defect of the floor's own connection; None: it is up.

        While it is down no table counts as connected, and silence raises no alarm.
        """
        if trouble == self._trouble:
            return
        self._trouble = trouble
        for state in self._tables.values():
            state.listen(self._clock())
        self._touch()

    def set_twin(self, twin: CodedMessage | None) -> None:
        """Set the message about another floor under this floor's name; None: there is none."""
        if twin != self._twin:
            self._twin = twin
            self._touch()

    def set_backlog(self, records: int) -> None:
        """Set the number of events that are not read from the bus yet."""
        if records != self._behind:
            self._behind = records
            self._touch()

    def tick(self, now: Time) -> None:
        """Advance the time, after all messages up to `now`. Updates silent tables and alarms."""
        self._now = now
        for table, state in self._tables.items():
            state.doubts = self.doubts(table)
            if self._looks.get(table) != state.look(now, deaf=self._trouble is not None):
                self._update_look(table)

    def _update_look(self, table: str) -> None:
        state = self._tables[table]
        self._looks[table] = state.look(self._now, deaf=self._trouble is not None)
        self._touch()
        state.version = self.version

    def _touch(self) -> None:
        self.version += 1
        self.wake()

    def wake(self) -> None:
        """Wake everybody who waits for changes."""
        self.news.set()
        self.news = asyncio.Event()

    def _rank(self) -> None:
        """Rank the tables by name if tables were added or removed."""
        if self._ranked:
            return
        before, self._ranks, self._ranked = self._ranks, table_ranks(self._tables), True
        for table, rank in self._ranks.items():
            if before.get(table) != rank:
                self._update_look(table)

    # ── queries ──────────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def tables(self) -> Mapping[str, Status]:
        """Last known status of each table, by name."""
        return {table: state.status for table, state in self._tables.items()}

    def status_of(self, table: str) -> Status | None:
        """Last known status of one table; None if it is unknown."""
        state = self._tables.get(table)
        return None if state is None else state.status

    @property
    def sees(self) -> bool:
        """True if the floor knows all tables and its connection is up."""
        return self._complete and self._trouble is None

    def is_heard(self, table: str) -> bool:
        """True if the table's heartbeats arrive and the floor's own connection is up."""
        state = self._tables.get(table)
        return state is not None and state.is_heard and self._trouble is None

    def owner(self, table: str) -> str | None:
        """Id of the person that the table is assigned to; None if nobody."""
        return self._assignments.get(table)

    @property
    def view(self) -> View:
        """Present facts by which alarms are judged."""
        states = self._tables.values()
        texts = {key: text for one in states for key, text in one.cause_texts.items()}
        unsure = frozenset[str]().union(*(one.unsure for one in states))
        seqs = {table: one.seq for table, one in self._tables.items()}
        messages = {key: message for one in states for key, message in one.messages.items()}
        return View(texts, unsure, seqs, self._complete, self._clock(), messages)

    @property
    def has_alarm_changes(self) -> bool:
        """True if the shared alarms differ from the present facts."""
        return self._trouble is None and update_alarms(self._alarms, self.view).alarms is not self._alarms

    def picture(self, viewer: StripViewer, language: str) -> m.PagePicture:
        """Complete display for one viewer in one language."""
        self._rank()
        strips = (self._strip_for(table, self._strip(table, language).value, viewer) for table in self._ranks)
        return m.PagePicture(self._head(language).value, tuple(strips), {})

    def changes(self, viewer: StripViewer, language: str, since: int) -> m.PageChange:
        """Changes of the display since a version, for one viewer."""
        self._rank()
        newer = [table for table, state in self._tables.items() if state.version > since]
        strips = [(table, self._strip(table, language)) for table in newer]
        top = self._head(language)
        return m.PageChange(
            top.value if top.since > since else None,
            tuple(self._strip_for(table, entry.value, viewer) for table, entry in strips if entry.since > since),
            tuple(table for table, version in self._gone.items() if version > since and table not in self._tables),
        )

    def _strip_for(self, table: str, one: m.Strip, viewer: StripViewer) -> m.Strip:
        return strip_for(one, viewer, self._assignments.get(table))

    def _strip(self, table: str, language: str) -> CachedValue[m.Strip]:
        state = self._tables[table]
        return self._strips.get((table, language), state.version, lambda: strip(self._facts(table, state), language))

    def _facts(self, table: str, state: KnownTable) -> StripFacts:
        whose = self._assignments.get(table, "")
        owner = next((who.name for who in self._staff if who.id == whose), whose)
        rank, now = self._ranks[table], self._now
        return StripFacts(
            state.status, rank, state.claim, owner, state.reads.misread_count, state.silent, state.alarms(), now
        )

    def _head(self, language: str) -> CachedValue[m.PageHead]:
        return self._heads.get(language, self.version, lambda: self._compose_head(language))

    def _compose_head(self, language: str) -> m.PageHead:
        strips = [self._strip(table, language).value for table in self._ranks]
        who = self._staff
        mine = {table: whose for table, whose in self._assignments.items() if table in self._ranks}
        floor = FloorFacts(
            self._floor, self._trouble, self._behind, who, mine, self._at_most, self._clock(), self._twin
        )
        return head(strips, floor, language)
