"""Publishing by a table: each event once and in order, heads of rounds, status and heartbeat."""

from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace

import msgspec
import pytest

from controller.bus import bus_tasks, publisher
from controller.bus.bus_client import BusClient
from controller.bus.keys import new_seed
from controller.bus.names import TableNames
from controller.bus.publisher import Publisher, Recent, Source, begin
from controller.bus.seals import Seals
from controller.core import events as e
from controller.core.clock import to_text
from controller.core.state import State
from controller.core.viewers import STRANGERS
from controller.games import GAMES
from controller.journal import Journal, JournalError, JournalFailed, hash_at, new_epoch, read, recover_state, with_past
from controller.journal.outbox import TargetPlaces
from controller.station.losses import following_records
from controller.text.coded import render
from tests.bus.rig import heard_by_server
from tests.bus.tables import AUDIENCES, StudioTable, as_over_http, events, run_table, stored
from tests.patience import PATIENCE, on_loop, until
from tests.station.test_anchor import ROUND, play


def test_the_bus_carries_the_api_events_and_each_rounds_head(server, tmp_path):
    async def steps():
        path = tmp_path / "t.journal"
        async with run_table(path, server.section(players=True)) as table, server.client("admin") as admin:
            table.play(3)
            epoch = table.epoch
            await table.caught_up()
        async with server.client("admin") as admin:
            messages = await stored(admin, "EVENTS")
            for audience in AUDIENCES:
                assert events(messages, audience) == as_over_http(path, audience)
            assert {one.epoch for one in messages} == {epoch}
            heads = [head.body for head in await stored(admin, "HEADS")]
        ends = [record for record in read(path) if record.kind == "settled"]
        expected = [(epoch, one.seq, hash_at(path, one.seq).hex()) for one in ends]
        assert len(ends) == 3
        assert [(head["epoch"], head["seq"], head["hash"]) for head in heads[:3]] == expected
        assert [head["at"] for head in heads[:3]] == [to_text(one.at) for one in ends]
        last = max(record.seq for record in read(path))
        assert [head["seq"] for head in heads[3:]] == ([last] if last != ends[-1].seq else [])

    on_loop(steps)


def test_the_bus_has_the_head_of_a_round_settled_anew(server, tmp_path):
    async def steps():
        path = tmp_path / "t.journal"
        async with run_table(path, server.section()) as table, server.client("admin") as admin:
            table.play()
            anew = e.Resettle(1, (e.Amendment("cancel"),), "m", "wrong shoe", "n")
            table.table.take(with_past(path, table.table.house, GAMES, {}, anew))
            await table.caught_up()
            heads = {one.seq for one in await stored(admin, "HEADS")}
            assert table.table.state.revisions[1].seq in heads

    on_loop(steps)


def test_the_newest_status_stays_and_beats_come_each_second(server, tmp_path):
    async def steps():
        async with server.client("floors", "main") as floor:
            beats, words = [], []

            async def beat(message):
                beats.append(msgspec.json.decode(message.data))

            async def word(message):
                words.append(msgspec.json.decode(message.data))

            await floor.subscribe("tablectl.main.*.beat", cb=beat)
            await floor.subscribe("$KV.tablectl_status.main.*", cb=word)
            await heard_by_server(floor)
            async with run_table(tmp_path / "t.journal", server.section()) as table:
                table.play()
                seq = table.table.state.seq
                await until(lambda: words and words[-1]["seq"] == seq)
                await until(lambda: len(beats) > 1 and beats[-1]["seq"] == seq)
                assert beats[-1] == {"epoch": table.epoch, "seq": seq}
                assert (words[-1]["table"], words[-1]["game"], words[-1]["life"]) == ("t1", "baccarat", "settled")
                assert (words[-1]["fault"], words[-1]["dealer"]) == (None, "d1")

    on_loop(steps)


def test_a_look_without_news_leaves_the_bus_thread_asleep(server, tmp_path, monkeypatch):
    """`look` publishes a status only if something in it has changed, such as a full disk."""
    statuses = []

    async def steps():
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            table.play()
            await until(lambda: table.bus.acknowledged_seq == table.table.state.seq)
            await until(lambda: table.bus.trouble is None)
            table.bus.look()  # publishes that the trouble has ended
            tell = table.bus._work.tell
            monkeypatch.setattr(table.bus._work, "tell", lambda status: statuses.append(status) or tell(status))
            for _ in range(3):
                table.bus.look()
            assert statuses == []
            table.doors.lookout.add("disk", SimpleNamespace(trouble="the disk is full", look=lambda: None))
            table.bus.look()
            assert len(statuses) == 1
            table.play()
            await until(lambda: len(statuses) > 1 and table.bus.acknowledged_seq == table.table.state.seq)

    on_loop(steps)


def test_a_status_set_before_the_loop_starts_is_published(server, tmp_path, monkeypatch):
    tries = []
    tell = bus_tasks.BusTasks.tell
    monkeypatch.setattr(bus_tasks.BusTasks, "tell", lambda bus, status: tries.append(status) or tell(bus, status))

    async def steps():
        async with server.client("admin") as admin:
            table = StudioTable(tmp_path / "t.journal", server.section())
            table.table.start("d1")
            await until(lambda: tries)  # tried, but the bus's loop does not run yet
            table.doors.start()
            table.bus.start()
            async with AsyncExitStack() as stack:
                stack.push_async_exit(table)
                words = await admin.jetstream().subscribe("$KV.tablectl_status.main.t1", ordered_consumer=True)
                word = msgspec.json.decode((await words.next_msg(timeout=PATIENCE)).data)
                assert word["seq"] == table.table.state.seq

    on_loop(steps)


# ── from the record to the messages ──────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def path(tmp_path) -> Path:
    """Return the journal of a table that has dealt a round and begun another."""
    path = tmp_path / "t.journal"
    play(path, tmp_path / "t.anchor", *ROUND, e.Open(), e.Close())
    return path


def told_of(path: Path, state: State, recent: Recent) -> Publisher:
    source = Source(TableNames("main", "t1"), path, lambda: state, ("server",), lambda: STRANGERS)
    return Publisher(source, recent, BusClient({}), b"secret", Seals(new_seed(), {}, {}))


def test_a_round_newer_than_the_known_state_is_not_published(path):
    """If the round counted as ended too early, a platform would get the shift manager's free text."""
    records, recent = list(read(path)), Recent()
    recent.add(records)
    settled = next(record.seq for record in records if record.kind == "settled")
    as_then = msgspec.structs.replace(recover_state(path), seq=settled)
    assert told_of(path, as_then, recent)._pack(0).seq == settled
    assert told_of(path, as_then, recent)._pack(settled).letter is None
    assert told_of(path, recover_state(path), recent)._pack(settled).seq == records[-1].seq


def test_a_round_with_a_missing_archive_publishes_no_head(path, monkeypatch):
    monkeypatch.setattr(publisher, "hash_at", lambda *_: None)
    messages = told_of(path, recover_state(path), Recent())._pack(0).letter
    assert {message.subject for message in messages} == {"tablectl.main.t1.event.server"}


def test_an_unreadable_record_is_reported_as_a_trouble(path):
    one = told_of(path, recover_state(path), Recent())
    path.unlink()
    with pytest.raises(JournalError):
        one._pack(5)
    assert render(one.trouble).startswith(f"the records after 5 cannot be sent: {path}")


def test_unsent_events_are_sent_after_two_accepted_losses(path):
    TargetPlaces(path).move(f"bus {recover_state(path).identity.epoch}", 5)
    for _ in range(2):
        accept(path)
    state = recover_state(path)
    assert begin(TargetPlaces(path), state, state.seq) == (f"bus {state.identity.epoch}", 5)


def accept(path: Path) -> None:
    book = Journal(path)
    try:
        book.append(following_records(path, state := book.recover(), e.AcceptLoss("eva", "disk", new_epoch())))
        assert recover_state(path).losses[-1].epoch == state.identity.epoch
    finally:
        book.close()


# ── as it goes on ────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_outbox_that_starts_late_ends_its_trouble(server, tmp_path, monkeypatch):
    full = True

    def room(*args: object) -> tuple[str, int]:
        if full:
            raise JournalFailed("no room")
        return begin(*args)

    monkeypatch.setattr(publisher, "begin", room)
    monkeypatch.setattr(bus_tasks, "AGAIN", 0.01)

    async def steps():
        nonlocal full
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            await until(table.bus._work._line.up.is_set)
            await until(lambda: render(table.bus.trouble or "") == "bus: no room")
            full = False
            await until(lambda: table.bus.trouble is None)

    on_loop(steps)


def test_heads_are_published_at_the_end_and_after_a_loss(server, tmp_path):
    """A table that stops publishes its last head; the next start after a loss, the new epoch's first."""
    path = tmp_path / "t.journal"

    async def heads():
        async with server.client("admin") as admin:
            return [(one.body["epoch"], one.seq) for one in await stored(admin, "HEADS")]

    async def at_the_end():
        async with run_table(path, server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            await table.caught_up()
            table.table.take(e.Open())
        return await heads()

    old = on_loop(at_the_end)
    assert old == [(recover_state(path).identity.epoch, recover_state(path).seq)]
    accept(path)
    new = recover_state(path)

    async def no_round():
        async with run_table(path, server.section()) as table:
            await until(lambda: table.bus.trouble is None)
            await table.caught_up()
            return await heads()

    assert on_loop(no_round)[len(old) :] == [(new.identity.epoch, new.losses[-1].stands + 1)]
