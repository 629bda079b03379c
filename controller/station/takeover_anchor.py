"""Use of the anchor in a takeover: check before it, and a note after it that the record continues elsewhere."""

from pathlib import Path
from typing import NamedTuple

from ..config.table_file import Config
from ..core.coded_message import coded
from ..core.mark import Mark
from ..core.state import Anchor, State
from ..journal import BadAnchor, FoundAnchor, JournalError, answers, begin, find, foreign_reason, new_anchor, recall
from ..text.coded import render
from ..text.errors import system_message

KNOCK = 8.0  # seconds in which a running table must answer: it looks at its anchor each second


class TakeoverRefused(JournalError):
    """Takeover was refused for the reason in the message; nothing has changed."""


class TakeoverDecision(NamedTuple):
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
        off = [coded("old_pc_off")] if self.old_pc_is_off else []
        return "; ".join([*map(render, (coded("taken_over"), *off)), *([self.because] if self.because else [])])


def find_anchor(settings: Config, decision: TakeoverDecision) -> FoundAnchor | None:
    """Return the anchor of a table that does not run; None if the config names none.

    Raises TakeoverRefused, BadAnchor, JournalFailed.
    """
    if settings.journal.anchor is None:
        if not decision.old_pc_is_off:
            raise TakeoverRefused(coded("old_pc_unsure"))
        return None
    anchor = Path(settings.journal.anchor)
    content = find(anchor)
    if (content is None or content.copied) and not decision.without_anchor:
        where = coded("nothing_there") if content is None else coded("this_is_a_copy")
        raise TakeoverRefused(coded("takeover_anchor_absent", path=str(anchor), where=where))
    if content is not None and answers(anchor, KNOCK):
        raise TakeoverRefused(coded("old_pc_runs", path=str(anchor)))
    return content


def anchor_of(
    settings: Config, journal: Path, before: State, content: FoundAnchor | None, decision: TakeoverDecision
) -> Anchor | None:
    """Choose the anchor after a takeover: the present one, or a new one if that is gone. Raises TakeoverRefused."""
    if settings.journal.anchor is None:
        return before.anchor
    path, anchor = Path(settings.journal.anchor), before.anchor
    try:
        wrong = (
            coded("anchor_missing", path=str(path))
            if content is None
            else foreign_reason(path, content, anchor, journal)
        )
        if wrong is not None and not decision.without_anchor:
            raise TakeoverRefused(coded("takeover_anchor_wrong", what=wrong))
        return new_anchor(path, journal, content.id if content is not None and wrong is None else "")
    except OSError:
        return anchor  # `fence` reports the error


def fence(settings: Config, mark: Mark, anchor: Anchor | None) -> None:
    """Write to the anchor that the record continues on this PC. Raises TakeoverRefused."""
    if settings.journal.anchor is not None:
        try:
            begin(Path(settings.journal.anchor), mark, "" if anchor is None else anchor.id)
        except OSError as error:
            unwritten = coded("anchor_unwritten", path=settings.journal.anchor, reason=system_message(error))
            raise TakeoverRefused(unwritten) from None


def is_fenced(settings: Config, mark: Mark) -> bool:
    """True if the anchor says that the record continues with this mark."""
    try:
        return settings.journal.anchor is not None and recall(Path(settings.journal.anchor)) == mark
    except BadAnchor:
        return False
