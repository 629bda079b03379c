"""Verification of a running table's whole record, with all its files, after each start and once a day.

Invariant: no card waits for it. It reads a little at a time on its own connection, and sleeps in between. If a record
is damaged, the live round continues and the table refuses the next one.
"""

import asyncio
import threading
from pathlib import Path

import structlog

from ..core import events as e
from ..core.clock import Time
from ..core.coded_message import CodedMessage, coded
from ..journal import JournalError, JournalVerification, verify_in_steps
from ..table.loop import Table
from ..text.coded import render, sentence_and_code

PAUSE = 0.01  # seconds between two small steps; they take a few per cent of a processor
DAILY = 86_400.0
PATIENCE = 2.0  # seconds to wait for a disk that does not answer, at a stop
AGAIN = 60.0  # seconds after which a record that could not be read is tried again


class Verifying:
    """Verification of one table's record, in a thread."""

    def __init__(self, journal: Path, table: Table) -> None:
        self.verdict: JournalVerification | None = None  # the latest one
        self.at: Time | None = None  # time of the latest verdict
        self.trouble: CodedMessage | None = None  # why the record cannot be verified now
        self._journal, self._table = journal, table
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._run, name="verification", daemon=True)
        self._log = structlog.get_logger().bind(journal=str(journal))

    def start(self) -> None:
        """Start the thread: verify now, and then every day."""
        self._loop = asyncio.get_running_loop()
        self._thread.start()

    async def stop(self) -> None:
        """Stop the verification at once; wait for its thread for at most `PATIENCE` seconds."""
        self._ended.set()
        if self._thread.is_alive():
            await asyncio.to_thread(self._thread.join, PATIENCE)

    def _run(self) -> None:
        """Verify the record again and again until stopped; the body of the thread."""
        wait = 0.0
        while not self._ended.wait(wait):
            try:
                self._verify()
                self.trouble, wait = None, DAILY
            except JournalError as error:
                self.trouble, wait = coded("record_unverified", reason=error.message), AGAIN
                self._log.warning("not_verified", reason=str(error))

    def _verify(self) -> None:
        """Verify the whole record once, with pauses in between. Raises JournalError."""
        losses = self._table.state.losses  # accepted losses are not reported again
        for verdict in verify_in_steps(self._journal, losses[-1].stands if losses else 0):
            if self._ended.wait(PAUSE):
                return
            if verdict is not None:
                self._loop.call_soon_threadsafe(self._note_verdict, verdict)

    def _note_verdict(self, verdict: JournalVerification) -> None:
        self.verdict, self.at, finding = verdict, self._table.now(), verdict.finding
        about = () if finding is None else (finding.seq, *sentence_and_code(finding.reason))
        found = None if finding is None else render(finding.reason)
        self._log.info("verified", records=verdict.records, head=str(verdict.head), found=found)
        self._table.take(e.Checked("chain", *about))
