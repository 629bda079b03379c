"""Verification of the whole record beside a running table: an edit is found, the live round goes on."""

import asyncio
import threading
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from controller.config.table_file import JournalSection
from controller.core import events as e
from controller.core.coded_message import coded
from controller.journal import Journal, JournalFailed, JournalVerification, archives, head_of, read, verify_in_steps
from controller.outputs.alert_text import alert
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import TimedJournal
from controller.station import verifying
from controller.station.custody import Custody
from controller.table.loop import Table
from controller.text.coded import render, sentence_and_code
from controller.text.faults import LANGUAGES, Words
from tests.journal.test_journal import RECORDS, edit
from tests.outputs.test_metrics import samples_of
from tests.patience import PATIENCE, on_loop, until
from tests.station.test_anchor import ROUND, AnchoredTable
from tests.table.test_table import HOUSE

ALL = JournalSection()


@pytest.fixture
def path(tmp_path) -> Path:
    return tmp_path / "t.journal"


@pytest.fixture(autouse=True)
def brisk(monkeypatch) -> None:
    monkeypatch.setattr(verifying, "PAUSE", 0.0)
    monkeypatch.setattr(verifying, "DAILY", 0.01)
    monkeypatch.setattr(verifying, "AGAIN", 0.01)


def last(path: Path, after: int = 0) -> JournalVerification:
    *breaths, verdict = verify_in_steps(path, after)
    assert set(breaths) <= {None}
    return verdict


# ── verification in stretches ────────────────────────────────────────────────────────────────────────────────────


def test_the_last_record_alone_is_verified_too(path):
    with closing(Journal(path)) as book:
        book.append(RECORDS[:5])
        assert (last(path, 4).records, last(path, 4).finding) == (1, None)
        edit(path, "UPDATE records SET hash = zeroblob(32) WHERE seq = 5")
        assert last(path, 4).finding.seq == 5


def test_the_log_counts_the_verified_records_alone(path):
    with closing(Journal(path)) as book:
        book.append(RECORDS[:5])
    verifier = verifying.Verifying(path, SimpleNamespace(now=lambda: 0, take=lambda _: None))
    with capture_logs() as lines:
        verifier._note_verdict(last(path, 3))
    assert [(line["event"], line["records"], line["found"]) for line in lines] == [("verified", 2, None)]


@pytest.fixture
def parts(path) -> list[Path]:
    """Files of a record: two archives and the journal."""
    with closing(Journal(path)) as book:
        for end in (len(RECORDS) // 3, 2 * len(RECORDS) // 3, len(RECORDS)):
            book.append(RECORDS[book.head.seq : end])
            if end < len(RECORDS):
                book.rotate()
    return [*archives(path), path]


def test_a_sound_record_stands_through_all_its_files(path, parts):
    assert len(parts) == 3
    assert last(path) == (len(RECORDS), head_of(path), None)
    assert last(path, 7) == (len(RECORDS) - 7, head_of(path), None)


def test_only_an_archive_missing_in_between_is_a_finding(path, parts, tmp_path):
    begin = next(read(parts[1])).seq
    parts[0].rename(tmp_path / "tape")
    assert last(path) == (len(RECORDS) - begin + 1, head_of(path), None)
    (tmp_path / "tape").rename(parts[0])
    parts[1].rename(tmp_path / "tape")
    assert (last(path).finding.seq, render(last(path).finding.reason)[:7]) == (begin, "missing")


@pytest.mark.parametrize("where", [0, 1, 2])
def test_an_edited_row_is_found_wherever_it_is(path, parts, where):
    seq = next(read(parts[where])).seq + 1
    parts[where].chmod(0o600)
    edit(parts[where], "UPDATE records SET record = replace(record, '\"table\"', '\"tabel\"') WHERE seq = ?", seq)
    found = last(path).finding
    assert (found.seq, render(found.reason)[:7]) == (seq, "changed")
    assert last(path, seq).finding is None  # records up to an accepted loss are not verified


def test_a_file_that_is_no_database_is_a_finding(path, parts):
    parts[0].chmod(0o600)
    parts[0].write_bytes(b"x" * 5000)
    assert render(last(path).finding.reason).startswith("unreadable: ")


def test_the_record_may_go_on_in_a_new_file_meanwhile(path):
    with closing(Journal(path)) as book:
        book.append(RECORDS)
        walk = verify_in_steps(path)
        assert next(walk) is None
        book.rotate()
        assert [*walk][-1] == (len(RECORDS), book.head, None)


def test_a_record_without_rows_is_sound(path):
    with closing(Journal(path)):
        assert last(path).finding is None


# ── verification beside a running table ──────────────────────────────────────────────────────────────────────────


def life(path: Path, steps) -> None:
    async def live():
        rig = AnchoredTable(path, ALL)
        rig.table.start("d1")
        rig.custody.start()
        try:
            await steps(rig)
        finally:
            rig.table.stop()
            await rig.custody.stop()
            rig.journal.close()

    on_loop(live)


def test_an_edited_row_refuses_the_next_round_until_repaired(path):
    async def first(rig):
        rig.take(*ROUND, *ROUND)

    life(path, first)
    (nine, *_) = (record.seq for record in read(path, kinds=["dealt"]))
    edit(path, "UPDATE records SET record = replace(record, '9C', '8C') WHERE seq = ?", nine)

    async def second(rig):
        rig.take(e.Open())
        await until(lambda: rig.table.state.doubts)
        assert rig.table.state.doubts == {"chain": nine}
        rig.take(*ROUND[1:])
        assert rig.table.state.life == "settled"  # the live round can end
        rig.take(e.Open())
        assert rig.table.state.life == "settled"
        await until(lambda: rig.custody.progress.at)
        assert rig.custody.progress.damaged == nine
        assert rig.custody.messages == (coded("record_doubted", first=nine),)
        found = await asyncio.to_thread(samples_of, metrics(rig))
        assert (found["tablectl_record_damaged"], found["tablectl_record_trouble"]["record"]) == ({"": nine}, 1)

    life(path, second)
    kinds = [record.kind for record in read(path)][-2:]
    assert kinds == ["checkpoint", "start_refused"]
    (damaged,) = read(path, kinds=["record_damaged"])  # recorded once, however often it is found
    assert damaged.what.first == nine
    assert damaged.what.message == coded("record_hash_wrong")

    async def third(rig):
        rig.take(e.Open())
        assert rig.table.state.life == "settled"  # a restart does not remove the doubt
        edit(path, "UPDATE records SET record = replace(record, '8C', '9C') WHERE seq = ?", nine)
        await until(lambda: not rig.table.state.doubts)

    life(path, third)
    assert [record.kind for record in read(path)].count("record_sound") == 1


def metrics(rig: AnchoredTable) -> Metrics:
    return Metrics(rig.table, TimedJournal(rig.journal, "t"), MetricSources(custody=rig.custody))


def damage_of(path, check: e.Checked):
    """Return the record that a table makes of this finding."""
    bench = AnchoredTable(path, ALL)

    async def steps():
        bench.table.start("d1")
        bench.take(check)

    on_loop(steps)
    bench.journal.close()
    return list(read(path))[-1]


def test_the_shift_manager_is_called_to_a_damaged_record(path):
    record = damage_of(path, e.Checked("chain", 9, "changed: the hash does not fit"))
    assert (called := alert(record, [])).levels == {1}
    assert called.subject == f"[table#{record.seq}] record damaged: table table"
    assert "record 9: changed: the hash does not fit" in called.body


def test_the_alert_of_damage_is_in_its_targets_language(path):
    silent = coded("disk_silent", path="/t1")
    record = damage_of(path, e.Checked("anchor", 9, *sentence_and_code(silent)))
    assert all(Words(language).tell(silent) in alert(record, [], language=language).body for language in LANGUAGES)


def test_an_unreadable_record_is_reported_and_verified_again(path, monkeypatch):
    well = threading.Event()

    def unreadable(*_):
        if not well.is_set():
            raise JournalFailed("disk I/O error")
        yield JournalVerification(5, head_of(path), None)

    monkeypatch.setattr(verifying, "verify_in_steps", unreadable)

    async def steps(rig):
        await until(lambda: rig.custody.troubles["verification"] == coded("record_unverified", reason="disk I/O error"))
        well.set()
        await until(lambda: rig.custody.troubles["verification"] is None)
        await until(lambda: rig.custody.progress.verified == 5)
        assert not rig.table.state.doubts

    with capture_logs() as logs:
        life(path, steps)
    line = {"event": "not_verified", "log_level": "warning", "journal": str(path), "reason": "disk I/O error"}
    assert line in logs


def test_a_stop_does_not_wait_for_the_verification(path, monkeypatch):
    with closing(Journal(path)) as book:
        table = Table(HOUSE, book)
        monkeypatch.setattr(verifying, "PAUSE", 3600.0)

        async def steps():
            table.start("d1")
            custody = Custody(ALL, path, table)
            custody.start()
            async with asyncio.timeout(PATIENCE):
                await custody.stop()
            table.stop()

        on_loop(steps)


# ── two programs ─────────────────────────────────────────────────────────────────────────────────────────────────


class NoLock:
    """Lock that locks nothing, as on a file system without locks."""

    def __init__(self, _: Path) -> None:
        pass

    def close(self) -> None:
        pass


def test_without_a_lock_the_second_writer_is_refused(path, monkeypatch):
    monkeypatch.setattr("controller.journal.writer.Lock", NoLock)
    with closing(Journal(path)) as ours, closing(Journal(path)) as theirs:
        ours.append(RECORDS[:5])
        with pytest.raises(JournalFailed, match=r"record 4 or one before it is there already: another program writes"):
            theirs.append(RECORDS[:4])
        assert list(read(path)) == RECORDS[:5]
