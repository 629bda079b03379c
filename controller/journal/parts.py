"""Format of a shipped record: text files (parts) in a folder, each verifiable by itself.

    {"part":1,"table":"t1","epoch":"9f0c…","after":"57:0c0e3ad7…"}
    58:4b1f…<tab>RECORD[<tab>INPUT]

One line per record, as in the journal: our JSON has no tabs or line feeds. A part belongs to one epoch.
`000000000058-000000004153.9f0c….part` is sealed and changes no more; `tail.part` grows until it is sealed. An
incomplete line at the tail's end was cut off while it was written or copied and is ignored. A part with a file of its
name and `.lost` beside it was accepted as lost and does not belong to the record.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

import msgspec
from msgspec import Struct

from ..core.coded_message import CodedMessage, coded
from ..text.errors import system_message
from .file import NOTHING, Damaged, Head, JournalError, JournalFailed
from .rows import Row, flaw
from .verification import Finding, JournalVerification, Passed, check_announced_head, hash_mismatch, ignore_progress

TAIL = "tail.part"
END, LOST = ".part", ".lost"
_SEALED = re.compile("[0-9]{12,}-([0-9]{12,})[.]")  # begin of a sealed part's name, with its last record


class BadPart(JournalError):
    """File is no part of a record, or parts do not belong to one record."""


class Heading(Struct, frozen=True):
    """First line of a part: its table, its epoch and the record before it."""

    part: Literal[1]
    table: str
    epoch: str
    after: str  # head before the first record of the part

    @property
    def line(self) -> bytes:
        """JSON line as it is written to the file."""
        return msgspec.json.encode(self) + b"\n"


class PartFile(NamedTuple):
    """Part file, with the range of its records."""

    path: Path
    table: str
    epoch: str
    begin: Head  # head before its first record
    end: Head  # its last record
    size: int  # bytes of complete lines

    @property
    def records(self) -> int:
        """Number of records in the part."""
        return self.end.seq - self.begin.seq


def is_part(path: Path) -> bool:
    """True if the file name is that of a part, also of a lost one."""
    return path.name.endswith((END, END + LOST))


def sealed_paths(folder: Path) -> list[Path]:
    """Paths of the sealed parts that are not lost, in order. Raises JournalFailed."""
    try:
        names = {path.name for path in folder.iterdir()}
    except OSError as error:
        raise JournalFailed(f"{folder}: {system_message(error)}") from None
    return [folder / name for name in sorted(names) if name.endswith(END) and name != TAIL and name + LOST not in names]


def name_of(part: PartFile) -> str:
    """Return the file name of a part after sealing."""
    return f"{part.begin.seq + 1:012}-{part.end.seq:012}.{part.epoch}{END}"


def look_at(path: Path) -> PartFile | None:
    """Read a part by its first and its last line; None if the first line is incomplete.

    Raises BadPart, Damaged, JournalFailed.
    """
    content = _content(path)
    whole = content.rfind(b"\n") + 1
    begun = _read_begin(path, content)
    last = content[content.rfind(b"\n", 0, max(0, whole - 1)) + 1 : max(0, whole - 1)]
    if begun is None or whole == begun.size:
        return begun
    return begun._replace(end=_row(path, last)[1], size=whole)


def _read_begin(path: Path, content: bytes) -> PartFile | None:
    """Read a part's first line; None if it is incomplete. Raises BadPart."""
    line, whole, _ = content.partition(b"\n")
    if not whole:
        return None
    try:
        heading = msgspec.json.decode(line, type=Heading)
        begin = Head.parse(heading.after)
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError):
        raise BadPart(coded("not_a_part", path=str(path))) from None
    return PartFile(path, heading.table, heading.epoch, begin, begin, len(line) + 1)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise JournalFailed(f"{path}: {system_message(error)}") from None


def line_of(row: Row) -> bytes:
    """Return the line of a record as it is written to a part."""
    seq, line, input_line, digest = row
    return b"\t".join([str(Head(seq, digest)).encode(), line, *([] if input_line is None else [input_line])]) + b"\n"


def _row(path: Path, text: bytes) -> tuple[Row, Head]:
    place, _, rest = text.partition(b"\t")
    line, has_input, input_line = rest.partition(b"\t")
    try:
        head = Head.parse(place.decode())
    except (UnicodeDecodeError, ValueError):
        raise Damaged(coded("part_damaged", path=str(path))) from None
    return (head.seq, line, input_line if has_input else None, head.hash), head


def rows_of(part: PartFile) -> Iterator[Row]:
    """Yield the records of a part, each checked to follow the one before. Raises Damaged, JournalFailed."""
    yield from _verified_rows(part, _content(part.path)[: part.size])


def _verified_rows(part: PartFile, content: bytes) -> Iterator[Row]:
    head = part.begin
    for text in content.split(b"\n")[1:-1]:
        row, after = _row(part.path, text)
        if reason := flaw(head, row):
            raise Damaged(coded("part_contradicts", path=str(part.path), seq=head.seq + 1, reason=reason))
        yield row
        head = after


def read_valid_part(path: Path) -> PartFile | None:
    """Read the valid beginning of a part; None if its first line is incomplete.

    After a power cut a tail may have less valid content than its size says. Raises BadPart, JournalFailed.
    """
    content = _content(path)
    part = _read_begin(path, content)
    if part is not None:
        with suppress(Damaged):
            for row in _verified_rows(part, content):
                part = part._replace(end=Head(row[0], row[-1]), size=part.size + len(line_of(row)))
    return part


def consecutive_parts(folder: Path) -> list[PartFile]:
    """Return the parts of the record in a folder, each continuing the one before.

    Raises BadPart, Damaged, JournalFailed.
    """
    parts = [part for path in sealed_paths(folder) if (part := look_at(path))]
    tail = look_at(folder / TAIL) if (folder / TAIL).exists() else None
    if tail is not None and not _is_sealed(tail, parts):
        parts.append(tail)
    for before, part in pairwise(parts):
        if part.begin != before.end or part.table != before.table:
            raise BadPart(_describe_break(before, part))
    if cut := _cut(sealed_paths(folder), parts[-1].end if parts else NOTHING):
        raise Damaged(cut)
    if not any(part.records for part in parts):
        raise BadPart(coded("no_parts", path=str(folder)))
    return parts


def _cut(paths: Sequence[Path], end: Head) -> CodedMessage | None:
    """Damage of a sealed part whose name says that it ends after the last record `end`; None if none does."""
    for path in paths:
        if (named := _SEALED.match(path.name)) and int(named[1]) > end.seq:
            return coded("part_damaged", path=str(path))
    return None


def _is_sealed(tail: PartFile, parts: Sequence[PartFile]) -> bool:
    """True if the tail is an earlier version of one of these sealed parts."""
    later = (part for part in parts if part.begin == tail.begin)
    return any(Head(row[0], row[-1]) == tail.end for part in later for row in rows_of(part))


def _describe_break(before: PartFile, part: PartFile) -> CodedMessage:
    if part.begin.seq > before.end.seq:
        gap = coded("records_absent", first=before.end.seq + 1, last=part.begin.seq)
        return coded(
            "parts_missing", path=str(part.path.parent), reason=gap, name=before.path.name, following=part.path.name
        )
    return coded("parts_apart", path=str(part.path), name=before.path.name)


def verify_parts(
    paths: Sequence[Path], announced: Head | None = None, passed: Passed = ignore_progress
) -> JournalVerification:
    """Verify the hash chain through parts in their order. Raises BadPart, JournalFailed.

    `announced`: head that was published earlier and must still be there.
    """
    begin = head = None
    for part in filter(None, map(look_at, paths)):
        begin, head = begin or part.begin, head or part.begin
        head, reason = _verify_part(part, head, announced)
        if reason:
            return JournalVerification(head.seq - begin.seq, head, Finding(head.seq + 1, reason))
        passed(head.seq)
    if begin is None or head is None:
        raise BadPart(coded("part_empty", path=str(paths[0])))
    if cut := _cut(paths, head):
        return JournalVerification(head.seq - begin.seq, head, Finding(head.seq + 1, cut))
    return JournalVerification(
        head.seq - begin.seq, head, check_announced_head(begin, head, announced) if announced else None
    )


def _verify_part(part: PartFile, head: Head, announced: Head | None) -> tuple[Head, CodedMessage | str | None]:
    """Return the last valid record of a part, and the defect after it or None."""
    if part.begin != head:
        return head, coded("file_elsewhere", path=str(part.path), name=str(part.begin))
    try:
        for row in rows_of(part):
            after = Head(row[0], row[-1])
            if reason := hash_mismatch(after, announced):
                return head, reason
            head = after
    except Damaged as error:
        return head, error.message
    return head, None
