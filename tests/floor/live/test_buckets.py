"""Follower of a bucket on the bus: it has the right content after each change of the stream."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count

import pytest
from structlog.testing import capture_logs

from controller.bus.bus_client import BusClient, options
from controller.bus.keys import credentials_in
from controller.bus.names import CLAIMS
from controller.bus.permissions import inbox_of
from controller.bus.streams import Retention, make
from controller.core.coded_message import coded
from controller.floor.live import buckets
from controller.floor.live.buckets import Bucket, BucketEntry
from controller.journal.tasks import cancel_tasks
from controller.text.coded import render
from tests.bus.rig import StudioKeys
from tests.patience import on_loop, until

STREAM = f"KV_{CLAIMS}"
NEVER = 10.0**6


class Followed:
    """Content of a bucket, as a follower has it. `whole`: number of complete readings."""

    def __init__(self, bus: StudioKeys) -> None:
        credentials = credentials_in(bus.seed("floors", "main"))
        self.line = BusClient(options(bus.section_of("floors", "main"), credentials, inbox_of("floor", "main")))
        self.values: dict[str, bytes] = {}
        self.seqs: dict[str, int] = {}
        self.whole = 0  # number of complete readings

    def hear(self, entry: BucketEntry) -> None:
        self.seqs[entry.key] = entry.seq
        if entry.value is None:
            self.values.pop(entry.key, None)
        else:
            self.values[entry.key] = entry.value

    def complete(self) -> None:
        self.whole += 1


@asynccontextmanager
async def followed(bus: StudioKeys) -> AsyncIterator[Followed]:
    """Follow the bucket of claims while the context lasts."""
    one = Followed(bus)
    works = one.line.open(), Bucket(one.line, CLAIMS, "main", lambda *_: True).follow(one.hear, one.complete)
    tasks = [asyncio.create_task(work) for work in works]
    try:
        yield one
    finally:
        await cancel_tasks(tasks)
        await one.line.close()


async def put(admin, **values: str) -> None:
    """Store these values in the bucket."""
    for key, value in values.items():
        await admin.jetstream().publish(f"$KV.{CLAIMS}.main.{key}", value.encode())


async def make_anew(admin, **values: str) -> None:
    """Recreate the stream with these values."""
    await admin.jetstream().delete_stream(STREAM)
    await make(admin, Retention("main", events_gb=0.6))
    await put(admin, **values)


def test_a_stream_made_anew_with_fewer_messages_is_heard(bus, monkeypatch):
    monkeypatch.setattr(buckets, "ANEW", NEVER)

    async def steps():
        async with bus.client("admin") as admin, followed(bus) as one:
            await until(lambda: one.whole)
            await put(admin, **{f"k{number}": "old" for number in range(20)})
            await until(lambda: len(one.values) == 20)
            await make_anew(admin, k1="new")
            await until(lambda: one.values == {"k1": b"new"})
            assert one.seqs == {**dict.fromkeys([f"k{number}" for number in range(20)], 0), "k1": 1}  # 0: no entry
            await make_anew(admin, k2="a")  # twice, without a read in between
            await make_anew(admin, k3="b")
            await until(lambda: one.values == {"k3": b"b"})

    with capture_logs() as logs:
        on_loop(steps)
    anew = {"bucket": CLAIMS, "event": "stream_made_anew", "log_level": "warning"}
    assert anew in logs


def test_an_unreadable_bucket_is_logged_with_its_name(bus):
    async def steps():
        async with bus.client("admin") as admin, followed(bus) as one:
            await until(lambda: one.whole)
            await admin.jetstream().delete_stream(STREAM)
            await until(lambda: not_followed in logs)
            await make(admin, Retention("main", events_gb=0.6))

    reason = render(coded("no_stream"))
    not_followed = {"bucket": CLAIMS, "event": "not_followed", "log_level": "warning", "reason": reason}
    with capture_logs() as logs:
        on_loop(steps)


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("turn", range(4))
def test_a_stream_made_anew_while_being_read_is_heard(bus, monkeypatch, turn, when):
    """The stream is recreated before or after one of four reads: the follower then has the new content."""
    monkeypatch.setattr(buckets, "ANEW", NEVER)
    monkeypatch.setattr(buckets, "MOST", 10)
    reading, turns = buckets.read, count()

    async def steps():
        async with bus.client("admin") as admin:
            await put(admin, **{f"k{number}": "old" for number in range(20)})
            anew = asyncio.Event()

            async def interrupted(*arguments):
                is_it = next(turns) == turn
                if is_it and when == "before":
                    await make_anew(admin, k1="new")
                found = await reading(*arguments)
                if is_it and when == "after":
                    await make_anew(admin, k1="new")
                if is_it:
                    anew.set()
                return found

            monkeypatch.setattr(buckets, "read", interrupted)
            async with followed(bus) as one:
                await until(lambda: anew.is_set() and one.values == {"k1": b"new"})

    on_loop(steps)


def test_a_slow_bucket_is_heard_to_its_end(bus, monkeypatch):
    """The interval until the next complete reading starts when the last one has ended."""
    monkeypatch.setattr(buckets, "ANEW", -1.0)

    async def steps():
        async with bus.client("admin") as admin:
            await put(admin, **{f"k{number}": "x" for number in range(20)})
            async with followed(bus) as one:
                await until(lambda: one.whole > 2)
                assert len(one.values) == 20
                await make_anew(admin, k1="new")
                await until(lambda: one.values == {"k1": b"new"})

    on_loop(steps)
