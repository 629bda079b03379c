"""Journal on disk: appends are all or nothing, records are chained, and a later change is found."""

import hashlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from controller.config.table_file import check
from controller.core.encoding import encode, encode_input
from controller.core.fold import fold
from controller.core.records import Checkpoint, Record
from controller.core.state import State
from controller.journal import (
    GENESIS,
    Damaged,
    Head,
    Journal,
    JournalError,
    JournalFailed,
    JournalInUse,
    JournalUnbegun,
    NoJournalYet,
    NotAJournal,
    connection,
    head_of,
    read,
    read_back,
    verify,
)
from controller.script.play import Play
from controller.script.reader import parse
from controller.text.coded import render
from tests.mounts import shell
from tests.needs import strace
from tests.processes import ForkableProgram, finish

HOUSE = check({"table": {"carry": True}}).house("auto", "baccarat")

SETTLED = """
open
bet p1 banker 10.00
close
card 2C
card 3D
card 2D
card AS
card 8H
"""
CORRECTED = """
open
bet p1 player 5.00
close
card 9C
unread
card 7D
rule rescan by manager1 because "slid again"
card KD
card KS
"""
CANCELLED = """
open
bet p2 tie 1.00
card 4C
rule cancel by manager1 because "too early"
"""
AFTERWARDS = """
card 5C
rule carry seen no by manager1 because "one too many"
open
close
"""
EVERYTHING = SETTLED + CORRECTED + CANCELLED + SETTLED + AFTERWARDS


def played(script: str) -> list[Record]:
    """Play a script; return its records."""
    table = Play(HOUSE)
    list(table.run(parse(script)))
    return table.records


RECORDS = played(EVERYTHING)


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "table.journal"


@pytest.fixture
def journal(path) -> Iterator[Journal]:
    book = Journal(path)
    yield book
    book.close()


@pytest.fixture
def written(path) -> Path:
    """A closed journal with all of RECORDS."""
    book = Journal(path)
    book.append(RECORDS)
    book.close()
    return path


def edit(path: Path, statement: str, *values: object) -> None:
    """Change a journal by SQL, as somebody with an SQLite shell would."""
    db = sqlite3.connect(path)
    with db:
        db.execute(statement, values)
    db.close()


def seqs(path: Path) -> list[int]:
    return [record.seq for record in read(path)]


# ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_journal_is_empty_and_sound(journal, path):
    assert list(read(path)) == []
    assert head_of(path) == journal.head == Head(0, GENESIS)
    assert verify(path) == (0, Head(0, GENESIS), None)


def test_what_was_appended_can_be_read_at_once(journal, path):
    journal.append(RECORDS[:3])
    assert list(read(path)) == RECORDS[:3]
    journal.append(RECORDS[3:])
    assert list(read(path)) == RECORDS
    assert list(read(path, after=10)) == RECORDS[10:]


def test_appending_nothing_changes_nothing(journal):
    before = journal.append(RECORDS[:3])
    assert journal.append([]) == before == journal.head


def test_an_append_with_one_bad_record_writes_none(journal, path):
    head = journal.append(RECORDS[:3])
    with pytest.raises(JournalFailed):
        journal.append([RECORDS[3], RECORDS[4], RECORDS[3]])
    assert seqs(path) == [1, 2, 3]
    assert journal.head == head_of(path) == head
    journal.append(RECORDS[3:5])
    assert seqs(path) == [1, 2, 3, 4, 5]
    assert verify(path).finding is None


def test_every_commit_waits_for_the_disk(journal):
    """With `synchronous = NORMAL` a power cut would lose the last commits of a write-ahead log."""
    assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)
    assert journal._db.execute("PRAGMA journal_mode").fetchone() == (b"wal",)


def test_each_hash_covers_record_input_and_previous_hash(written):
    digest = GENESIS
    for record in RECORDS:
        given = b"" if record.input is None else b"\n" + encode_input(record.input)
        digest = hashlib.sha256(digest + encode(record) + given).digest()
    assert head_of(written) == Head(len(RECORDS), digest)


def test_batch_size_does_not_change_the_chain(written, tmp_path):
    book = Journal(tmp_path / "other.journal")
    for record in RECORDS:
        book.append([record])
    assert book.head == head_of(written)
    book.close()


def test_an_opened_journal_goes_on_where_it_ended(path):
    for start in range(0, len(RECORDS), 7):
        book = Journal(path)
        book.append(RECORDS[start : start + 7])
        book.close()
    assert list(read(path)) == RECORDS
    assert verify(path).finding is None


# ── verifying ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_start_waits_while_another_program_recovers_the_log(written, monkeypatch):
    with closing(sqlite3.connect(written, isolation_level=None, check_same_thread=False)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN IMMEDIATE")
        opened = connection.open_file

        def opens(*how: Any) -> sqlite3.Connection:
            threading.Timer(4 * connection.PATIENCE, other.close).start()  # longer than a running table waits
            return opened(*how)

        monkeypatch.setattr(connection, "open_file", opens)
        with closing(Journal(written)) as journal:
            assert journal.head == head_of(written)


def test_an_intact_journal_is_sound_to_its_head(written):
    assert verify(written) == (len(RECORDS), head_of(written), None)
    assert verify(written, head_of(written)).finding is None


@pytest.mark.parametrize("seq", [1, 2, len(RECORDS) // 2, len(RECORDS) - 1, len(RECORDS)])
def test_an_edited_record_is_named(written, seq):
    edit(written, "UPDATE records SET record = replace(record, '2026-01-01', '2026-01-02') WHERE seq = ?", seq)
    assert named(written) == seq


WITH_INPUT = [record.seq for record in RECORDS if record.input]


@pytest.mark.parametrize("seq", [WITH_INPUT[0], WITH_INPUT[-1]])
@pytest.mark.parametrize("made", ["NULL", "CAST(x'ff00fe' AS TEXT)", "input || ' '", "replace(input, ':00:', ':01:')"])
def test_an_edited_input_is_named(written, seq, made):
    edit(written, f"UPDATE records SET input = {made} WHERE seq = ?", seq)
    assert named(written) == seq


@pytest.mark.parametrize("made", ["CAST(x'ff00fe' AS TEXT)", "'[1]'", "replace(input, '00Z', '00')"])
def test_a_corrupted_input_is_damage_when_read(written, made):
    edit(written, f"UPDATE records SET input = {made} WHERE seq = {WITH_INPUT[-1]}")
    with pytest.raises(Damaged, match=f"record {WITH_INPUT[-1]} cannot be read"):
        list(read(written))


@pytest.mark.parametrize("seq", [1, len(RECORDS) // 2, len(RECORDS)])
def test_an_edited_hash_is_named(written, seq):
    edit(written, "UPDATE records SET hash = zeroblob(32) WHERE seq = ?", seq)
    assert named(written) == seq


@pytest.mark.parametrize("seq", [1, len(RECORDS) // 2, len(RECORDS)])
def test_a_record_that_is_no_text_any_more_is_named(written, seq):
    edit(written, "UPDATE records SET record = CAST(x'ff00fe' AS TEXT) WHERE seq = ?", seq)
    assert named(written) == seq


DEEP = "replace(hex(zeroblob(100000)), '00', '[') || replace(hex(zeroblob(100000)), '00', ']')"
UNREADABLE = [
    "replace(record, '00Z\"', '00\"')",
    "replace(record, '\"2026-01-01', '\"2026-13-01')",
    f"replace(record, '{{\"seq\"', '{{\"x\":' || {DEEP} || ',\"seq\"')",
    "'[1]'",
    "''",
]


@pytest.mark.parametrize("made", UNREADABLE)
def test_a_corrupted_record_is_damage_when_read(written, made):
    edit(written, f"UPDATE records SET record = {made} WHERE seq = 20")
    with pytest.raises(Damaged, match="record 20 cannot be read"):
        list(read(written))
    assert named(written) == 20


@pytest.mark.parametrize(("first", "last"), [(1, 1), (4, 6), (len(RECORDS) - 1, len(RECORDS) - 1)])
def test_a_deleted_record_is_damage_when_all_are_read(written, first, last):
    """The records before the gap are yielded; records behind it, or of chosen kinds, can still be read."""
    edit(written, f"DELETE FROM records WHERE seq BETWEEN {first} AND {last}")
    for after in (None, 0, first - 1, last - 1):
        found = read(written, after)
        assert list(islice(found, max(0, first - 1 - (after or 0)))) == RECORDS[after or 0 : first - 1]
        with pytest.raises(
            Damaged, match=f"missing: record {last + 1} comes after record {max(after or 0, first - 1)}"
        ):
            next(found)
    assert list(read(written, last)) == RECORDS[last:]
    kinds = {RECORDS[-1].kind}
    left = [*RECORDS[: first - 1], *RECORDS[last:]]
    assert list(read(written, 0, kinds)) == [record for record in left if record.kind in kinds]


@pytest.mark.parametrize("seq", [1, len(RECORDS) // 2, len(RECORDS)])
def test_one_byte_changed_in_the_file_itself_is_named(written, seq):
    raw = bytearray(written.read_bytes())
    at = raw.index(f'{{"seq":{seq},"at":"2026'.encode()) + len(f'{{"seq":{seq},"at":"2')
    raw[at] = ord("1")
    written.write_bytes(raw)
    assert named(written) == seq


def test_a_record_deleted_in_the_middle_is_named(written):
    edit(written, "DELETE FROM records WHERE seq = 20")
    assert named(written) == 20


def test_a_deleted_first_record_is_named(written):
    edit(written, "DELETE FROM records WHERE seq = 1")
    assert named(written) == 1


def test_deleted_and_renumbered_records_are_named(written):
    edit(written, "DELETE FROM records WHERE seq = 20")
    for seq in range(21, len(RECORDS) + 1):
        edit(written, "UPDATE records SET seq = ? WHERE seq = ?", seq - 1, seq)
    assert named(written) == 20


def test_two_records_that_changed_places_are_named(written):
    for old, new in ((10, 0), (11, 10), (0, 11)):
        edit(written, "UPDATE records SET seq = ? WHERE seq = ?", new, old)
    assert named(written) == 10


def test_deleted_last_records_are_found_by_an_announced_head(written):
    head = head_of(written)
    edit(written, "DELETE FROM records WHERE seq > ?", head.seq - 3)
    assert verify(written).finding is None  # a shorter chain is sound by itself
    finding = verify(written, head).finding
    assert finding is not None
    assert finding.seq == head.seq - 2
    assert "missing" in render(finding.reason)


def test_a_rewritten_chain_is_found_by_an_announced_head(written):
    announced = head_of(written)
    rewrite(written, 15)
    assert verify(written).finding is None  # the rewritten chain is sound by itself
    assert verify(written, announced).finding == (announced.seq, verify(written, announced).finding.reason)
    assert "announced" in render(verify(written, announced).finding.reason)


def test_only_a_head_within_a_rewritten_chain_finds_it(written):
    heads = {seq: Head(seq, digest) for seq, digest in hashes(written)}
    rewrite(written, 15)
    assert verify(written, heads[14]).finding is None
    assert [verify(written, heads[seq]).finding.seq for seq in (15, 20)] == [15, 20]


def test_a_shorter_rewritten_chain_is_found_by_an_announced_head(written):
    announced = head_of(written)
    edit(written, "DELETE FROM records")
    book = Journal(written)
    book.append(RECORDS[:10])
    book.close()
    assert verify(written).finding is None
    assert verify(written, announced).finding.seq == 11


def test_a_head_of_no_records_holds_for_every_journal(written):
    assert verify(written, Head(0, GENESIS)).finding is None


def test_a_journal_whose_table_was_dropped_is_unreadable(written):
    edit(written, "DROP TABLE records")
    assert named(written) == 1


@pytest.mark.parametrize("left", [100, 4096, 0.5, 0.9])
def test_a_file_cut_short_is_found_by_an_announced_head(written, left):
    head = head_of(written)
    raw = written.read_bytes()
    written.write_bytes(raw[: int(left if left > 1 else len(raw) * left)])
    try:
        finding = verify(written, head).finding
    except JournalError as error:
        finding = str(error)
    assert finding


def test_a_head_is_written_as_it_is_read(written):
    head = head_of(written)
    assert Head.parse(str(head)) == head


@pytest.mark.parametrize(
    "text", ["", "5", "5:", "5:abc", "x:" + "00" * 32, "-1:" + "00" * 32, "5:" + "00" * 31, "0:" + "ab" * 32]
)
def test_an_invalid_head_is_refused(text):
    with pytest.raises(ValueError, match="expected SEQ:HASH"):
        Head.parse(text)


def named(path: Path) -> int | None:
    finding = verify(path).finding
    return finding.seq if finding else None


def hashes(path: Path) -> list[tuple[int, bytes]]:
    db = sqlite3.connect(path)
    rows = db.execute("SELECT seq, hash FROM records ORDER BY seq").fetchall()
    db.close()
    return rows


def rewrite(path: Path, first: int) -> None:
    """Change a record and make all hashes from there on fit again, as a forger who knows the format would."""
    edit(path, "UPDATE records SET record = replace(record, '2026-01-01', '2026-01-02') WHERE seq = ?", first)
    db = sqlite3.connect(path)
    rows = db.execute("SELECT seq, record, input FROM records ORDER BY seq").fetchall()
    digest = GENESIS
    with db:
        for seq, record, given in rows:
            digest = hashlib.sha256(digest + record.encode() + (f"\n{given}" if given else "").encode()).digest()
            db.execute("UPDATE records SET hash = ? WHERE seq = ?", (digest, seq))
    db.close()


# ── files that are no journal ────────────────────────────────────────────────────────────────────────────────────


def text_file(path: Path) -> None:
    path.write_text("seq,at,kind\n1,2026-01-01,opened\n" * 100, encoding="utf-8")


def short_text_file(path: Path) -> None:
    path.write_text("hello", encoding="utf-8")


def other_database(path: Path) -> None:
    edit(path, "CREATE TABLE records (seq INTEGER PRIMARY KEY, record TEXT, hash BLOB)")


NO_JOURNALS: list[Callable[[Path], None]] = [text_file, short_text_file, other_database]


@pytest.mark.parametrize("make", [*NO_JOURNALS, Path.touch, Path.mkdir, lambda path: None])
@pytest.mark.parametrize("look", [verify, head_of, lambda path: list(read(path))])
def test_what_is_no_journal_is_not_read(path, make, look):
    make(path)
    with pytest.raises(NotAJournal, match=r"table\.journal: "):
        look(path)


@pytest.mark.parametrize("make", NO_JOURNALS)
def test_what_is_no_journal_is_not_written_to(path, make):
    make(path)
    before = path.read_bytes()
    with pytest.raises(NotAJournal):
        Journal(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["missing/table.journal", ".", "/proc/table.journal", "/dev/null/table.journal"])
def test_a_journal_that_cannot_be_begun_is_one_line(tmp_path, name):
    with pytest.raises(JournalFailed) as raised:
        Journal(tmp_path / name)
    assert "\n" not in str(raised.value)


def test_a_journal_cut_off_in_the_making_is_made_anew(path):
    """After a power cut between two syncs the disk has pages, and the rollback journal that undoes them."""
    with closing(sqlite3.connect(path.with_name("other"), isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 1")
        db.execute("BEGIN IMMEDIATE")
        db.execute("CREATE TABLE records (record TEXT)")
        db.executemany("INSERT INTO records VALUES (?)", [("x" * 3000,)] * 50)
        for end in ("", "-journal"):
            shutil.copy(path.with_name(f"other{end}"), path.with_name(path.name + end))
    for look in (verify, head_of, lambda path: list(read(path))):
        with pytest.raises(JournalUnbegun, match="its creation was interrupted before the first record"):
            look(path)
    with closing(Journal(path)) as journal:
        journal.append(RECORDS)
    assert verify(path).finding is None
    assert list(read(path)) == list(RECORDS)


def test_an_empty_file_becomes_a_journal(path):
    path.touch()
    for look in (head_of, lambda path: list(read(path))):
        with pytest.raises(NoJournalYet, match="an empty file, not a journal of tablectl"):
            look(path)
    book = Journal(path)
    book.append(RECORDS[:2])
    book.close()
    assert seqs(path) == [1, 2]


def as_nobody(code: str, *arguments: object) -> str:
    """Run Python code without root's rights; return what it prints."""
    drop = "import os\nif os.geteuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
    setting = "import sys\nfrom pathlib import Path\nfrom controller.journal import *\npath = Path(sys.argv[1])\n"
    setting += "path.absolute().as_uri()\n"  # imports modules that cannot be read later if Python is in root's home
    program = setting + drop + code
    command = [sys.executable, "-c", program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def shared() -> Iterator[Path]:
    """Folder that every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="tablectl-"))  # pytest's own are for its user only
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("attempt", ["Journal(path)", "verify(path)", "list(read(path))", "head_of(path)"])
def test_an_unreadable_journal_is_refused_in_one_line(written, shared, attempt):
    mine = shared / "mine.journal"
    shutil.copy(written, mine)
    mine.chmod(0o600)
    code = f"try:\n    {attempt}\nexcept JournalError as error:\n    print(error)"
    output = as_nobody(code, mine)
    assert "mine.journal" in output
    assert "\n" not in output


def test_a_foreign_world_readable_journal_is_refused_with_advice(shared):
    path = shared / "table.journal"
    path.touch()
    path.chmod(0o666)
    shared.chmod(0o777)
    output = as_nobody("try:\n    Journal(path)\nexcept JournalError as error:\n    print(error)", path)
    assert output == (
        f"{path}: expected a file that only its owner and group may read, its mode is 666 and it is another user's: "
        "chmod 640 it, or chown it to the user of the table"
    )


# ── one writer, many readers ─────────────────────────────────────────────────────────────────────────────────────


def test_a_second_writer_is_refused(journal, path):
    with pytest.raises(JournalInUse, match="another process"):
        Journal(path)
    journal.append(RECORDS[:1])
    assert seqs(path) == [1]


def test_a_second_writer_in_another_process_is_refused(journal, path):
    code = "import sys; from pathlib import Path; from controller.journal import Journal; Journal(Path(sys.argv[1]))"
    assert "JournalInUse" in finish([sys.executable, "-c", code, path]).stderr


def test_removing_or_renaming_files_lets_no_second_writer_in(journal, path):
    for beside in path.parent.iterdir():
        if not beside.name.startswith(path.name) or beside.name.endswith("lock"):
            beside.unlink()
    assert sorted(one.name for one in path.parent.iterdir()) == [path.name, f"{path.name}-shm", f"{path.name}-wal"]
    path.rename(path.with_name("away"))
    with pytest.raises(JournalInUse):
        Journal(path)


def test_a_closed_journal_can_be_written_by_the_next(written):
    Journal(written).close()


def test_a_killed_writer_leaves_no_lock(path):
    code = (
        "import sys, time; from pathlib import Path; from controller.journal import Journal\n"
        "book = Journal(Path(sys.argv[1])); print('open', flush=True); time.sleep(60)"
    )
    with ForkableProgram([sys.executable, "-c", code, path], stdout=subprocess.PIPE) as writer:
        assert writer.stdout.readline() == b"open\n"
        with pytest.raises(JournalInUse):
            Journal(path)
        writer.send_signal(signal.SIGKILL)
    Journal(path).close()


def test_a_reader_sees_a_snapshot_and_blocks_no_writer(journal, path):
    journal.append(RECORDS[:10])
    reader = read(path)
    begun = next(reader)
    for record in RECORDS[10:]:
        journal.append([record])
    assert [begun, *reader] == RECORDS[:10]
    assert list(read(path)) == RECORDS


def test_records_of_some_kinds_are_read_without_the_others(written):
    records = list(read(written))
    some = [record for record in records if record.kind in ("dealt", "ruled")]
    assert {record.kind for record in some} == {"dealt", "ruled"}
    assert list(read(written, 0, {"ruled", "dealt"})) == some
    assert list(read(written, some[1].seq, {"ruled", "dealt"})) == some[2:]
    assert list(read(written, 0, {"nonsense"})) == []


def test_records_of_some_kinds_are_read_backwards(written):
    dealt = [record for record in read(written) if record.kind == "dealt"]
    assert list(read_back(written, dealt[-1].seq, {"dealt"})) == dealt[-2::-1]
    assert list(read_back(written, 1, {"dealt"})) == []


def test_a_journal_is_verified_while_it_is_written(journal, path):
    for record in RECORDS:
        head = journal.append([record])
        assert verify(path, head) == (record.seq, head, None)


# ── recovery ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_recovery_from_a_checkpoint_equals_the_fold_of_records(journal):
    assert sum(record.kind == "checkpoint" for record in RECORDS) >= 3
    state = State()
    for record in RECORDS:
        journal.append([record])
        state = fold(state, [record])
        assert journal.recover() == state


def test_recovery_reads_nothing_before_the_last_checkpoint(written):
    whole = fold(State(), RECORDS)
    last = max(record.seq for record in RECORDS if record.kind == "checkpoint")
    edit(written, "UPDATE records SET record = '' WHERE seq < ?", last)
    book = Journal(written)
    assert book.recover() == whole
    book.close()


@pytest.mark.parametrize("which", ["last checkpoint", "last record"])
def test_recovery_refuses_a_changed_record_it_depends_on(written, which):
    checkpoint = max(record.seq for record in RECORDS if record.kind == "checkpoint")
    changed = checkpoint if which == "last checkpoint" else RECORDS[-1].seq
    assert checkpoint < RECORDS[-1].seq
    edit(written, "UPDATE records SET record = replace(record, '2026', '2027') WHERE seq = ?", changed)
    with closing(Journal(written)) as book, pytest.raises(Damaged, match=f"record {changed}: changed"):
        book.recover()


def test_a_path_refused_by_the_system_is_one_line(tmp_path):
    path = tmp_path / ("x" * 300)
    for use in (Journal, head_of):
        with pytest.raises(JournalFailed, match=r"x(\.lock)?: file name too long$"):
            use(path)


def test_a_checkpoint_that_cannot_be_read_is_damage(journal, path):
    journal.append([replace(RECORDS[0], what=Checkpoint(msgspec.Raw(b'{"seq":"none"}')))])
    with pytest.raises(Damaged, match="does not follow from those before it"):
        journal.recover()


def test_a_journal_that_sqlite_cannot_read_fails_in_one_line(written, monkeypatch):
    def malformed(*_: object) -> State:
        raise sqlite3.DatabaseError("database disk image is malformed")

    monkeypatch.setattr("controller.journal.writer.recover", malformed)
    with closing(Journal(written)) as book, pytest.raises(NotAJournal, match=f"^{written}: .*malformed"):
        book.recover()


# ── full and failing disks ───────────────────────────────────────────────────────────────────────────────────────

FILL = """
import resource
import sys
from itertools import islice
from pathlib import Path
import tests.journal.test_journal as t
path, room = Path(sys.argv[1]), {room}
book = t.Journal(path)
written, failed = 0, 0
if room:
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, resource.RLIM_INFINITY))
try:
    for number in range(2000):
        batch = t.numbered(written + 1)
        book.append(batch)
        written = batch[-1].seq
except t.JournalFailed as error:
    failed = 1
    print(error)
assert failed, "the disk never filled up"
assert book.head.seq == written
for _ in range(3):  # it keeps failing, and nothing comes of it
    try:
        book.append(t.numbered(written + 1))
        raise SystemExit("written after all")
    except t.JournalFailed:
        pass
{heal}
assert [record.seq for record in t.read(path)] == list(range(1, written + 1))
book.append(t.numbered(written + 1))
assert t.verify(path, book.head) == (book.head.seq, book.head, None)
assert book.head.seq == written + t.BATCH
book.close()
print("recovered", book.head.seq)
"""
BATCH = 5


def numbered(first: int) -> list[Record]:
    """Return a batch of records of some size, from this number on."""
    what = next(record.what for record in RECORDS if record.kind == "opened")
    return [Record(seq, 0, "table", what) for seq in range(first, first + BATCH)]


def test_a_full_disk_writes_no_partial_record_and_recovers(path):
    heal = "resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))"
    code = FILL.format(room="300_000", heal=heal)
    ended = subprocess.run([sys.executable, "-c", code, path], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert "table.journal: " in ended.stdout
    assert "recovered" in ended.stdout


def test_a_full_file_system_writes_nothing_by_halves(tmp_path):
    full = 'mount -t tmpfs -o size=1m full "$0"; head -c 100k /dev/zero > "$0/ballast"'
    code = FILL.format(room="0", heal="path.with_name('ballast').unlink()")
    command = shell(full, tmp_path, [sys.executable, "-c", code, tmp_path / "table.journal"])
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "the disk is full; make room on it" in ended.stdout
    assert "recovered" in ended.stdout


def test_a_failed_commit_is_reported_and_the_next_succeeds(path):
    """The first syncs of a commit fail: none of its records is in the journal."""
    code = (
        "import sys; from pathlib import Path; import tests.journal.test_journal as t\n"
        "book = t.Journal(Path(sys.argv[1])); book.append(t.RECORDS[:2])\n"
        "done = 2\n"
        "for _ in range(12):\n"
        "    try:\n"
        "        book.append([t.RECORDS[done]]); done += 1\n"
        "    except t.JournalFailed as error:\n"
        "        print('failed', done)\n"
        "book.close(); print('done', done)"
    )
    trace = strace("-f", "-qq", "-o", os.devnull, "-e", "trace=fdatasync,fsync")
    inject = ["-e", "inject=fdatasync,fsync:error=EIO:when=14..16"]
    command = [*trace, *inject, sys.executable, "-c", code, path]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    *failed, done = ended.stdout.splitlines()
    assert failed
    assert done == f"done {12 + 2 - len(failed)}"
    assert list(read(path)) == RECORDS[: 14 - len(failed)]
    assert verify(path).finding is None
