"""Outbox: messages from the record arrive at least once and in order, despite failures and restarts."""

import asyncio
import sqlite3
import threading
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest
from structlog.testing import capture_logs

from controller.journal import JournalFailed
from controller.journal.outbox import DeliveryPace, Outbox, Parcel, TargetPlaces
from tests.patience import PATIENCE, on_loop, until

FAST = DeliveryPace(first=0.001, longest=0.002, patience=PATIENCE)
PATIENT = DeliveryPace(first=3600, longest=3600, patience=PATIENCE)


@pytest.fixture
def journal(tmp_path):
    return tmp_path / "table.journal"


@pytest.fixture
def places(journal):
    return TargetPlaces(journal)


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_target_starts_at_the_records_end(places, journal):
    assert places.begin(["mail"], 12) == {"mail": 12}
    assert TargetPlaces(journal).begin(["mail", "chat"], 20) == {"mail": 12, "chat": 20}


def test_a_place_that_was_moved_is_found_again(places, journal):
    places.begin(["mail", "chat"], 12)
    places.move("mail", 15)
    assert TargetPlaces(journal).read() == {"mail": 15, "chat": 12}


def test_a_position_beyond_the_records_end_is_reset_to_it(places):
    places.begin(["mail"], 500)
    assert places.begin(["mail"], 3) == {"mail": 3}
    assert places.read() == {"mail": 3}


def test_without_targets_there_is_no_file(places, tmp_path):
    assert places.begin([], 12) == {}
    assert places.read() == {}
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_is_only_looked_at_makes_no_file(places, tmp_path):
    assert places.read() == {}
    assert list(tmp_path.iterdir()) == []


def test_an_outbox_file_that_is_no_database_is_one_line(places, tmp_path):
    (tmp_path / "table.journal.outbox").write_text("something else, for more than a hundred bytes" * 30)
    with pytest.raises(JournalFailed, match=r"table\.journal\.outbox: file is not a database; without this file"):
        places.begin(["mail"], 1)


def test_a_crash_while_moving_a_position_keeps_the_old(places, tmp_path):
    places.begin(["mail"], 12)
    file = tmp_path / "table.journal.outbox"
    db = sqlite3.connect(file, isolation_level=None)
    db.execute("PRAGMA cache_size = 1")
    db.execute("BEGIN IMMEDIATE")
    db.execute("UPDATE places SET seq = 99")
    db.execute("CREATE TABLE filler AS SELECT randomblob(100000)")  # more than the cache: pages reach the file
    (tmp_path / "copy.outbox").write_bytes(file.read_bytes())
    (tmp_path / "copy.outbox-journal").write_bytes(file.with_name(f"{file.name}-journal").read_bytes())
    db.execute("ROLLBACK")
    db.close()
    assert TargetPlaces(tmp_path / "copy").begin(["mail"], 200) == {"mail": 12}


# ── back-off ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_failure_doubles_the_jittered_wait_to_a_limit():
    pace = DeliveryPace(first=1, longest=60)
    for failures, longest in [(1, 1), (2, 2), (3, 4), (6, 32), (7, 60), (1000, 60)]:
        waits = [pace.retry_delay(failures) for _ in range(50)]
        assert longest / 2 <= min(waits) <= max(waits) <= longest
        assert len(set(waits)) > 1


# ── delivery from the record ─────────────────────────────────────────────────────────────────────────────────────


class OutboxTarget:
    """Delivery target, and a record with a message for it at every tenth record."""

    def __init__(self, places: TargetPlaces, name: str = "mail") -> None:
        self.end = 0
        self.down: str | None = None
        self.took: list[int] = []
        self.tries = 0
        self._places, self._name = places, name

    def outbox(
        self, pace: DeliveryPace = FAST, post: Callable[[int], Awaitable[str | None]] | None = None
    ) -> Outbox[int]:
        place = self._places.begin([self._name], self.end)[self._name]
        return Outbox(self._name, self._places, place, self.pack, post or self.post, pace)

    def pack(self, after: int) -> Parcel[int]:
        following = after // 10 * 10 + 10
        return Parcel(following, following) if following <= self.end else Parcel(self.end, None)

    async def post(self, letter: int) -> str | None:
        self.tries += 1
        if self.down is None:
            self.took.append(letter)
        return self.down

    def kept(self) -> int | None:
        """Return the stored position; None if the file has just been made."""
        return self._places.read().get(self._name)


@asynccontextmanager
async def running(*outboxes: Outbox[int]):
    for outbox in outboxes:
        outbox.start()
    try:
        yield
    finally:
        for outbox in outboxes:
            await outbox.stop()


@pytest.fixture
def target(places):
    return OutboxTarget(places)


def test_delivery_is_in_order_and_moves_the_position(target):
    async def play():
        outbox = target.outbox()
        target.end = 35
        async with running(outbox):
            await until(lambda: target.kept() == 35)
            target.end = 40
            outbox.wake()
            await until(lambda: target.kept() == 40)
        assert target.took == [10, 20, 30, 40]

    asyncio.run(play())


def test_a_delivery_ends_the_doubling_of_waits(target):
    failures = []
    outbox = target.outbox(SimpleNamespace(retry_delay=lambda count: failures.append(count) or 0))
    target.end = 30

    async def play():
        for target.down in ("down", "down", None, "down"):
            await outbox._attempt()

    on_loop(play)
    assert failures == [1, 2, 1]


def test_the_position_moves_only_after_delivery(target):
    async def play():
        outbox = target.outbox()
        target.end, target.down = 20, "no route"
        async with running(outbox):
            await until(lambda: target.tries > 3)
            assert (outbox.place, target.kept()) == (0, 0)
            target.down = None
            await until(lambda: outbox.place == 20)
        assert target.took == [10, 20]

    asyncio.run(play())


def test_undelivered_messages_are_delivered_after_a_restart(target):
    async def play():
        target.down = "no route"
        outbox = target.outbox(PATIENT)
        target.end = 20
        async with running(outbox):
            await until(lambda: target.tries)
        target.down = None
        again = target.outbox(PATIENT)
        async with running(again):
            await until(lambda: again.place == 20)
        assert target.took == [10, 20]

    asyncio.run(play())


def test_a_new_record_retries_a_failed_target_at_once(target):
    async def play():
        outbox = target.outbox(PATIENT)
        target.end, target.down = 10, "no route"
        async with running(outbox):
            await until(lambda: target.tries == 1)
            target.end, target.down = 20, None
            outbox.wake()
            await until(lambda: outbox.place == 20)
        assert target.took == [10, 20]

    asyncio.run(play())


def test_a_dead_target_delays_no_other(places):
    async def play():
        dead, alive = OutboxTarget(places, "dead"), OutboxTarget(places, "alive")
        outboxes = dead.outbox(post=lambda _: asyncio.Event().wait()), alive.outbox()
        dead.end = alive.end = 30
        async with running(*outboxes):
            await until(lambda: places.read() == {"dead": 0, "alive": 30})
        assert alive.took == [10, 20, 30]

    asyncio.run(play())


def test_a_hanging_delivery_does_not_delay_the_stop(target):
    async def play():
        hangs = asyncio.Event()

        async def post(_):
            hangs.set()
            await asyncio.Event().wait()

        outbox = target.outbox(post=post)
        target.end = 10
        async with running(outbox):
            await hangs.wait()
        assert target.kept() == 0

    asyncio.run(asyncio.wait_for(play(), PATIENCE))


def test_a_message_that_cannot_be_built_is_logged_and_retried(target):
    async def play():
        broken = True

        def pack(after):
            if broken:
                raise ZeroDivisionError("a mistake")
            return target.pack(after)

        outbox = Outbox("mail", target._places, 0, pack, target.post, FAST)
        target.end = 10
        with capture_logs() as logs:
            async with running(outbox):
                await until(lambda: len(logs) > 2)
                broken = False
                await until(lambda: outbox.place == 10)
        assert {entry["event"] for entry in logs} == {"delivery_failed", "delivered"}
        assert target.took == [10]

    asyncio.run(play())


def test_a_delivered_message_is_not_resent_without_saved_position(target, tmp_path):
    async def play():
        outbox = target.outbox()
        target.end = 20
        file = tmp_path / "table.journal.outbox"
        file.unlink()
        file.mkdir()
        with capture_logs() as logs:
            async with running(outbox):
                await until(lambda: outbox.place == 20)
                await until(lambda: sum(entry["event"] == "place_not_kept" for entry in logs) == 2)
                file.rmdir()
                target.end = 30
                outbox.wake()
                await until(lambda: file.exists() and target.kept() == 30)
        assert target.took == [10, 20, 30]

    asyncio.run(play())


def test_record_reads_and_position_writes_run_off_the_loop(target):
    async def play():
        threads = set()

        def pack(after):
            threads.add(threading.current_thread())
            return target.pack(after)

        outbox = Outbox("mail", target._places, 0, pack, target.post, FAST)
        target.end = 10
        async with running(outbox):
            await until(lambda: outbox.place == 10)
        assert threading.main_thread() not in threads

    asyncio.run(play())


def test_an_outbox_never_started_can_be_stopped(target):
    asyncio.run(target.outbox().stop())


def test_a_cancellation_swallowed_during_delivery_is_repeated(places):
    """`post` loses a cancellation here, as `wait_for` of Python 3.11 may."""
    posting = asyncio.Event()

    async def post(_: str) -> str | None:
        posting.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "no answer in time"
        raise AssertionError

    async def steps() -> None:
        outbox = Outbox(
            "mail", places, places.begin(["mail"], 1)["mail"], lambda at: Parcel(at + 1, "a"), post, PATIENT
        )
        outbox.start()
        async with asyncio.timeout(PATIENCE):
            await posting.wait()
            await outbox.stop()

    asyncio.run(steps())
