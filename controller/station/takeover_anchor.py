"""Role of the anchor in a takeover: proof before it, and a note afterwards.

The note says that the record goes on elsewhere.
"""

from pathlib import Path
from typing import NamedTuple

from ..config.table_file import Config
from ..core.coded_message import coded
from ..core.mark import Mark
from ..core.state import Anchor, State
from ..journal import BadAnchor, FoundAnchor, JournalError, answers, begin, beginning, find, foreign, recall
from ..text.coded import render
from ..text.errors import system_says

KNOCK = 8.0  # seconds for a running table to answer: it looks each second


class TakeoverRefused(JournalError):
    """A table that is not taken over. Nothing has changed."""


class Decision(NamedTuple):
    """Decision of a person to take a table over: name, reason, and the risks accepted."""

    by: str
    because: str | None = None
    old_pc_is_off: bool = False
    accept_loss: bool = False

    @property
    def without_anchor(self) -> bool:
        """True if both confirmations of the person replace the proof that an anchor gives."""
        return self.old_pc_is_off and self.accept_loss

    @property
    def reason(self) -> str:
        """Reason of the takeover, as written in the record."""
        off = ["the old PC is off"] if self.old_pc_is_off else []
        return "; ".join(["taken over on another PC", *off, *([self.because] if self.because else [])])


def asked(settings: Config, decision: Decision) -> FoundAnchor | None:
    """Return the anchor of a table that does not run; None if the config names none.

    Raises TakeoverRefused, BadAnchor, JournalFailed.
    """
    if settings.journal.anchor is None:
        if not decision.old_pc_is_off:
            raise TakeoverRefused(
                "no [journal] anchor tells whether the old PC still deals: pull its power or its shoe, then say so: "
                "--old-pc-is-off"
            )
        return None
    anchor = Path(settings.journal.anchor)
    found = find(anchor)
    if (found is None or found.copied) and not decision.without_anchor:
        there = "there is no such file" if found is None else "this is a copy"
        raise TakeoverRefused(
            f"{anchor}: expected the anchor of the table, {there}; mount its disk, or, where it is gone for good, add "
            "--old-pc-is-off and --accept-loss"
        )
    if found is not None and answers(anchor, KNOCK):
        raise TakeoverRefused(
            f"{anchor}: the table still runs on the other PC, it has just answered there; stop it, then again"
        )
    return found


def anchor_of(
    settings: Config, journal: Path, before: State, found: FoundAnchor | None, decision: Decision
) -> Anchor | None:
    """Anchor of the table from now on: the one it had, unless that is gone. Raises TakeoverRefused."""
    if settings.journal.anchor is None:
        return before.anchor
    path, known = Path(settings.journal.anchor), before.anchor
    try:
        wrong = coded("anchor_missing", path=str(path)) if found is None else foreign(path, found, known, journal)
        if wrong is not None and not decision.without_anchor:
            raise TakeoverRefused(
                f"{render(wrong)}, or, where it is gone for good, add --old-pc-is-off and --accept-loss"
            )
        return beginning(path, journal, found.id if found is not None and wrong is None else "")
    except OSError:
        return known  # `fence` reports the error


def fence(settings: Config, mark: Mark, known: Anchor | None) -> None:
    """Write to the anchor that the record continues on this PC. Raises TakeoverRefused."""
    if settings.journal.anchor is not None:
        try:
            begin(Path(settings.journal.anchor), mark, "" if known is None else known.id)
        except OSError as error:
            raise TakeoverRefused(
                f"{settings.journal.anchor}: {system_says(error)}: the anchor has to say that the table goes on here; "
                "make that possible, then again"
            ) from None


def is_fenced(settings: Config, mark: Mark) -> bool:
    """True if the anchor says that the record continues with this mark."""
    try:
        return settings.journal.anchor is not None and recall(Path(settings.journal.anchor)) == mark
    except BadAnchor:
        return False
