"""Check whether a table may start on its record, by its anchor."""

from pathlib import Path

from ..config.table_file import JournalSection
from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import State
from ..core.witness import went_on
from ..journal import AnchorRefused, BadAnchor, contradicted, find, flaw
from ..text.coded import render


def admit(section: JournalSection, journal: Path, state: State) -> CodedMessage | str | None:
    """Check by the anchor that a table may start on this record; returns remaining defects.

    Raises AnchorRefused, JournalError.

    What is wrong all the same, where it may.
    """
    if section.anchor is None:
        return None
    anchor = Path(section.anchor)
    try:
        found = find(anchor)
    except BadAnchor as error:
        return _lost(section, journal, error.message)
    if found is None and (state.seq or not anchor.parent.is_dir()):
        mounted = "there is no such file" if anchor.parent.is_dir() else "its folder is not there: is the disk mounted?"
        says = f"{anchor}: expected the anchor of {journal}, {mounted}"
        return _lost(section, journal, says, coded("anchor_missing", path=str(anchor)))
    if found is None:
        return None
    other = contradicted(journal, state, found.mark, coded("the_anchor", path=str(anchor)))
    if other:
        raise AnchorRefused(f"{journal}: {render(other.message)}; {_remedy(section, journal, state, found.mark)}")
    wrong = flaw(anchor, found, state.anchor, journal)
    return None if wrong is None else _lost(section, journal, wrong)


def _lost(
    section: JournalSection, journal: Path, says: CodedMessage | str, trouble: CodedMessage | None = None
) -> CodedMessage | str:
    if section.anchor_loss == "warn":
        return trouble or says
    another = f"tablectl journal anchor {journal} {section.anchor} --by NAME --because TEXT"
    raise AnchorRefused(
        f"{render(says)}; where there never was one, or it is gone for good, begin another: `{another}`"
    )


def _remedy(section: JournalSection, journal: Path, state: State, mark: Mark) -> str:
    if state.seq and mark.table not in ("", state.table):
        return "give each table an anchor of its own in [journal] anchor"
    if went_on(state, mark) is not None:
        back = "or takes it over from there (`tablectl takeover`)"
        return f"where another PC has the table now, this one stays off, {back}; else put the newest copy in its place"
    if not state.seq:
        return "put the record back, or, to begin anew, move the anchor away"
    accept = f"tablectl journal accept-loss {journal} --anchor {section.anchor} --by NAME --because TEXT"
    return f"put the newest copy in its place, or go on with the records that are left: `{accept}`"
