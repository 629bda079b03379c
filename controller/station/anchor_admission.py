"""Admission of a table to its record at the start, by its anchor."""

from pathlib import Path

from ..config.table_file import JournalSection
from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import last_before_continuation
from ..journal import AnchorRefused, BadAnchor, find, find_contradiction, flaw


def admit(section: JournalSection, journal: Path, state: State) -> CodedMessage | str | None:
    """Check by the anchor that a table may start on this record; returns remaining defects.

    Defects are returned if the table may start in spite of them (`anchor_loss = "warn"`), None if there are none.
    Raises AnchorRefused, JournalError.
    """
    if section.anchor is None:
        return None
    anchor = Path(section.anchor)
    try:
        found_anchor = find(anchor)
    except BadAnchor as error:
        return _admit_loss(section, journal, error.message)
    if found_anchor is None and (state.seq or not anchor.parent.is_dir()):
        where = coded("nothing_there") if anchor.parent.is_dir() else coded("folder_unmounted")
        says = coded("anchor_expected", path=str(anchor), name=str(journal), where=where)
        return _admit_loss(section, journal, says, coded("anchor_missing", path=str(anchor)))
    if found_anchor is None:
        return None
    other = find_contradiction(journal, state, found_anchor.mark, coded("the_anchor", path=str(anchor)))
    if other:
        remedy = _remedy(section, journal, state, found_anchor.mark)
        raise AnchorRefused(coded("contradicts", path=str(journal), what=other.message, then=remedy))
    wrong = flaw(anchor, found_anchor, state.anchor, journal)
    return None if wrong is None else _admit_loss(section, journal, wrong)


def _admit_loss(
    section: JournalSection, journal: Path, says: CodedMessage | str, trouble: CodedMessage | None = None
) -> CodedMessage | str:
    if section.anchor_loss == "warn":
        return trouble or says
    raise AnchorRefused(coded("begin_anchor", reason=says, path=str(journal), name=str(section.anchor)))


def _remedy(section: JournalSection, journal: Path, state: State, mark: Mark) -> CodedMessage:
    if state.seq and mark.table not in ("", state.table):
        return coded("anchor_shared")
    if last_before_continuation(state, mark) is not None:
        return coded("another_pc_or_newest")
    if not state.seq:
        return coded("back_or_anchor_away")
    return coded("newest_or_accept_anchor", path=str(journal), name=str(section.anchor))
