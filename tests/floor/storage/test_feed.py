"""Feed of events into the floor's store: each event is stored once, whatever fails meanwhile."""

import random
import sqlite3
from contextlib import closing, suppress

import msgspec
import pytest
from structlog.testing import capture_logs

from controller.bus.streams import Retention, make
from controller.core import events as e
from controller.core.views import view
from controller.floor.storage import feed, gap_requests
from controller.floor.storage.failures import FloorFailed
from controller.floor.storage.store import Store
from controller.journal import Journal, new_epoch, read
from controller.station.losses import following_records
from controller.text.coded import render
from tests.bus.tables import run_table
from tests.chance import SEED
from tests.floor.feeding import feeding, run
from tests.patience import on_loop, until
from tests.processes import beside


@pytest.fixture
def path(tmp_path):
    """Return the path of a table's journal in a folder of its own."""
    (tmp_path / "t1").mkdir()
    return tmp_path / "t1" / "t.journal"


def floors(server):
    """Return the bus settings of a floor."""
    return server.floor_section()


def of_journal(path, after=0):
    """Return the events for shift managers, made from the journal."""
    return [
        msgspec.json.decode(msgspec.json.encode(view(record, "manager", over=True))) for record in read(path, after)
    ]


def stored_events(store, table="t1"):
    """Return the stored events of a table, in the order of its epochs."""
    found = []
    for name, epoch, last in store.epochs():
        if name == table:
            found += [msgspec.json.decode(one.body) for one in store.events(table, epoch, 0, last)]
    return found


def same(ours, theirs):
    """Check that both lists are equal, without printing the difference: it would be thousands of lines."""
    assert [one["seq"] for one in ours] == [one["seq"] for one in theirs]
    assert not [one["seq"] for one, other in zip(ours, theirs, strict=True) if one != other]


def numbers(store):
    """Return table, number and end of each stored round."""
    with store.open_read_only() as db:
        return [tuple(row) for row in db.execute("SELECT table_, number, how FROM rounds ORDER BY 1, 2")]


def rounds_of(path):
    """Return table, number and end of each round in the journal."""
    return [("t1", record.round, record.kind) for record in read(path) if record.kind in ("settled", "cancelled")]


async def caught_up(table, one):
    """Wait until the floor's store has all events of the table."""
    await table.caught_up()
    await until(lambda: one.store.last_seq("t1", table.epoch) == table.table.state.seq and not one.store.gaps())


def test_events_are_stored_and_announced_once_live_or_late(server, path, tmp_path):
    store = tmp_path / "main.floor"

    async def steps():
        async with run_table(path, server.section()) as table:
            table.play(30)
            await table.caught_up()
            async with feeding(store, floors(server)) as one:
                await caught_up(table, one)
                table.play(3)
                await caught_up(table, one)
                await until(lambda: one.feed.behind == 0 and len(one.heard) == table.table.state.seq)
                assert one.feed.trouble is None
                events = one.heard
            table.play(2)
            await table.caught_up()
            async with feeding(store, floors(server)) as one:
                await caught_up(table, one)
                await until(lambda: len(events + one.heard) >= table.table.state.seq)
                assert [event.seq for event in events + one.heard] == list(range(1, table.table.state.seq + 1))
                same(stored_events(one.store), of_journal(path))
                assert numbers(one.store) == rounds_of(path)

    on_loop(steps)


def test_a_killed_server_loses_no_event(server, path, tmp_path):
    async def steps():
        async with run_table(path, server.section()) as table, feeding(tmp_path / "main.floor", floors(server)) as one:
            table.play(2)
            await caught_up(table, one)
            server.kill()
            table.play(20)
            await until(lambda: not one.line.there.is_set())
            server.start()
            await caught_up(table, one)
            same(stored_events(one.store), of_journal(path))
            await until(lambda: len(one.heard) >= table.table.state.seq)
            assert [event.seq for event in one.heard] == list(range(1, table.table.state.seq + 1))

    on_loop(steps)


def test_a_hole_is_filled_by_asking_the_table(server, path, tmp_path, monkeypatch):
    """The stream keeps the last thirty messages; more were published while the floor was away."""
    monkeypatch.setattr(gap_requests, "LATER", 0.2)
    store = tmp_path / "main.floor"

    async def steps():
        async with run_table(path, server.section()) as table:
            table.play()
            async with feeding(store, floors(server)) as one:
                await caught_up(table, one)
            async with server.client("admin") as admin:
                config = (await admin.jetstream().stream_info("EVENTS")).config
                await admin.jetstream().update_stream(config.evolve(max_msgs=30))
            table.play(20)
            await table.caught_up()
            async with feeding(store, floors(server)) as one:
                await caught_up(table, one)
                same(stored_events(one.store), of_journal(path))
                assert numbers(one.store) == rounds_of(path)

    on_loop(steps)


def test_a_recreated_stream_is_read_from_its_beginning(server, path, tmp_path, monkeypatch):
    monkeypatch.setattr(feed, "LOOK", 0.05)

    async def steps():
        async with run_table(path, server.section()) as table, feeding(tmp_path / "main.floor", floors(server)) as one:
            table.play(3)
            await caught_up(table, one)
            async with server.client("admin") as admin:
                await admin.jetstream().delete_stream("EVENTS")
                await until(lambda: one.feed.trouble is not None)
                assert [log for log in logs if log["event"] == "feed_cut"] == [
                    {"event": "feed_cut", "log_level": "warning", "reason": render(one.feed.trouble)}
                ]
                table.play()
                await make(admin, Retention("main", events_gb=0.6))
                table.play()
                await caught_up(table, one)
            await until(lambda: one.feed.trouble is None)
            same(stored_events(one.store), of_journal(path))

    with capture_logs() as logs:
        on_loop(steps)


def test_malformed_events_are_skipped(server, path, tmp_path):
    async def steps():
        async with run_table(path, server.section()) as table, feeding(tmp_path / "main.floor", floors(server)) as one:
            table.play()
            await caught_up(table, one)
            async with server.client("tables", "t2") as rogue:
                for body in (b"", b"{", b'{"seq":1,"kind":"opened","table":"t1"}', b'{"seq":1,"kind":"opened"}'):
                    await rogue.jetstream().publish("tablectl.main.t2.event.manager", body)
            table.play()
            await caught_up(table, one)
            assert {name for name, _, _ in one.store.epochs()} == {"t1"}
            assert one.feed.trouble is None

    on_loop(steps)


def test_a_full_store_is_reported_and_recovers_by_itself(server, path, tmp_path, monkeypatch):
    monkeypatch.setattr(feed, "AGAIN", 0.02)

    async def steps():
        async with run_table(path, server.section()) as table, feeding(tmp_path / "main.floor", floors(server)) as one:
            table.play()
            await caught_up(table, one)
            pages = one.store._file.db.execute("PRAGMA page_count").fetchone()[0]
            one.store._file.db.execute(f"PRAGMA max_page_count = {pages}")
            table.play(20)
            full = f"{tmp_path / 'main.floor'}: the disk is full; make room on it"
            await until(lambda: one.feed.trouble is not None and render(one.feed.trouble) == full)
            assert {"event": "store_failed", "log_level": "error", "reason": full} in logs
            one.store._file.db.execute("PRAGMA max_page_count = 1000000")
            await caught_up(table, one)
            await until(lambda: one.feed.trouble is None)
            same(stored_events(one.store), of_journal(path))

    with capture_logs() as logs:
        on_loop(steps)


def test_after_accepted_losses_no_new_event_is_dropped(server, path, tmp_path):
    store = tmp_path / "main.floor"

    async def life():
        async with run_table(path, server.section()) as table, feeding(store, floors(server)) as one:
            await until(lambda: table.bus.trouble is None)
            table.play(3)
            table.table.stop()  # records the starts that were refused meanwhile
            await caught_up(table, one)

    def lose(records):
        """Put back an older copy of the journal and accept the loss."""
        with closing(sqlite3.connect(path)) as db, db:
            db.execute("DELETE FROM records WHERE seq > (SELECT max(seq) FROM records) - ?", (records,))
        book = Journal(path)
        try:
            book.append(following_records(path, book.recover(), e.AcceptLoss("eva", "disk", new_epoch())))
        finally:
            book.close()

    on_loop(life)
    lose(7)
    on_loop(life)
    lose(30)
    on_loop(life)
    with closing(Store(store)) as one:
        epochs = [(epoch, last) for _, epoch, last in one.epochs()]
        assert len(epochs) == 3
        by_epoch = {
            epoch: {entry.seq: msgspec.json.decode(entry.body) for entry in one.events("t1", epoch, 0, 10**6)}
            for epoch, _ in epochs
        }
        with one.open_read_only() as db:
            stands = dict(db.execute("SELECT before, stands FROM epochs WHERE before IS NOT NULL"))
            rounds = db.execute("SELECT number, how FROM rounds WHERE lost = 0 ORDER BY number").fetchall()
        counts = [
            event for epoch, _ in epochs for seq, event in sorted(by_epoch[epoch].items())
            if seq <= stands.get(epoch, seq)
        ]  # fmt: skip
        counted = {event["seq"]: event for event in counts}
        journal = {event["seq"]: event for event in of_journal(path)}
        assert [seq for seq in journal if counted.get(seq) != journal[seq]] == []
        assert rounds == [(number, how) for _, number, how in rounds_of(path)]


@pytest.mark.proof
def test_a_killed_feed_continues_at_its_last_place(server, tmp_path):
    path, store, dice = tmp_path / "t1" / "t.journal", tmp_path / "main.floor", random.Random(SEED)
    path.parent.mkdir()

    def have():
        with suppress(FloorFailed, sqlite3.Error), closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as db:
            return db.execute("SELECT count(*) FROM events").fetchone()[0]
        return 0

    async def steps():
        async with run_table(path, server.section()) as table:
            for turn in range(12):
                with beside(run, store, floors(server)) as process:
                    table.play(15)
                    goal = min(have() + dice.randrange(1, 300), table.table.state.seq - 1)
                    await until(lambda goal=goal, process=process: process.exitcode is not None or have() > goal)
                    assert process.exitcode is None, turn
            await table.caught_up()
            async with feeding(store, floors(server)) as one:
                await caught_up(table, one)
                same(stored_events(one.store), of_journal(path))
                assert numbers(one.store) == rounds_of(path)

    on_loop(steps)
