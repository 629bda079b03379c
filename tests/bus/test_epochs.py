"""Two PCs of one table: which epoch is valid does not depend on the order of the heads on the bus.

No dealt round disappears: a PC that lost its table still publishes what it dealt.
"""

import asyncio
from pathlib import Path

import msgspec
import pytest
from nats.aio.client import Client

from controller.bus import comparison
from controller.bus.names import TableNames
from controller.bus.seals import Seals
from controller.bus.status import status
from controller.bus.witness import Heads, WitnessRefused, admit, head_message, publish_head
from controller.cli.bus_import import check_with_bus
from controller.core.mark import Mark
from controller.core.state import State
from controller.core.witness import newest_head
from controller.journal import read, recover_state, verify
from controller.text.coded import render
from tests.bus.rig import BusServer
from tests.bus.tables import ask, run_table, stored
from tests.bus.test_witness import config, copied, deal_rounds, put_back, run_command
from tests.bus.two_pcs import PC, run_two_pcs
from tests.floor.bare_floor import BareFloor, publish_statuses, run_bare_floor
from tests.patience import on_loop, until

NAMES = TableNames("main", "t1")
MANAGER = "tablectl.main.t1.event.manager"


async def heads_of(server: BusServer) -> list[Mark]:
    """Return the heads of table t1 on the bus."""
    async with server.client("admin") as admin:
        heads = Heads(admin, NAMES, server.seals("tables", "t1"))
        await heads.read()
        return heads.marks


async def publish(server: BusServer, *marks: Mark) -> None:
    """Publish heads signed with the table's own key."""
    async with server.client("tables", "t1") as table:
        seals = server.seals("tables", "t1")
        for mark in marks:
            subject, body = head_message(NAMES, mark, 1)
            await table.jetstream().publish(subject, body, headers=seals.seal(subject, body))


def admitted(server: BusServer, path: Path, state: State | None = None) -> str | None:
    """Ask the bus whether the record may start; return the reason if the bus could not be asked."""
    return on_loop(lambda: admit(server.section(), "c", "t1", path, recover_state(path) if state is None else state))


def with_parts(server: BusServer, tmp_path: Path) -> tuple[Path, Path]:
    """Deal one round on the bus; return the path of its record and the folder that it was shipped to."""
    path, parts = tmp_path / "old" / "t.journal", tmp_path / "parts"
    path.parent.mkdir()
    deal_rounds(path, server.section())

    async def ship() -> None:
        async with run_two_pcs(server, tmp_path) as (one, _):
            one.path = path
            await one.ship(parts)

    on_loop(ship)
    return path, parts


# ── at the start ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_an_empty_record_beside_heads_does_not_start(server, tmp_path):
    path = tmp_path / "t.journal"
    deal_rounds(path, server.section())
    with pytest.raises(
        WitnessRefused, match=r"no record was begun here, but the bus remembers .* of table t1; put the rec"
    ):
        admitted(server, tmp_path / "empty.journal", State())
    assert on_loop(lambda: admit(server.section("t2"), "c", "t2", path, State())) is None


def test_another_record_beside_heads_does_not_start(server, tmp_path):
    """A second record, dealt while the bus was away and never published, is refused. The first one starts."""
    path, other = tmp_path / "t.journal", tmp_path / "other" / "t.journal"
    other.parent.mkdir()
    deal_rounds(path, server.section())
    server.kill()

    async def dealt() -> None:
        async with run_table(other, server.section()) as table:
            await until(lambda: table.bus.trouble is not None)
            table.play(2)
            server.start()
            await until(lambda: table.table.state.doubts)
            table.play()
            assert (table.table.state.round.number, table.table.state.doubts) == (2, {"witness": 1})
            assert "rounds 1 to 2 of this record do not count" in render(table.bus.trouble)

    on_loop(dealt)
    with pytest.raises(WitnessRefused, match=r"this is another record, .*; rounds 1 to 2 of this record do not count"):
        admitted(server, other)
    assert admitted(server, path) is None


def test_late_heads_of_an_old_epoch_admit_no_old_record(server, tmp_path):
    """After a takeover 300 heads of the old epoch are published: still only the new record may start."""
    path, parts = with_parts(server, tmp_path)

    async def taken() -> None:
        async with run_two_pcs(server, tmp_path / "taken") as (one, _):
            await one.take(parts)

    (tmp_path / "taken").mkdir()
    on_loop(taken)
    new = tmp_path / "taken" / "pc1" / "t.journal"
    old = recover_state(path)
    on_loop(lambda: publish(server, *(Mark(old.identity.epoch, old.seq + n, "0c" * 32, "t1") for n in range(300))))
    assert admitted(server, new) is None
    with pytest.raises(WitnessRefused, match="the record continued elsewhere"):
        admitted(server, path)
    last = newest_head(on_loop(lambda: heads_of(server)))
    assert (last.epoch, last.past) == (recover_state(new).identity.epoch, {old.identity.epoch: old.seq})


def test_a_rolled_back_record_is_refused_behind_old_heads(server, tmp_path):
    """300 late heads of an old epoch do not push the newest head of the valid epoch out of the stream."""
    path, file = tmp_path / "disk" / "t.journal", config(server, tmp_path)
    path.parent.mkdir()
    deal_rounds(path, server.section())
    accept = ["journal", "accept-loss", str(path), "--by", "Ana", "--because", "x"]
    run_command(accept, 0)
    deal_rounds(path, server.section())
    copy, seq = copied(path), recover_state(path).seq
    deal_rounds(path, server.section())
    old = recover_state(path).losses[0].epoch
    on_loop(lambda: publish(server, *(Mark(old, 1000 + n, "0c" * 32, "t1") for n in range(300))))
    put_back(copy, path)
    with pytest.raises(WitnessRefused, match=f"records {seq + 1} to .* are missing, which the bus remembers"):
        admitted(server, path)
    assert f"record {seq + 1}: " in run_command(["journal", "verify", str(path), "--witness", str(file)], 1)


def ended_before(number: int, seq: int = 0) -> Mark:
    """Return a head of epoch `number`. Each epoch before it ended after ten records."""
    past = {f"epoch-{one:012}": 10 * one for one in range(number)}
    return Mark(f"epoch-{number:012}", 10 * number + 5 + seq, "0c" * 32, "t1", past)


@pytest.mark.parametrize("old", [0, 1, 3])
def test_old_heads_remove_no_head_of_six_later_epochs(server, old):
    async def steps() -> None:
        for later in range(old + 1, old + 7):
            await publish(server, ended_before(later))
        await publish(server, *(ended_before(old, seq) for seq in range(2 * 32)))
        epochs = {head.epoch for head in await heads_of(server)}
        assert {ended_before(later).epoch for later in range(old + 1, old + 7)} <= epochs

    on_loop(steps)


def test_another_record_starts_once_its_loss_is_accepted(server, tmp_path):
    path, file, other = tmp_path / "t.journal", config(server, tmp_path), tmp_path / "other" / "t.journal"
    other.parent.mkdir()
    deal_rounds(path, server.section())
    server.kill()
    life_alone(other, server)
    server.start()
    run_command(
        ["journal", "accept-loss", str(other), "--witness", str(file), "--by", "Ana", "--because", "a new disk"], 0
    )
    assert admitted(server, other) is None
    with pytest.raises(WitnessRefused, match="after record 0 the record continued elsewhere"):
        admitted(server, path)


def life_alone(path: Path, server: BusServer) -> None:
    """Deal one round without the bus."""

    async def dealt() -> None:
        async with run_table(path, server.section()) as table:
            table.play()

    on_loop(dealt)


# ── two that run ─────────────────────────────────────────────────────────────────────────────────────────────────


async def begin(old: PC, new: PC, parts: Path, **decided: bool) -> None:
    """Let the new PC take over a table while the old PC still runs and has dealt one more round."""
    await old.start()
    await until(lambda: old.table.bus.trouble is None)
    old.table.play()
    await old.table.caught_up()
    await old.ship(parts)
    old.table.play()
    await old.table.caught_up()
    await new.take(parts, **decided)


def test_beside_a_later_epoch_an_old_pc_opens_no_round(server, tmp_path):
    """The old PC reports the later epoch and answers no requests, but publishes all that it dealt."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new), server.client("floors", "main") as floor:
            await begin(old, new, tmp_path / "parts", accept_loss=True)
            await until(lambda: old.doubts)
            assert not old.opens()
            assert "the record continued elsewhere" in render(old.table.bus.trouble)
            assert "rounds 2 to 2 of this record do not count" in render(old.table.bus.trouble)
            await new.start()
            await until(lambda: new.table.bus.trouble is None)
            assert new.opens()
            await new.table.caught_up()
            for _ in range(10):
                answer = await ask(floor, "/api/v1/state")
                assert answer.body["epoch"] == new.table.epoch
            assert newest_head(await heads_of(server)).epoch == new.table.epoch
            await old.table.caught_up()
            ours = old.table.epoch, old.table.table.state.seq
        async with server.client("admin") as admin:
            events = [(one.epoch, one.seq) for one in await stored(admin, "EVENTS", MANAGER)]
        assert [seq for epoch, seq in events if epoch == ours[0]] == [*range(1, ours[1] + 1)]

    on_loop(steps)


def test_a_stopped_pc_never_starts_beside_a_later_epoch(server, tmp_path):
    """The old PC stops after the other one took the table over: its next start is refused."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new):
            await begin(old, new, tmp_path / "parts", accept_loss=True)
            await until(lambda: old.doubts)
            await old.stop()
            with pytest.raises(
                WitnessRefused, match=r"the record continued elsewhere: .*; rounds 2 to 2 of this record do not"
            ):
                await admit(server.section(), "c", "t1", old.path, recover_state(old.path))

    on_loop(steps)


async def shipped_and_cut_off(pc: PC, parts: Path) -> None:
    """Start a PC on the bus, ship its record and cut its connection."""
    await pc.start()
    await pc.is_told()
    await pc.ship(parts)
    pc.wire.cut()
    await until(lambda: pc.table.bus.trouble is not None)


def test_a_refused_start_publishes_what_was_dealt_before(server, tmp_path):
    """The old PC deals while its line is cut and stops before the line is back. Its next start is refused."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new):
            await shipped_and_cut_off(old, tmp_path / "parts")
            assert old.opens()
            await old.stop()
            await new.take(tmp_path / "parts")
            old.wire.join()
            with pytest.raises(WitnessRefused, match="rounds 1 to 1 of this record do not count"):
                await check_with_bus(old.settings, tmp_path / "c", old.path, recover_state(old.path))
            state = recover_state(old.path)
            events = await events_on_bus(server, state.identity.epoch)
            assert [*events] == [*range(1, state.seq + 1)]

    on_loop(steps)


async def events_on_bus(server: BusServer, epoch: str) -> dict[int, dict[str, object]]:
    """Return an epoch's events on the bus by sequence number: the first of each, as platforms read them."""
    async with server.client("admin") as admin:
        found = await stored(admin, "EVENTS", "tablectl.main.t1.event.server")
    events: dict[int, dict[str, object]] = {}
    for one in found:
        if one.epoch == epoch:
            events.setdefault(one.seq, one.body)
    return events


def test_rounds_dealt_while_cut_off_are_listed_and_published(server, tmp_path):
    async def steps() -> list[tuple[str, int, str]]:
        async with run_two_pcs(server, tmp_path) as (old, new):
            await shipped_and_cut_off(old, tmp_path / "parts")
            assert old.opens()
            assert old.opens()
            await new.take(tmp_path / "parts")
            await new.start()
            await until(lambda: new.table.bus.trouble is None)
            assert new.opens()
            await new.table.caught_up()
            old.wire.join()
            await until(lambda: old.doubts)
            assert not old.opens()
            assert "rounds 1 to 2 of this record do not count" in render(old.table.bus.trouble)
            await old.table.caught_up()
            await new.table.caught_up()
            assert new.opens()
            epoch, seq = old.table.epoch, old.table.table.state.seq
            assert {one.epoch for one in await heads_of(server) if one.seq > 1 and one.epoch == epoch} == set()
        async with server.client("admin") as admin:
            messages = await stored(admin, "EVENTS", "tablectl.main.t1.event.server")
        assert [one.seq for one in messages if one.epoch == epoch] == [*range(1, seq + 1)]
        return [one.body["kind"] for one in messages if one.epoch == epoch]

    assert on_loop(steps).count("settled") == 2


# ── a takeover without the bus ───────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("lost", [False, True])
def test_an_unasked_takeover_is_compared_before_its_first_round(server, tmp_path, lost):
    """After a takeover without the bus no round opens until the bus agrees or the loss is accepted."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new):
            await old.start()
            await until(lambda: old.table.bus.trouble is None)
            old.table.play()
            await old.table.caught_up()
            if lost:
                await old.ship(tmp_path / "parts")
                old.table.play()
                await old.table.caught_up()
            await old.stop()
            if not lost:
                await old.ship(tmp_path / "parts")
            new.wire.cut()
            result = await new.take(tmp_path / "parts")
            first = result.previous_end.stands + 1
            assert result.after.doubts == {"witness": first}
            assert "the bus could not be asked" in recorded(new.path, first)
            await new.start()
            assert not new.opens()
            new.wire.join()
            if not lost:
                await until(lambda: not new.doubts)
                assert new.opens()
                return
            await until(lambda: "are missing, which the bus remembers" in render(new.table.bus.trouble or ""))
            assert not new.opens()
            await new.stop()
            accept = ["journal", "accept-loss", str(new.path), "--witness", str(file), "--by", "A", "--because", "x"]
            await asyncio.to_thread(run_command, accept, 0)
            await new.start()
            assert new.opens()

    file = config(server, tmp_path)
    on_loop(steps)


def recorded(path: Path, seq: int) -> str:
    """Return the content of one record as JSON; it contains the reason."""
    return msgspec.json.encode(next(read(path, seq - 1)).what).decode()


def test_a_head_stored_while_another_is_published_is_compared(server, tmp_path, monkeypatch):
    """A second PC begins a later epoch while this PC publishes its first head: this PC opens no round."""
    monkeypatch.setattr(comparison, "RETELL", 10_000.0)

    async def both(client: Client, place: TableNames, seals: Seals, mark: Mark, at: int) -> None:
        await publish_head(client, place, seals, mark, at)
        await publish(server, Mark("later", mark.seq + 5, "0c" * 32, "t1", {**mark.past, mark.epoch: mark.seq}))

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new):
            await old.run()
            await old.ends(tmp_path / "parts")
            new.wire.cut()
            await new.take(tmp_path / "parts")
            new.wire.join()
            monkeypatch.setattr(comparison, "publish_head", both)
            await new.start()
            await until(lambda: new.doubts.get("witness", 0) == new.table.table.state.losses[0].stands + 2)
            assert not new.opens()

    on_loop(steps)


async def older_copy_that_deals(pc: PC) -> int:
    """Deal two rounds, put back the copy made before the second, and deal another round without the bus.

    Returns the sequence number of the copy's last record.
    """
    await pc.run()
    await pc.deals()
    await pc.stop()
    copy, stands = copied(pc.path), recover_state(pc.path).seq
    await pc.run()
    await pc.deals()
    await pc.stop()
    put_back(copy, pc.path)
    pc.wire.cut()
    await pc.run()
    assert pc.opens()
    return stands


def test_an_older_copy_that_dealt_is_accepted_without_its_rounds(server, tmp_path):
    """Accepting the loss moves rounds that an older copy dealt without the bus to another file.

    They do not count, though the copy has the epoch of the true record.
    """

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (pc, _):
            stands = await older_copy_that_deals(pc)
            epoch = pc.table.epoch
            told_before = await events_on_bus(server, epoch)
            assert pc.table.table.state.unheard == stands + 1
            pc.wire.join()
            await until(lambda: pc.doubts)
            says = f"from record {stands + 1} on these records are an older copy's: the bus remembers other records"
            assert render(pc.table.bus.trouble).endswith(f"{says}; rounds 2 to 2 of this record do not count")
            assert not pc.opens()
            await pc.stop()
            with pytest.raises(WitnessRefused, match=says):
                await pc.run()
            end = recover_state(pc.path).seq
            output = await pc.accept_loss()
            aside = pc.path.with_name(f"t.aside-{stands + 1}.journal")
            assert f"{aside}: keeps records {stands + 1} to {end}, rounds 2 to 2; they do not count" in output
            assert verify(aside).head.seq == end
            state = recover_state(pc.path)
            assert (state.seq, state.losses[-1].stands, state.unheard) == (stands + 1, stands, 0)
            await pc.run()
            assert pc.opens()
            await pc.table.caught_up()
            assert await events_on_bus(server, epoch) == told_before
            new = await events_on_bus(server, pc.table.epoch)
            assert [*new] == [*range(stands + 1, pc.table.table.state.seq + 1)]
            assert new[stands + 1]["kind"] == "loss_accepted"

    on_loop(steps)


def test_a_takeover_leaves_out_what_an_older_copy_dealt(server, tmp_path):
    """The other PC takes over only the records that the bus agrees with."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (pc, other):
            stands = await older_copy_that_deals(pc)
            await pc.stop()
            await pc.ship(tmp_path / "parts")
            result = await other.take(tmp_path / "parts", accept_loss=True)
            assert (result.previous_end.stands, result.after.unheard) == (stands, 0)
            await other.run()
            await other.deals()
            assert verify(other.path).finding is None

    on_loop(steps)


def test_a_start_without_the_bus_is_recorded_until_it_agrees(server, tmp_path):
    """Three starts without the bus make one record; when the bus agrees, one more record ends it."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (pc, _):
            await pc.run()
            await pc.deals()
            await pc.stop()
            seq = recover_state(pc.path).seq
            pc.wire.cut()
            for _ in range(2):  # only the first of these starts is recorded
                await pc.run()
                assert pc.opens()
                assert pc.table.table.state.unheard == seq + 1
                await pc.stop()
            await pc.run()
            pc.wire.join()
            await until(lambda: not pc.table.table.state.unheard)
            await pc.stop()
            kinds = [record.kind for record in read(pc.path)]
            assert (kinds.count("witness_unheard"), kinds.count("witness_heard")) == (1, 1)

    on_loop(steps)


# ── the floor ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_floor_names_the_second_pc_and_keeps_the_status(server, tmp_path):
    """A late status of the old epoch does not replace the status of the valid one."""

    async def steps() -> None:
        async with run_two_pcs(server, tmp_path) as (old, new), run_bare_floor(server) as floor:
            await begin(old, new, tmp_path / "parts", accept_loss=True)
            last = status(old.table.table, ())
            await new.start()
            await until(
                lambda: (current := floor.hall.status_of("t1")) is not None and current.epoch == new.table.epoch
            )
            await until(lambda: "a second PC of this table sends" in shown(floor))
            assert f"epoch {new.table.epoch[:8]} is valid" in shown(floor)
            async with server.client("admin") as admin:
                await publish_statuses(server, admin, msgspec.structs.replace(last, seq=10**6))
            await new.stop()
            await until(lambda: not floor.hall.is_heard("t1"))
            assert floor.hall.status_of("t1").epoch != old.table.epoch
            await old.stop()

    def shown(floor: BareFloor) -> str:
        return str(floor.strip())

    on_loop(steps)
