"""Floor's store: each event once, even if repeated, late or out of order, and the rows made of them."""

import random
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.clock import to_text
from controller.core.views import view
from controller.floor.storage.byte_limits import HOUR, ByteLimits
from controller.floor.storage.failures import FloorFailed
from controller.floor.storage.files import open_read_only
from controller.floor.storage.store import Gap, Store
from controller.floor.storage.table_events import InvalidEvent, decode_event, event_of_message
from controller.reports.counting import Counting
from controller.reports.statistics import Statistics
from controller.reports.summaries import revisions, summaries
from tests.core.bench import Bench
from tests.core.chance import Judge
from tests.folders import in_memory
from tests.processes import finish

ROUNDS = "open; bet p1 player 1.00; close; card 9C; card 7D; card KS; card 5D; press finish; " * 2
FAULTED = (
    "open; close; card 9C; unread; ack by eva; rule enter KS by eva because seen; "
    "press manager; rule cancel by bo because torn"
)


def events_of(records, epoch="e1"):
    """Return the events of records as a floor receives them."""
    return [decode_event("table", epoch, msgspec.json.encode(view(record, "manager"))) for record in records]


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "main.floor")) as one:
        yield one


def rows(store, of="rounds"):
    """Return the rows of a table of the database."""
    with store.open_read_only() as db:
        db.row_factory = lambda cursor, row: dict(zip([one[0] for one in cursor.description], row, strict=True))
        return db.execute(f"SELECT * FROM {of} ORDER BY 1, 2, 3").fetchall()


def table(says, game="baccarat"):
    """Return a table after these lines of script."""
    bench = Bench(game)
    bench.says(says)
    return bench


def content(store):
    """Return all rows and events of the store."""
    return rows(store), rows(store, "faults"), [store.events(name, epoch) for name, epoch, _ in store.epochs()]


# ── every event once ─────────────────────────────────────────────────────────────────────────────────────────────


def test_an_event_is_stored_once_together_with_its_place(store):
    events = events_of(table(ROUNDS).records)
    assert store.add(events[:9], 20) == events[:9]
    assert store.add(events[4:12], 25) == events[9:12]
    assert store.add(events[:2], 25) == []
    assert (store.cursor, store.last_seq("t", "e1"), store.last_seq("table", "e1")) == (25, 0, 12)
    assert store.events("table", "e1") == events[:12]
    assert store.events("table", "e1", 5, 3) == events[5:8]


def test_the_order_of_arrival_changes_no_stored_row(tmp_path):
    events = events_of(table(f"{ROUNDS}{FAULTED}; {ROUNDS}").records)
    contents = []
    for seed in range(6):
        shuffled = [*events, *events[::3]]
        random.Random(seed).shuffle(shuffled)
        with closing(Store(tmp_path / f"{seed}")) as one:
            one.add(events[:1])
            for start in range(0, len(shuffled), 7):
                one.add((shuffled if seed else [*events, *events])[start : start + 7])
            contents.append(content(one))
            assert one.gaps() == []
    assert len(contents[0][0]) == 5
    assert all(one == contents[0] for one in contents)


def test_missing_numbers_are_a_gap_until_filled(tmp_path):
    events = events_of(table(ROUNDS).records)
    with closing(Store(tmp_path / "main.floor")) as one:
        one.add([events[0], events[9], events[15]])
    with closing(Store(tmp_path / "main.floor")) as one:
        assert one.gaps() == [Gap("table", "e1", 2, 9), Gap("table", "e1", 11, 15)]
        one.add(events[4:6])
        assert one.gaps() == [Gap("table", "e1", 2, 4), Gap("table", "e1", 7, 9), Gap("table", "e1", 11, 15)]
        one.give_up(Gap("table", "e1", 2, 3))
        one.give_up(Gap("table", "e1", 7, 9))
        one.add(events[10:15])
        assert one.gaps() == [Gap("table", "e1", 4, 4)]


def test_an_unknown_table_has_no_earlier_gap(store):
    store.add(events_of(table(ROUNDS).records)[7:])
    assert store.gaps() == []


def test_a_second_floor_on_one_store_is_refused(tmp_path):
    path = tmp_path / "main.floor"
    code = f"from pathlib import Path; from controller.floor.storage.store import Store; Store(Path({str(path)!r}))"
    with closing(Store(path)):
        with pytest.raises(FloorFailed, match="another floor writes it"):
            Store(path)
        ended = finish([sys.executable, "-c", code])
        assert ended.stderr.splitlines()[-1].endswith("another floor writes it: give each its own [floor] store")
    Store(path).close()


def test_a_store_whose_file_was_removed_refuses_writes(tmp_path):
    path, events = tmp_path / "main.floor", events_of(table(ROUNDS).records)
    with closing(Store(path)) as one:
        one.add(events[:3], 3)
        path.unlink()
        with pytest.raises(FloorFailed, match="not the file any more"):
            one.add(events[3:5], 5)


def test_a_store_is_readable_by_its_owner_only(tmp_path):
    with closing(Store(tmp_path / "main.floor")) as one:
        one.add(events_of(table(ROUNDS).records))
        assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}


@pytest.mark.parametrize("content", [b"no database at all", b"x" * 5000])
def test_a_file_that_is_no_store_is_left_unchanged(tmp_path, content):
    path = tmp_path / "main.floor"
    path.write_bytes(content)
    for _ in range(2):
        with pytest.raises(FloorFailed, match=str(path)):
            Store(path)
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "says"), [(None, "missing"), (b"no database at all" * 100, "damaged"), (b"", "damaged")]
)
def test_an_unusable_store_is_described_in_plain_words(tmp_path, content, says):
    path = tmp_path / "main.floor"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(FloorFailed, match=f"{path}: .*{says}.*stop the floor"), open_read_only(path) as db:
        db.execute("SELECT count(*) FROM places")


def test_a_store_in_a_missing_folder_is_refused(tmp_path):
    with pytest.raises(FloorFailed, match="no such file"):
        Store(tmp_path / "away" / "main.floor")


def test_a_recreated_or_restored_stream_is_read_from_the_start(store):
    events = events_of(table(ROUNDS).records)
    assert store.follow("monday", 40) == 0
    store.add(events, 40)
    assert store.follow("monday", 40) == 40
    assert store.follow("monday", 39) == 0
    store.add(events, 40)
    assert store.follow("tuesday", 90) == 0
    assert store.cursor == 0


def test_old_events_are_deleted_except_rows_and_the_last(store):
    bench = table(ROUNDS)
    bench.wait(3600)
    cut = to_text(bench.now)
    bench.says("open; close")
    store.add(events_of(bench.records))
    old_rows = rows(store)
    while store.forget(cut):
        pass
    assert [one.kind for one in store.events("table", "e1")][:2] == ["opened", "closed"]
    assert rows(store) == old_rows
    store.add(events_of(bench.records[-1:]))
    while store.forget("9"):
        pass
    assert [one.seq for one in store.events("table", "e1")] == [bench.state.seq]
    assert store.gaps() == []


def test_a_late_event_of_a_deleted_round_changes_no_row(store):
    bench = table(ROUNDS)
    events = events_of(bench.records)
    settled = next(place for place, one in enumerate(events) if one.kind == "settled")
    store.add([one for one in events if one.seq != 5])
    old_rows = rows(store)
    while store.forget("9"):
        pass
    store.add([events[settled]])
    assert rows(store) == old_rows


# ── invalid events ───────────────────────────────────────────────────────────────────────────────────────────────

HEADERS = {"Tablectl-Epoch": "e1", "Tablectl-Seq": "3"}


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        (None, b'{"seq":3,"kind":"x"}'),
        ({"Tablectl-Seq": "3"}, b'{"seq":3,"kind":"x"}'),
        ({"Tablectl-Epoch": "e1"}, b'{"seq":3,"kind":"x"}'),
        ({**HEADERS, "Tablectl-Epoch": "e" * 5000}, b'{"seq":3,"kind":"x"}'),
        (HEADERS, b'{"seq":4,"kind":"x"}'),
        (HEADERS, b'{"seq":3,"kind":"x","table":"t2"}'),
        (HEADERS, b'{"seq":3}'),
        (HEADERS, b'{"seq":"3","kind":"x"}'),
        (HEADERS, b'{"seq":3,"kind":"x","round":-1}'),
        (HEADERS, b"\xff\x00"),
        (HEADERS, b"[3]"),
        ({**HEADERS, "Tablectl-Seq": str(10**30)}, b'{"seq":%d,"kind":"x"}' % 10**30),
    ],
)
def test_a_message_that_is_no_event_is_refused(headers, body):
    with pytest.raises(InvalidEvent):
        event_of_message("tablectl.main.t1.event.manager", headers, body)


def test_an_event_of_a_later_version_is_stored_safely(store):
    bench = table(ROUNDS)
    events = events_of(bench.records)
    at = next(one for one in events if one.kind == "closed")
    strange = msgspec.json.encode({"seq": at.seq, "kind": "closed", "round": at.round, "stake": "a lot", "draw": []})
    events[at.seq - 1] = decode_event("table", "e1", strange)
    assert store.add(events) == events
    assert len(rows(store)) == 2


def test_impossible_amounts_make_no_row_and_stop_nothing(store):
    body = {"kind": "bet_accepted", "round": 1, "stake": 2**53 - 1}
    events = [decode_event("t", "e", b'{"seq":1,"kind":"opened","round":1}')]
    events += [decode_event("t", "e", msgspec.json.encode({"seq": seq, **body})) for seq in range(2, 1030)]
    events.append(decode_event("t", "e", b'{"seq":1030,"kind":"settled","round":1}'))
    assert len(store.add(events)) == len(events)
    assert rows(store) == []


# ── rows ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_round_and_its_faults_have_each_a_row(store):
    bench = table(f"open; bet p1 player 1.00; close; {FAULTED.partition('close; ')[2]}")
    store.add(events_of(bench.records))
    (row,) = rows(store)
    fields = {"how": "cancelled", "because": "torn", "game": "baccarat", "dealer": "dealer", "refunded": 100, "kept": 0}
    assert {name: row[name] for name in fields} == fields
    assert (row["cards"], row["misreads"], row["faults"]) == (2, 1, 2)
    told_of = [
        (one["code"], one["acked_by"], one["ruling"], one["ruled_by"], one["device"]) for one in rows(store, "faults")
    ]
    assert told_of == [("unread_card", "eva", "enter", "eva", "shoe"), ("dealer_call", None, "cancel", "bo", "")]
    assert all(one["over"] for one in rows(store, "faults"))


def test_a_fault_has_its_row_before_its_round_has_ended(store):
    bench = table(FAULTED.partition("; ack")[0])
    store.add(events_of(bench.records))
    assert rows(store) == []
    (fault,) = rows(store, "faults")
    assert (fault["round"], fault["code"]) == (1, "unread_card")
    later = ("acked", "acked_by", "ruled", "ruled_by", "ruling", "because", "second", "over")
    assert {fault[name] for name in later} == {None}


def test_rows_of_an_earlier_version_are_derived_again(tmp_path):
    path = tmp_path / "main.floor"
    with closing(Store(path)) as one:
        one.add(events_of(table(FAULTED).records))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE rounds SET misreads = 0")
    with closing(Store(path)) as one:
        assert [row["misreads"] for row in rows(one)] == [0]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("PRAGMA user_version = 0")
    with closing(Store(path)) as one:
        assert [row["misreads"] for row in rows(one)] == [1]


SETTLED_ANEW = (
    "open; bet p1 player 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KC; card 3D; press finish; open; "
    "resettle 1 correct 2 6D by m with n because misread; press manager; rule cancel by bo because torn"
)


def test_a_store_of_version_1_gets_columns_for_resettlements(tmp_path):
    """Version 1 added the differences of resettlements to the amount that the result returned."""
    path = tmp_path / "main.floor"
    with closing(Store(path)) as one:
        one.add(events_of(table(SETTLED_ANEW).records))
        fresh = rows(one)
    assert [(row["returned"], row["adjusted"], row["cancelled"], row["revision"]) for row in fresh] == [
        (200, 800, 0, 1),
        (0, 0, 1, 0),
    ]
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DROP INDEX rounds_void")
        db.execute("UPDATE rounds SET returned = returned + adjusted")
        for name in ("adjusted", "cancelled", "revision", "resettled"):
            db.execute(f"ALTER TABLE rounds DROP COLUMN {name}")
        db.execute("PRAGMA user_version = 1")
    with closing(Store(path)) as one:
        assert rows(one) == fresh


def test_a_store_of_version_4_gets_reasons_of_cancellations(tmp_path):
    path = tmp_path / "main.floor"
    with closing(Store(path)) as one:
        one.add(events_of(table(SETTLED_ANEW).records))
        fresh = rows(one)
    assert [row["why"] for row in fresh] == ["", '{"kind":"ruling","because":"torn"}']
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("ALTER TABLE rounds DROP COLUMN why")
        db.execute("PRAGMA user_version = 4")
    with closing(Store(path)) as one:
        assert rows(one) == fresh


def test_an_old_void_row_without_events_stays_cancelled(tmp_path):
    path = tmp_path / "main.floor"
    with closing(Store(path)) as one:
        one.add(events_of(table(FAULTED).records))
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("DELETE FROM events")
        db.execute("UPDATE rounds SET cancelled = 0")
        db.execute("PRAGMA user_version = 1")
    with closing(Store(path)) as one:
        assert [(row["how"], row["cancelled"]) for row in rows(one)] == [("cancelled", 1)]


class FloorRows(Judge):
    """A floor's rows equal the journal's reports, and the money of each ended round adds up."""

    def end(self):
        records = self.bench.records
        with in_memory() as folder, closing(Store(Path(folder) / "main.floor")) as one:
            one.add(events_of(records))
            ours, faults = rows(one), rows(one, "faults")
        ended = [one for one in summaries(records, revisions(reversed(records))) if one.end != "live"]
        assert [(row["number"], row["game"], row["how"]) for row in ours] == [
            (one.round, one.game, one.end) for one in ended
        ]
        outcomes = [msgspec.json.decode(row["outcome"]) if row["outcome"] else None for row in ours]
        assert outcomes == [one.outcome for one in ended]
        assert [row["faults"] for row in ours] == [len(one.faults) for one in ended]
        raised = [record for record in records if record.kind == "faulted"]
        assert [(one["seq"], one["code"], one["at"]) for one in faults] == [
            (record.seq, record.what.code, to_text(record.at)) for record in raised
        ]
        money_is_conserved(ours, records)


def money_is_conserved(ours, records):
    """Check that the money of ended rounds equals the table's own counts."""
    ended = {row["number"] for row in ours}
    statistics = Statistics()
    counting = Counting(statistics)
    for record in records:
        if record.round in ended:
            counting.take(replace(record, training=False))
    counts = statistics.figures_of(("all", "")).counts
    for name in ("staked", "withdrawn", "refunded", "adjusted"):
        assert sum(row[name] for row in ours) == counts[name]
    assert sum(row["returned"] for row in ours) == counts["paid_out"]
    back = "withdrawn", "returned", "refunded", "adjusted", "kept"
    assert all(row["staked"] == sum(row[name] for name in back) for row in ours)
    assert sum(row["cards"] for row in ours) == counts["cards"]
    assert sum(row["misreads"] for row in ours) == counts["unread"] + counts["corrected"]


# ── epochs ───────────────────────────────────────────────────────────────────────────────────────────────────────


def lost():
    """Return the events of two epochs and where they part: a round's end is lost, then ruled on otherwise."""
    bench = Bench()
    bench.says(f"{ROUNDS}open; bet p1 player 1.00; close; card 9C")
    stands = len(bench.records)
    state, position = bench.state, bench.position
    bench.says("card 7D; card KS; card 5D; press finish")
    old = events_of(bench.records)
    other = Bench()
    other.records, other.state, other.position, other.now = bench.records[:stands], state, position, bench.now + 1
    other.do(e.AcceptLoss("eva", "disk", "e2"), e.KeyPressed("manager"))
    other.says("rule cancel by eva because lost")
    new = other.records[stands:]
    assert new[0].kind == "loss_accepted"
    return old, events_of(new, "e2"), stands


@pytest.mark.parametrize("turned", [False, True])
def test_events_after_an_accepted_loss_stand_beside_lost_ones(store, turned):
    old, new, stands = lost()
    body = msgspec.json.decode(new[0].body)
    new[0] = decode_event("table", "e2", msgspec.json.encode({**body, "before": "e1"}))
    for part in (new, old) if turned else (old, new):
        assert store.add(part) == part
    assert [(row["epoch"], row["number"], row["how"], row["lost"]) for row in rows(store)] == [
        ("e1", 1, "settled", 0), ("e1", 2, "settled", 0), ("e1", 3, "settled", 1), ("e2", 3, "cancelled", 0),
    ]  # fmt: skip
    story = store.events_of_round("table", "e2", 3)
    assert [one.kind for one in story][:1] == ["opened"]
    assert [one.seq for one in story if one.epoch == "e1"][-1] <= stands
    assert rows(store)[-1]["refunded"] == 100
    if not turned:
        assert store.gaps() == []


def fail_within(store):
    """Delete all rounds and fail before the transaction is committed."""
    with store._file.transaction() as db:
        db.execute("DELETE FROM rounds")
        raise ZeroDivisionError


def test_nothing_of_a_failed_transaction_is_kept(store):
    """After an error inside a transaction the store has its earlier content."""
    store.add(events_of(table(ROUNDS).records))
    before = content(store)
    with pytest.raises(ZeroDivisionError):
        fail_within(store)
    assert not store._file.db.in_transaction
    assert content(store) == before


def event(seq, name="t1"):
    return decode_event(name, "e1", msgspec.json.encode({"seq": seq, "kind": "dealt", "table": name, "round": 1}))


def test_a_table_fills_its_own_share_of_the_disk_only(tmp_path):
    """A flood from t1 is dropped beyond its hourly share; t2's event is stored, an hour later t1's, too."""
    now = [0.0]
    flood = [event(seq) for seq in range(10, 50)]
    size = len(flood[-1].body)
    with closing(Store(tmp_path / "main.floor", ByteLimits(10 * size, lambda: now[0]))) as store:
        events = store.add(flood, 39)
        assert events == flood[:10]
        assert store.add([event(10, "t2")], 40)
        assert [one.parts["table"] for one in store.byte_limits.troubles] == ["t1"]
        now[0] += HOUR
        assert store.byte_limits.troubles == []
        assert store.add(flood[-1:], 41) == flood[-1:]
        assert [(gap.table, gap.first, gap.last) for gap in store.gaps()] == [("t1", 20, 48)]
        again = [event(seq) for seq in range(50, 90)]
        assert store.add(again, 81) == again[:9]
