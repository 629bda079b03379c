"""Takeover of a table by a second PC: the shipped record becomes the journal here.

The record continues in a new epoch.

An anchor that both PCs reach proves two things: no record that it remembers is missing, and no running table can write
to its folder, because such a table would answer. After the takeover it says that the record continues elsewhere: the
old PC does not start, and if it was only cut off, it opens no further round when it sees the anchor again.

The anchor cannot prove that a PC without access to it has stopped dealing, nor that no later records exist on the old
PC alone. Therefore a new epoch begins in any case, so that new records are not taken for lost ones. Without an anchor a
person confirms that the old PC is off, which is recorded. If the anchor is gone, a new one is begun, which is recorded
too.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

from ..config.table_file import Config
from ..core import events as e
from ..core.clock import Time
from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import Loss, State
from ..core.witness import first_contradiction, last_before_continuation
from ..journal import (
    FoundAnchor,
    Head,
    JournalError,
    archives,
    find_contradiction,
    head_of,
    is_there,
    mark_of,
    new_epoch,
    recover_state,
)
from ..journal.assembly import (
    append_records,
    delete_records_from,
    give_name,
    remove_temporary_files,
    require_vacant,
    temporary_path,
    write_journal,
)
from ..journal.file import clear
from ..journal.journal_traces import takeover_path
from ..journal.lock import Lock
from ..journal.parts import PartFile, consecutive_parts
from ..text.coded import render, sentence_and_code
from .losses import following_records
from .ownership import require_own
from .standby import adopt_shipped_files
from .takeover_anchor import TakeoverDecision, TakeoverRefused, anchor_of, fence, find_anchor, is_fenced


class Unheard(JournalError):
    """Bus could not be asked for the remembered head; the message says why."""


class Witness(Protocol):
    """Interface of the studio's bus for a takeover."""

    def remembered_head(self, state: State) -> Mark | None:
        """Head that the record must agree with; None if there is none. Raises Unheard, WitnessRefused, Unusable."""

    def announce(self, mark: Mark, at: Time) -> None:
        """Publish the head of the new epoch, so that the old PC opens no further round."""


class NoWitness:
    """Stand-in for the bus at a table without one: remembers nothing."""

    def remembered_head(self, _: State) -> None:
        """Return None: without a bus, no head is remembered."""

    def announce(self, mark: Mark, at: Time) -> None:
        """Do nothing: there is no bus to publish the epoch on."""


class TakeoverResult(NamedTuple):
    """Result of a takeover: state at the end of the new journal, and its head."""

    after: State
    head: Head

    @property
    def previous_end(self) -> Loss:
        """Previous epoch, and the number of its last valid record."""
        return self.after.losses[-1]

    @property
    def mark(self) -> Mark:
        """Head of the new journal, which the anchor and the bus remember from now on."""
        return mark_of(self.after, self.head)


def take_over(
    settings: Config, journal: Path, folder: Path, decision: TakeoverDecision, witness: Witness | None = None
) -> TakeoverResult:
    """Make the journal of this PC from the shipped parts in `folder`.

    `witness`: the studio's bus, if any. Raises TakeoverRefused, JournalError.

    The anchor is written before the journal gets its name. If the program is killed in between, the same call goes on.
    """
    witness = witness or NoWitness()
    with closing(Lock(journal)):
        _refuse_second(journal)
        found_anchor = find_anchor(settings, decision)
        new = takeover_path(journal)
        result = _interrupted_takeover(new, found_anchor) or _make_and_fence(
            settings, journal, folder, decision, found_anchor, witness
        )
        adopt_shipped_files(folder, journal, settings.users_beside(journal))
        give_name(new, journal)
        if not result.after.doubts:
            witness.announce(result.mark, result.after.at)
    return result


def _interrupted_takeover(new: Path, found_anchor: FoundAnchor | None) -> TakeoverResult | None:
    """Return an interrupted takeover: the anchor names it, but the journal has no name yet; else None."""
    if found_anchor is None or not new.exists():
        return None
    try:
        result = TakeoverResult(recover_state(new), head_of(new))
    except JournalError:
        return None
    return result if result.mark == found_anchor.mark else None


def _make_and_fence(
    settings: Config,
    journal: Path,
    folder: Path,
    decision: TakeoverDecision,
    found_anchor: FoundAnchor | None,
    witness: Witness,
) -> TakeoverResult:
    """Make the new journal and write its head to the anchor; on a refusal the new files are removed."""
    new, result = temporary_path(journal), None
    remove_temporary_files(journal)
    try:
        result = _make_journal(settings, journal, new, consecutive_parts(folder), decision, found_anchor, witness)
        give_name(new, takeover_path(journal))
        fence(settings, result.mark, result.after.anchor)
    except BaseException:
        clear(new)
        if result is None or not is_fenced(settings, result.mark):
            clear(takeover_path(journal))
        raise
    return result


def _make_journal(
    settings: Config,
    journal: Path,
    new: Path,
    parts: Sequence[PartFile],
    decision: TakeoverDecision,
    anchored: FoundAnchor | None,
    witness: Witness,
) -> TakeoverResult:
    """Make the new journal under the temporary path `new`."""
    head = write_journal(parts, new)
    before = recover_state(new)
    require_own(before, settings.house("dealer"), journal)
    anchor_mark = None if anchored is None else anchored.mark
    bus_mark, unheard = _ask_bus(before, witness)
    marks = (coded("the_anchor", path=str(settings.journal.anchor)), anchor_mark), (coded("the_bus"), bus_mark)
    missing = [lost for where, mark in marks if (lost := _lost_head(where, new, before, mark, decision)) is not None]
    lost = max(missing, key=lambda mark: mark.seq, default=None)
    if bus_mark in missing and (alone := first_contradiction(before, bus_mark)) is not None:
        head, before = delete_records_from(new, alone), recover_state(new)
    because = decision.reason if unheard is None else render(coded("bus_unasked", reason=decision.reason))
    events: list[e.Event] = [e.AcceptLoss(decision.by, because, new_epoch(), lost)]
    if unheard is not None:
        events.append(e.Checked("witness", before.seq + 1, *sentence_and_code(unheard)))
    anchor = anchor_of(settings, journal, before, anchored, decision)
    if anchor != before.anchor and anchor is not None:
        events.append(e.BeginAnchor(decision.by, decision.reason, anchor.id, anchor.apart))
    head = append_records(new, head, following_records(new, before, *events))
    return TakeoverResult(recover_state(new), head)


def _ask_bus(state: State, witness: Witness) -> tuple[Mark | None, CodedMessage | None]:
    """Return the head that the bus remembers, or a message on why the bus could not be asked.

    If it could not be asked, no round opens until the record is compared.
    """
    try:
        return witness.remembered_head(state), None
    except Unheard as error:
        return None, coded("bus_not_compared", reason=error.message)


def _refuse_second(journal: Path) -> None:
    if is_there(journal) or archives(journal):
        raise TakeoverRefused(coded("record_here", path=str(journal)))
    require_vacant(journal)


def _lost_head(
    where: CodedMessage, new: Path, state: State, mark: Mark | None, decision: TakeoverDecision
) -> Mark | None:
    """Return the remembered head that was not shipped, if its loss is accepted; None if nothing is lost.

    `where`: what remembers it. Raises TakeoverRefused.
    """
    if mark is None or (contradiction := find_contradiction(new, state, mark, where)) is None:
        return None
    if last_before_continuation(state, mark) is not None:
        then = coded("take_from_there")
    elif mark.epoch != state.identity.epoch:
        then = coded("anchor_and_folder_shared")
    elif not decision.accept_loss:
        then = coded("ship_once_more")
    else:
        return mark
    raise TakeoverRefused(coded("contradicts", path=str(new.parent), what=contradiction.message, then=then))
