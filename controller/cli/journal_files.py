"""`tablectl journal`: verify, replay, rotate and copy the files of a record.

Each defect is a line, and the exit code is then 1. No command here changes a record.
"""

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import click
import msgspec

from .. import journal as record
from ..config.table_file import PROGRAM
from ..games import GAMES
from ..journal import (
    Finding,
    Head,
    Journal,
    JournalError,
    JournalVerification,
    Passed,
    Row,
    find_contradiction,
    recover_state,
)
from ..journal.parts import is_part, look_at, verify_parts
from ..journal.verification import STEP
from ..reports.replay import Replay
from ..station.copies import Copied, copy
from ..text.coded import render
from .arguments import PATH
from .file_order import begin_in_order
from .progress_bars import bar
from .reading import AS_JSON, FILE, FILES
from .remembered_heads import ANCHOR, WITNESS, remembered_head


@click.command
@FILES
@click.option("--head", metavar="SEQ:HASH", help="A head announced earlier; fail if the journal does not contain it.")
@ANCHOR
@WITNESS
@AS_JSON
def verify(
    files: Sequence[Path], head: str | None, anchor: Path | None, witness: Path | None, *, as_json: bool
) -> None:
    """Verify the chain of hashes through FILE; exit 1 if it is broken.

    If the record has several files, name the archives in the order of their names, then the journal. For a shipped
    record name its parts in that order.
    """
    try:
        announced = None if head is None else Head.parse(head)
    except ValueError as error:
        raise click.UsageError(f"--head: {error}") from None
    if (anchor or witness) and any(map(is_part, files)):
        raise click.UsageError("--anchor, --witness: expected a journal, got parts that were shipped: give --head")
    began = time.perf_counter()
    verdict = _verify_files(files, announced)
    speed = verdict.records / max(time.perf_counter() - began, 1e-9)
    known_head = None if verdict.finding else remembered_head(files[-1], anchor, witness)
    if known_head is not None:
        contradiction = find_contradiction(files[-1], recover_state(files[-1]), *known_head)
        verdict = verdict._replace(finding=contradiction and Finding(contradiction.first, contradiction.message))
    click.echo(_as_json(verdict) if as_json else _describe(verdict, f"{speed:,.0f} a second; "))
    if verdict.finding is not None:
        sys.exit(1)


def _verify_files(files: Sequence[Path], announced: Head | None) -> JournalVerification:
    parts = [is_part(file) for file in files]
    if any(parts) != all(parts):
        raise click.UsageError("expected either parts that were shipped, or a journal and its archives, got both")
    if any(parts):
        with bar("verifying the parts", *_parts_span(files)) as passed:
            return verify_parts(files, announced, passed)
    with bar("verifying the chain", *_span(files)) as passed:
        return record.verify_all(files, announced, passed)


def _span(files: Sequence[Path]) -> tuple[int, int]:
    """Numbers of the record before the first one in these files, and of the last one; both 0 if they cannot be read."""
    try:
        return record.origin_of(files[0]).seq, record.head_of(files[-1]).seq
    except JournalError:
        return 0, 0  # the command itself then reports what is wrong


def _parts_span(files: Sequence[Path]) -> tuple[int, int]:
    first, last = look_at(files[0]), look_at(files[-1])
    return (0, 0) if first is None or last is None else (first.begin.seq, last.end.seq)


def _as_json(verdict: JournalVerification) -> bytes:
    finding = verdict.finding
    fields = None if finding is None else {"seq": finding.seq, "reason": render(finding.reason)}
    return msgspec.json.encode({"records": verdict.records, "head": str(verdict.head), "finding": fields})


def _describe(verdict: JournalVerification, speed: str = "") -> str:
    first = verdict.head.seq - verdict.records + 1
    since = f" from {first} on" if first > 1 else ""
    if verdict.finding is None:
        return f"{verdict.records} records{since} valid, {speed}head {verdict.head}"
    seq, reason = verdict.finding
    before = " before it" if seq > verdict.head.seq else ", by their own hashes"
    return f"record {seq}: {render(reason)}; {verdict.records} valid records{since}{before}"


def _rows_with_progress(rows: Iterable[Row], passed: Passed) -> Iterator[Row]:
    for row in rows:
        yield row
        if not row[0] % STEP:
            passed(row[0])


@click.command
@FILES
@AS_JSON
def replay(files: Sequence[Path], *, as_json: bool) -> None:
    """Repeat all decisions from the inputs in FILE and compare them with the record; exit 1 if any differs.

    If the record has several files, name the archives in the order of their names, then the journal.
    """
    begin_in_order(files)
    began = time.perf_counter()
    audit = Replay(GAMES, PROGRAM)
    with bar("deciding again", *_span(files)) as passed:
        for file in files:
            audit.take(_rows_with_progress(record.read_rows(file), passed))
    audit.finish()
    speed = audit.records / max(time.perf_counter() - began, 1e-9)
    if as_json:
        click.echo(msgspec.json.encode(audit.report()))
    else:
        for line in (*audit.others, *audit.differences):
            click.echo(line)
        read = f", {audit.read} only read: the table's settings are not in the record" if audit.read else ""
        summary = f"{audit.records} records, {audit.rounds} rounds decided again{read}, {speed:,.0f} records a second"
        click.echo(f"{summary}; {len(audit.differences)} differences")
    if audit.differences:
        sys.exit(1)


@click.command
@FILE
def rotate(file: Path) -> None:
    """Move all but the last records of FILE to an archive beside it.
    A running table does this by itself.
    """
    record.head_of(file)  # raises if the file is no journal, because `Journal` would create one
    with closing(Journal(file)) as book:
        archive = book.rotate()
    seq = record.origin_of(file).seq
    click.echo(f"records up to {seq} are in {archive}; {file} continues with record {seq + 1}")


@click.command
@FILE
@click.argument("to", type=PATH)
def backup(file: Path, to: Path) -> None:
    """Copy FILE, which may be in use, to the new file TO, and verify the copy.

    Shift managers and tokens are copied to TO.users, and to TO.outbox how far each alert target has got. To continue
    from a copy, put each file back in its place.
    """
    with bar("verifying the copy", *_span([file])) as passed:
        copied = copy(file, to, passed)
    click.echo(f"{to}: {_describe(copied.verdict)}")
    if copied.users:
        click.echo(f"{copied.users}: shift managers and tokens")
    if copied.outbox:
        click.echo(f"{copied.outbox}: how far each alert target has got")
    click.echo(f"not copied: {_name_left_out(file, copied)}")
    if copied.verdict.finding is not None:
        sys.exit(1)


def _name_left_out(file: Path, copied: Copied) -> str:
    """Name, in one line, the files that a backup leaves out, and how to keep them."""
    old = record.archives(file)
    left = ["the config"]
    if not copied.users:
        left.append("shift managers and tokens: no file beside the journal (see [web] users)")
    if old:
        left.append(f"the archives, from {old[0].name} on: they never change, so copy them yourself")
    return "; ".join(left)
