"""Custody of a running table's journal, beside the table itself: its anchor and its verification.

Troubles are reported on request and stop nothing that runs.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import structlog

from ..config.table_file import JournalSection
from ..core import events as e
from ..core.coded_message import CodedMessage, coded
from ..journal import AnchorRefused
from ..outputs.custody_status import CustodyProgress
from ..table.loop import Table
from ..text.coded import render, sentence_and_code
from ..text.errors import system_message
from .anchor_admission import admit
from .anchoring import Anchoring, adopt_anchor
from .verifying import Verifying


class Custody:
    """Custody of a table's record: anchor and verification; made before the table starts.

    Raises AnchorRefused, JournalError.
    """

    def __init__(self, section: JournalSection, journal: Path, table: Table) -> None:
        self._lost = admit(section, journal, table.state)
        if self._lost is not None:
            structlog.get_logger().warning("anchor_lost", table=table.house.table, reason=render(self._lost))
        self._table, self._section = table, section
        self._verifying = Verifying(journal, table)
        self._anchoring: Anchoring | None = None
        self._begun: e.BeginAnchor | None = None  # new anchor, still to be recorded
        if section.anchor is not None:
            anchor = Path(section.anchor)
            self._begun = self._take_up(anchor, journal) if self._lost is None else None
            self._anchoring = Anchoring(anchor, journal, table, required=section.anchor_required)

    def start(self) -> None:
        """Start anchoring and verification; call this after the table has started."""
        self._verifying.start()
        if self._begun is not None:
            self._table.take(self._begun)
        if self._section.anchor is None and self._table.state.anchor is not None:
            self._table.take(e.AnchorChecked("lost", *sentence_and_code(coded("anchor_unnamed"))))
        if self._lost is not None:
            standing: e.NoAnchor = "required" if self._section.anchor_required else "lost"
            self._table.take(e.AnchorChecked(standing, *sentence_and_code(self._lost)))
        if self._anchoring is not None:
            self._anchoring.start()
            self._table.subscribe(self._anchoring.hear)

    async def stop(self) -> None:
        """Stop anchoring and verification; call this before the journal is closed."""
        await self._verifying.stop()
        if self._anchoring is not None:
            await self._anchoring.stop()

    @property
    def troubles(self) -> Mapping[str, CodedMessage | None]:
        """Troubles of the journal by part: `verification`, `record`, `anchor`; None: no trouble."""
        troubles = {"verification": self._verifying.trouble, "record": self._damage()}
        return troubles if self._anchoring is None else {**troubles, "anchor": self._anchoring.trouble}

    @property
    def messages(self) -> Sequence[CodedMessage]:
        """Messages of the present troubles, for the table's status and pages; empty if there are none."""
        return tuple(filter(None, self.troubles.values()))

    @property
    def progress(self) -> CustodyProgress:
        """Progress for metrics: last anchored and verified records, and the number of the first damaged one."""
        verdict, doubts = self._verifying.verdict, self._table.state.doubts
        anchored = None if self._anchoring is None else self._anchoring.kept
        stands = None if verdict is None else verdict.records
        return CustodyProgress(anchored, stands, self._verifying.at, min(doubts.values(), default=None))

    def _take_up(self, anchor: Path, journal: Path) -> e.BeginAnchor | None:
        try:
            return adopt_anchor(anchor, journal, self._table)
        except OSError as error:
            raise AnchorRefused(coded("anchor_unbegun", path=str(anchor), reason=system_message(error))) from None

    def _damage(self) -> CodedMessage | None:
        doubts = self._table.state.doubts
        if not doubts:
            return None
        first = min(doubts.values())
        return coded("record_doubted", first=first)
