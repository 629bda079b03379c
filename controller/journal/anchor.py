"""Anchor of a record: a small file on another disk that stores the record's last head (`anchor_file`).

Invariant: under the anchor's name there is a whole anchor at every moment, the old or the new one. The stored head was
durable in the journal before, so a record that is not behind its anchor was not rolled back.

If a record has begun another epoch, the anchor names the earlier ones (`past`): a copy that ends in one of them is out
of date. To find out whether a table runs at an anchor, another program knocks: it puts a file beside the anchor. A
running table removes that file, which needs no space, and writes its anchor again.

An anchor is begun once, by the first start of a record or by a person. After that it is written only if the file is
the one that was begun (`flaw`).
"""

import os
import time
from pathlib import Path

from msgspec import UNSET
from msgspec.structs import replace

from ..core.coded_message import CodedMessage, coded
from ..core.mark import Mark
from ..core.state import Anchor, State
from ..core.witness import Contradiction, contradiction, first_contradiction, past_of
from ..text.errors import system_message
from .anchor_file import KNOCK, AnchorFolder, BadAnchor, FoundAnchor
from .file import Head, JournalError, journal_error, new_epoch
from .modes import MOST
from .reader import first_absent, reach, read
from .verification import hash_at

PAUSE = 0.05  # seconds between two checks for an answer


class AnchorRefused(JournalError):
    """Record contradicts the head in its anchor, or the anchor is missing."""


def mark_of(state: State, head: Head) -> Mark:
    """Return the mark of a record that ends with this state and head."""
    return Mark(state.identity.epoch, head.seq, head.hash.hex(), state.table, past_of(state.losses) or UNSET)


def find(anchor: Path) -> FoundAnchor | None:
    """Read an anchor file; None if there is no such file. Raises BadAnchor."""
    try:
        with AnchorFolder(anchor) as folder:
            return folder.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadAnchor(f"{anchor}: {system_message(error)}") from None


def recall(anchor: Path) -> Mark | None:
    """Return the head that an anchor remembers; None if there is no such file. Raises BadAnchor."""
    found_anchor = find(anchor)
    return None if found_anchor is None else found_anchor.mark


def flaw(anchor: Path, found_anchor: FoundAnchor | None, entry: Anchor | None, journal: Path) -> CodedMessage | None:
    """Return why a found anchor is not the one that the record knows; None if it is. Raises OSError.

    `entry`: anchor in the record; None: it has none yet, as in records from before anchors had an id.
    """
    if found_anchor is None:
        return coded("anchor_missing", path=str(anchor))
    if entry is not None and found_anchor.id != entry.id:
        return coded("anchor_replaced", path=str(anchor))
    if found_anchor.copied:
        return coded("anchor_copied", path=str(anchor))
    return coded("anchor_moved", path=str(anchor)) if _is_moved(found_anchor, entry, journal) else None


def foreign_reason(anchor: Path, found_anchor: FoundAnchor, entry: Anchor | None, journal: Path) -> CodedMessage | None:
    """Return why an anchor is not, or may not be, the one that another PC's record knows; None if it is.

    `journal`: path on this PC. The disk that both PCs reach may be a disk of this PC. An anchor that does not store its
    file system and inode cannot be told from a copy on that disk. Raises OSError.
    """
    if not found_anchor.placed and _is_moved(found_anchor, entry, journal):
        return coded("anchor_moved", path=str(anchor))
    return flaw(anchor, found_anchor, entry and replace(entry, apart=False), journal)


def _is_moved(found_anchor: FoundAnchor, entry: Anchor | None, journal: Path) -> bool:
    return entry is not None and entry.apart and found_anchor.device == _disk_of(journal)


def new_anchor(anchor: Path, journal: Path, id_: str = "") -> Anchor:
    """Return an anchor to be begun at this path, with the id `id_` or a new one. Raises OSError."""
    with AnchorFolder(anchor) as folder:
        return Anchor(id_ or new_epoch(), folder.device != _disk_of(journal))


def begin(anchor: Path, mark: Mark, id_: str) -> None:
    """Write an anchor under this id, replacing any file. Durable when this returns. Raises OSError."""
    with AnchorFolder(anchor) as folder:
        folder.write(mark, id_)


def _disk_of(journal: Path) -> int:
    return journal.resolve().parent.stat().st_dev


def remember(anchor: Path, mark: Mark) -> None:
    """Store a head in the anchor and keep its id. Durable when this returns. Raises OSError, BadAnchor."""
    with AnchorFolder(anchor) as folder:
        found_anchor = folder.read()
        folder.write(mark, "" if found_anchor is None else found_anchor.id)


def answers(anchor: Path, patience: float) -> bool:
    """Knock; return True if a running table answers within `patience` seconds. Raises JournalFailed."""
    bell = anchor.with_name(f"{anchor.name}{KNOCK}")
    try:
        before, deadline = _version(anchor), time.monotonic() + patience
        bell.touch(MOST)
        try:
            while (silent := _is_there(bell) and _version(anchor) == before) and time.monotonic() < deadline:
                time.sleep(PAUSE)
        finally:
            bell.unlink(missing_ok=True)
    except OSError as error:
        raise journal_error(anchor, error) from None
    return not silent


def _is_there(bell: Path) -> bool:
    """True if the knock file exists. Raises OSError.

    Opens the file each time, as a network file system may cache which files there are.
    """
    try:
        bell.open("rb").close()
    except FileNotFoundError:
        return False
    return True


def _version(anchor: Path) -> tuple[int, int]:
    """Return inode and modification time (ns) of an anchor. Raises OSError.

    Opens the file each time, as a network file system may cache a file's attributes.
    """
    with anchor.open("rb") as file:
        stat = os.fstat(file.fileno())
    return stat.st_ino, stat.st_mtime_ns


def find_contradiction(journal: Path, state: State, mark: Mark, where: CodedMessage) -> Contradiction | None:
    """Compare a journal that ends in `state` with a remembered head. Returns None if they agree.

    `where`: who remembers it. Raises NotAJournal, JournalFailed.
    """
    if not mark.seq:  # the anchor was begun, but has no head yet
        return None
    digest = hash_at(journal, mark.seq) if 0 < mark.seq <= state.seq else None
    result = contradiction(state, mark, None if digest is None else digest.hex(), where)
    if result is not None and (result.elsewhere or result.first == first_contradiction(state, mark)):
        rounds = rounds_after(journal, result.first - 1)
        if rounds is None:
            return result
        message = coded("rounds_not_counted", says=result.message, first=rounds[0], last=rounds[1])
        return result._replace(message=message)
    if result is None or digest is not None or not 0 < mark.seq == result.first <= state.seq:
        return result
    return Contradiction(result.first, _missing_archive(journal, mark.seq, where))


def rounds_after(journal: Path, seq: int) -> tuple[int, int] | None:
    """First and last round that was opened, settled or cancelled after a record; None if none was."""
    rounds = [one.round or 0 for one in read(journal, seq, ("opened", "settled", "cancelled"))]
    return (min(rounds), max(rounds)) if rounds else None


def _missing_archive(journal: Path, seq: int, where: CodedMessage) -> CodedMessage:
    """Name the archive that should hold record `seq`: neither the journal nor an archive has it."""
    first, real = first_absent(journal, seq), journal.resolve()
    name = f"{real.stem}.{first:012}{real.suffix}"
    return coded("archive_missing", seq=seq, where=where, name=name, last=reach(journal))
