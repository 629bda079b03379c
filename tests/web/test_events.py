"""The record as a stream: each event once and in order, also over broken connections."""

import asyncio
import random
from collections.abc import Iterator
from itertools import pairwise

import httpx
import httpx_sse
import msgspec
import pytest

from controller.core import events as e
from controller.core.records import Record
from controller.core.viewers import STRANGERS
from controller.core.views import view
from controller.journal import JournalFailed, read
from controller.web.api import api
from controller.web.api import record_feed as feed
from controller.web.net import admission, server
from tests.clocks import leap
from tests.patience import PATIENCE, on_loop, until
from tests.table.test_table import HOLDEM
from tests.web.rig import Spoken, capture_log, events


def played(table: Spoken, rounds: int) -> None:
    """Play this number of hold'em rounds, with face-down cards."""
    for _ in range(rounds):
        table.rig.take(e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 1000), e.Close())
        table.rig.deal("KS", "KD", "5C", "7D", "2H", "7S", "9D")
        table.rig.take(e.Choose("p1", "fold"), e.KeyPressed("finish"))


def viewed(table: Spoken, role: str) -> list[dict]:
    """Return the record as events for a role, as sent after the end of each round."""
    viewers = table.api.viewers() if role == "player" else STRANGERS
    views = (view(record, role, viewers, over=True) for record in read(table.rig.path))
    return [msgspec.json.decode(msgspec.json.encode(event)) for event in views]


async def first_events(table: Spoken, target: str, count: int, *headers: str) -> list[dict]:
    """Return the first `count` events of a stream."""
    messages: list[dict] = []
    async with table.following(target, *headers) as reader:
        async for number, event in events(reader):
            assert number == event["seq"]
            messages.append(event)
            if len(messages) == count:
                break
    return messages


@pytest.mark.parametrize("role", ["manager", "dealer", "server", "player"])
def test_a_stream_has_one_event_per_record_for_its_audience(tmp_path, role):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            played(table, 2)
            expected = viewed(table, role)
            assert await first_events(table, f"/api/events?after=0&role={role}", len(expected)) == expected
            if role != "manager":
                assert "unix:" not in str(expected)

    on_loop(steps)


def test_a_reader_of_lost_records_resumes_after_the_last_valid(tmp_path):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            before, last = (await table.state("server"))["epoch"], table.table.state.seq
            table.rig.take(e.AcceptLoss("eva", "another PC", "e2"))
            played(table, 1)
            target = f"/api/events?role=server&epoch={before}&after="
            reply = await table.ask("GET", f"{target}{last + 1}")
            detail = f"after: of that epoch records up to {last} count, the later ones are lost, got {last + 1}"
            assert (reply.status, reply.body["detail"]) == (409, detail)
            first, _ = await first_events(table, f"{target}{last}", 2)
            assert (first["kind"], first["epoch"], first["seq"]) == ("loss_accepted", "e2", last + 1)
            assert (await table.state("server"))["epoch"] == "e2"

    on_loop(steps)


def test_viewers_see_one_pseudonym_per_player_everywhere(tmp_path):
    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            table.rig.take(e.NewDeck(), e.Open(), e.PlaceBet("~ann~", "ante", 1000), e.Close())
            table.rig.deal("KS", "KD", "5C", "7D", "2H", "7S", "9D")
            asking = await table.state("player")
            table.rig.take(e.Choose("~ann~", "fold"), e.KeyPressed("finish"))
            settled = await table.state("player")
            messages = await first_events(table, "/api/events?after=0&role=player", table.table.state.seq)
            assert "~ann~" not in str((asking, settled, messages))
            ann = table.api.viewers().name("~ann~")
            (question,) = (one for one in messages if one["kind"] == "asked")
            assert question["who"] == asking["due"]["who"] == [*settled["outcome"]["decisions"]] == [ann]
            assert asking["expected"] == f"decision of {ann}"

    on_loop(steps)


def test_without_a_position_a_stream_begins_with_the_next_event(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/events") as reader:
            table.rig.take(e.Open())
            async for number, event in events(reader):
                assert (number, event["kind"]) == (5, "opened")
                break

    on_loop(steps)


def test_a_returning_reader_resumes_after_last_event_id(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            (event,) = await first_events(table, "/api/events?after=0", 1, "last-event-id: 2")
            assert event["seq"] == 3

    on_loop(steps)


@pytest.mark.parametrize("at_hand", [5, 2000])
def test_a_repeatedly_disconnected_reader_gets_every_event_once(tmp_path, monkeypatch, at_hand):
    monkeypatch.setattr(feed, "RECENT", at_hand)  # if few, most events come from the journal
    monkeypatch.setattr(feed, "BATCH", 7)
    monkeypatch.setattr(feed, "PORTION", 3)
    dice = random.Random(at_hand)

    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            playing = asyncio.create_task(play(table))
            playing.add_done_callback(lambda _: table.rig.take(e.LineCut("p1")))  # wakes the reader for the last time
            messages: list[dict] = []
            while not playing.done() or len(messages) < table.table.state.seq:
                after, want = len(messages), dice.randint(1, 40)
                async with table.following(f"/api/events?after={after}&role=server") as reader:
                    async for number, event in events(reader):
                        assert number == len(messages) + 1
                        messages.append(event)
                        want -= 1
                        if not want or (playing.done() and number == table.table.state.seq):
                            break
            await playing
            assert messages == viewed(table, "server")
            assert len(messages) > 200

    async def play(table: Spoken) -> None:
        for _ in range(12):
            played(table, 1)
            await asyncio.sleep(dice.choice((0, 0.001, 0.01)))

    on_loop(steps)


def test_records_in_quick_succession_wake_a_reader_once(tmp_path, monkeypatch):
    monkeypatch.setattr(feed, "PAUSE", PATIENCE)

    async def steps():
        async with Spoken(tmp_path) as table:
            numbers: list[int] = []  # number of the last record of each portion

            async def follow() -> None:
                async for portion in table.api._feed.follow(4, 10):
                    numbers.append(portion[-1].seq)  # noqa: PERF401 - read while it grows

            following = asyncio.create_task(follow())
            await asyncio.sleep(0)
            for number in range(20):
                table.rig.take(e.LineCut(f"p{number}"))
                await asyncio.sleep(0)
            leap(PATIENCE)
            await until(lambda: numbers[-1:] == [24])
            assert len(numbers) == 2
            following.cancel()

    on_loop(steps)


def test_a_quiet_stream_sends_heartbeats(tmp_path, monkeypatch):
    monkeypatch.setattr(api, "HEARTBEAT", 0.02)

    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/events") as reader:
            await reader.readuntil(b"\r\n:\n\r\n")
            await reader.readuntil(b"\r\n:\n\r\n")

    on_loop(steps)


async def open_after_heartbeats(table: Spoken) -> None:
    async with table.following("/api/events") as reader:
        for _ in range(3):
            await reader.readuntil(b"\r\n:\n\r\n")
    table.rig.take(e.Open())


@pytest.mark.parametrize("target", ["/api/v1/events?after=0", "/api/v1/events", "/api/screen?role=player"])
def test_every_event_of_a_stream_has_json_data(tmp_path, monkeypatch, target):
    """A separate event for `retry` has no data: a client that parses all data as JSON would fail."""
    monkeypatch.setattr(api, "HEARTBEAT", 0.02)

    async def steps():
        async with Spoken(tmp_path) as table:
            socket = httpx.AsyncHTTPTransport(uds=str(table.socket))
            async with (
                httpx.AsyncClient(transport=socket, base_url="http://t") as client,
                httpx_sse.aconnect_sse(client, "GET", target) as source,
            ):
                opening = asyncio.create_task(open_after_heartbeats(table))
                first = await anext(source.aiter_sse())
                await opening
            assert first.retry == 1000
            assert first.json().keys() >= ({"seq", "kind"} if "events" in target else {"now", "screen"})

    on_loop(steps)


def test_a_reader_who_takes_nothing_is_dropped_and_costs_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(admission, "PATIENCE", 0.2)
    monkeypatch.setattr(feed, "PORTION", 10)

    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            for _ in range(100):  # more than the connection's buffers hold
                table.rig.take(e.LostDevice("panel", "x" * 10_000), e.FoundDevice("panel"))
            async with table.following("/api/events?after=0") as reader:
                reader._transport.pause_reading()
                here = table.api._servers[0].connections
                assert len(here) == 1
                await until(lambda: not here)
                played(table, 1)  # the table still works

    on_loop(steps)


def test_streams_end_when_the_api_stops_without_delaying_it(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "ENDING", 10_000)

    async def steps():
        async with (
            Spoken(tmp_path) as table,
            table.following("/api/events?after=0") as one,
            table.following("/api/events") as other,
        ):
            await table.api.stop()
            assert [number async for number, _ in events(one)] == [1, 2, 3, 4]
            assert [number async for number, _ in events(other)] == []

    on_loop(steps)


def test_records_on_disk_are_read_in_batches_to_the_last(tmp_path, monkeypatch):
    monkeypatch.setattr(feed, "BATCH", 2)

    async def steps():
        async with Spoken(tmp_path) as table:
            head = table.rig.table.state.seq
            assert head > 3
            records = await feed.RecordFeed(table.rig.path, head).records_between(2, head)
            assert [record.seq for record in records] == list(range(2, head + 1))

    on_loop(steps)


def test_devices_are_heard_between_portions_for_catching_up_readers(tmp_path, monkeypatch):
    monkeypatch.setattr(feed, "PORTION", 1)
    order = []

    async def steps():
        async with Spoken(tmp_path) as table:
            loop, followed = asyncio.get_running_loop(), feed.RecordFeed(table.rig.path, 0)
            followed.hear(list(read(table.rig.path)))

            def device() -> None:
                order.append("device")
                if not all(reader.done() for reader in readers):
                    loop.call_soon(device)

            async def reader(name: str) -> None:
                async for _ in followed.follow(0, 10):
                    order.append(name)
                    if order.count(name) == 3:
                        return

            readers = [asyncio.create_task(reader(name)) for name in ("one", "other", "third")]
            loop.call_soon(device)
            await asyncio.gather(*readers)

    on_loop(steps)
    portions = [at for at, who in enumerate(order) if who != "device"]
    assert len(portions) == 9
    assert all(later - earlier > 1 for earlier, later in pairwise(portions))


def test_a_reader_who_hangs_up_is_forgotten(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            async with table.following("/api/events"):
                pass
            here = table.api._servers[0]
            await until(lambda: not here.connections and not here._tasks)

    on_loop(steps)


def unreadable(*_: object) -> Iterator[Record]:
    raise JournalFailed("the disk is gone")


def test_an_unreadable_journal_ends_only_the_stream(tmp_path, monkeypatch):
    monkeypatch.setattr(feed, "RECENT", 1)

    async def steps():
        async with Spoken(tmp_path) as table, table.following("/api/events?after=0") as reader:
            stream = events(reader)
            assert [(await anext(stream))[0] for _ in range(4)] == [1, 2, 3, 4]
            monkeypatch.setattr(feed, "read", unreadable)
            table.rig.take(e.Open(), e.Close())  # more records at once than are in memory
            assert [number async for number, _ in stream] == []
            await table.state()

    on_loop(steps)


def test_an_unreadable_journal_is_a_503_without_its_path(tmp_path, monkeypatch):
    """If it were a 200, clients would connect and be dropped again and again."""
    monkeypatch.setattr(feed, "RECENT", 1)

    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.path.rename(tmp_path / "elsewhere")
            with capture_log() as lines:
                reply = await table.ask("GET", "/api/events?after=0&role=player")
            assert (reply.status, reply.body["reason"]) == (503, "record_unreadable")
            assert str(tmp_path) not in reply.body["detail"]
            events = [line["event"] for line in lines if line["event"] != "halted"]  # the table may log this too
            assert events == ["record_unreadable"]

    on_loop(steps)


@pytest.mark.parametrize(("role", "meanwhile"), [("manager", "seen"), ("dealer", ""), ("server", "")])
def test_dealer_and_server_see_ruling_reasons_after_the_round(tmp_path, role, meanwhile):
    async def reasons(table: Spoken) -> list[str]:
        messages = await first_events(table, f"/api/events?after=0&role={role}", table.table.state.seq)
        return [event["because"] for event in messages if event["kind"] == "ruled"]

    async def steps():
        async with Spoken(tmp_path, HOLDEM) as table:
            table.face_down()
            table.rig.take(e.KeyPressed("manager"), e.Rule("resume", "anna", "seen"))
            assert await reasons(table) == [meanwhile]
            table.rig.take(e.KeyPressed("manager"), e.Rule("cancel", "anna", "void"))
            assert await reasons(table) == ["seen", "void"]

    on_loop(steps)
