"""A second PC takes a table over: what was shipped of its record becomes the journal here, in an epoch of its own.

The anchor, where both PCs reach it, proves two things: that nothing is missing which it remembers, and that no table
runs which can write it, for one would answer. From then on it says that the record goes on elsewhere: the old PC does
not start, and where it was only cut off, it opens no further round once it sees the anchor again. What it cannot prove
is that a PC which is cut off from the anchor's disk deals no more, nor that there were no records since the anchor was
written that never left the old PC. So a new epoch begins in any case: nobody takes new records for lost ones. Without
an anchor a person says that the old PC is off, and that is recorded. So is that another anchor is begun, where the one
of the table is gone.
"""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, Protocol

from ..config.table_file import Config
from ..core import events as e
from ..core.clock import Time
from ..core.mark import Mark
from ..core.state import Anchor, State
from ..core.witness import alone_since, went_on
from ..journal import (
    FoundAnchor,
    Head,
    JournalError,
    answers,
    archives,
    begin,
    beginning,
    contradicted,
    find,
    is_there,
    mark_of,
    new_epoch,
    recovered,
)
from ..journal.assembly import added, assembled, beside, give_name, shortened, vacant
from ..journal.file import clear
from ..journal.lock import Lock
from ..journal.parts import Part, together
from ..text import pc_texts as t
from ..text.errors import system_says
from .losses import going_on
from .standby import take_beside
from .station import own

KNOCK = 8.0  # seconds for a running table to answer: it looks each second


class TakeoverRefused(JournalError):
    """A table that is not taken over. Nothing has changed."""


class Unheard(JournalError):
    """A bus that could not be asked."""


class Witness(Protocol):
    """The studio's bus, asked by a takeover."""

    def remembered(self, state: State) -> Mark | None:
        """The head that a record has to agree with. Raises Unheard, WitnessRefused, Unusable."""

    def announce(self, mark: Mark, at: Time) -> None:
        """Have the bus remember that the new epoch has begun: the old PC opens no further round."""


class Nobody:
    """The witness of a table without a bus."""

    def remembered(self, _: State) -> None:
        """Return None: without a bus, no head is remembered."""

    def announce(self, mark: Mark, at: Time) -> None:
        """Do nothing: there is no bus to publish the epoch on."""


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


class Taken(NamedTuple):
    """Result of a takeover: state before, state after, and head of the new journal."""

    before: State
    after: State
    head: Head


def take_over(
    settings: Config, journal: Path, folder: Path, decision: Decision, witness: Witness | None = None
) -> Taken:
    """Make a journal of what was shipped. `witness`: the studio's bus, if any. Raises TakeoverRefused, JournalError."""
    witness = witness or Nobody()
    with closing(Lock(journal)):
        _refuse_second(journal)
        found = _asked(settings, decision)
        parts, new = together(folder), beside(journal)
        try:
            taken = _made(settings, journal, new, parts, decision, found, witness)
            take_beside(folder, journal, settings.users_beside(journal))
            give_name(new, journal)
        finally:
            clear(new)
        _fence(settings, taken.after, taken.head)
        if not taken.after.doubts:
            witness.announce(mark_of(taken.after, taken.head), taken.after.at)
    return taken


def _made(
    settings: Config,
    journal: Path,
    new: Path,
    parts: Sequence[Part],
    decision: Decision,
    anchored: FoundAnchor | None,
    witness: Witness,
) -> Taken:
    """The new journal, which has not its name yet."""
    head = assembled(parts, new)
    before = recovered(new)
    own(before, settings.house("dealer"), journal)
    there = None if anchored is None else anchored.mark
    seen, unheard = _seen(before, witness)
    told = (f"the anchor {settings.journal.anchor}", there), ("the bus", seen)
    missing = [lost for where, mark in told if (lost := _lost(where, new, before, mark, decision)) is not None]
    lost = max(missing, key=lambda mark: mark.seq, default=None)
    if seen in missing and (alone := alone_since(before, seen)) is not None:
        head, before = shortened(new, alone), recovered(new)
    because = decision.reason if unheard is None else f"{decision.reason}; the bus could not be asked"
    events: list[e.Event] = [e.AcceptLoss(decision.by, because, new_epoch(), lost)]
    if unheard is not None:
        events.append(e.Checked("witness", before.seq + 1, unheard))
    anchor = _anchor(settings, journal, before, anchored, decision)
    if anchor != before.anchor and anchor is not None:
        events.append(e.BeginAnchor(decision.by, decision.reason, anchor.id, anchor.apart))
    head = added(new, head, going_on(new, before, *events))
    return Taken(before, recovered(new), head)


def _anchor(
    settings: Config, journal: Path, before: State, found: FoundAnchor | None, decision: Decision
) -> Anchor | None:
    """The anchor that the table has from here on: the one it had, unless that is gone. Raises TakeoverRefused."""
    if settings.journal.anchor is None:
        return before.anchor
    path, known = Path(settings.journal.anchor), before.anchor
    ours = found is not None and not found.copied and (known is None or found.id == known.id)
    if not ours and not decision.without_anchor:
        raise TakeoverRefused(
            f"{t.ANCHOR_REPLACED.format(path=path)}, or, where it is gone for good, add --old-pc-is-off and "
            "--accept-loss"
        )
    try:
        return beginning(path, journal, found.id if found is not None and ours else "")
    except OSError:
        return known  # the start says what is wrong with it


def _seen(state: State, witness: Witness) -> tuple[Mark | None, str | None]:
    """Return the head that the bus remembers, or a text on why the bus could not be asked.

    If it could not be asked, no round opens until the record is compared.
    """
    try:
        return witness.remembered(state), None
    except Unheard as error:
        return None, t.NOT_COMPARED.format(reason=error)


def _refuse_second(journal: Path) -> None:
    if is_there(journal) or archives(journal):
        raise TakeoverRefused(f"{journal}: there is a record here already: move its folder's files away first")
    vacant(journal, None)


def _asked(settings: Config, decision: Decision) -> FoundAnchor | None:
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


def _lost(where: str, new: Path, state: State, mark: Mark | None, decision: Decision) -> Mark | None:
    """Return the remembered head that was not shipped, if its loss is accepted; None if nothing is lost.

    `where`: what remembers it, in words. Raises TakeoverRefused.
    """
    if mark is None or (found := contradicted(new, state, mark, where)) is None:
        return None
    if went_on(state, mark) is not None:
        raise TakeoverRefused(f"{new.parent}: {found.says}; take it over from there")
    if mark.epoch != state.identity.epoch:
        raise TakeoverRefused(f"{new.parent}: {found.says}; give each table an anchor and a folder of its own")
    if not decision.accept_loss:
        raise TakeoverRefused(
            f"{new.parent}: {found.says}; where the old PC's disk can be read, ship from it once more, else go on "
            "without: --accept-loss --because TEXT"
        )
    return mark


def _fence(settings: Config, after: State, head: Head) -> None:
    """From now on the anchor says that the record goes on here."""
    if settings.journal.anchor is not None:
        try:
            begin(Path(settings.journal.anchor), mark_of(after, head), "" if after.anchor is None else after.anchor.id)
        except OSError as error:
            raise TakeoverRefused(
                f"{settings.journal.anchor}: {system_says(error)}; the record is here: start the table, which writes "
                "it, or says how another is begun"
            ) from None
