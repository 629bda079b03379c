"""Roster that the admin signs: a floor trusts the keys in it, and follows a new one without a restart."""

import asyncio
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack

import msgspec
import pytest

from controller.bus import names as n
from controller.bus.floor_beats import beat as calls
from controller.bus.floor_beats import subject_of as calling_at
from controller.bus.keys import credentials_in, new_seed
from controller.bus.names import TableNames, roster_of
from controller.bus.roster import publish
from controller.bus.seals import Seals
from controller.bus.stream_reader import read
from controller.bus.witness import head_message
from controller.core.coded_message import coded
from controller.core.mark import Mark
from controller.text.coded import render
from controller.text.pc_texts import PC
from tests.bus.rig import BusServer
from tests.floor.bare_floor import FloorViewer, publish_statuses
from tests.floor.service import MANAGER, SUPERVISOR, OneFloor, a_table, studio
from tests.floor.statuses import calling_status, status
from tests.patience import PATIENCE, on_loop, until
from tests.processes import TABLECTL
from tests.web.net import BrowserPerson

ROSTER, STREAM = roster_of("main"), "KV_tablectl_keys"
T1, ASSIGNMENTS = TableNames("main", "t1"), f"$KV.{n.CLAIMS}.main.assignments"
ANNA, ION = FloorViewer("7", "Anna Pop"), FloorViewer("8", "Ion Dan")
WHO = {"tables": ("t1", "t2"), "floors": ("main", "second")}

RELOADED = "Reloaded server configuration"  # line in the server's log

UNREAD = coded("bus_trouble", reason=coded("no_roster"))


@pytest.fixture
def own(tmp_path) -> Iterator[BusServer]:
    """Run a bus whose keys this test may change."""
    with BusServer(tmp_path / "bus", WHO) as one:
        yield one


async def init(bus: BusServer, *words: str) -> None:
    """Run `tablectl bus init` and reload the server; wait for the reload's end, as it closes some clients."""
    command = [TABLECTL, "bus", "init", bus.studio.folder, "--server", bus.url, "--events-gb", "0.6", *words]
    await asyncio.to_thread(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
    assert bus.process is not None
    reloads = bus.log.read_text().count(RELOADED)
    bus.process.send_signal(signal.SIGHUP)
    await until(lambda: bus.log.read_text().count(RELOADED) > reloads)


async def take_out(bus: BusServer, kind: str, name: str) -> None:
    """Delete the keys of a table or floor and publish a roster without it; reload the server."""
    for suffix in (".pub", ".nk"):
        (bus.studio.folder / kind / name).with_suffix(suffix).unlink()
    await init(bus)


async def leave_out(bus: BusServer, kind: str, name: str) -> None:
    """Publish a roster without this key; the servers are not reloaded and still accept the key."""
    (bus.studio.folder / kind / f"{name}.pub").unlink()
    await renew(bus)


async def forget(bus: BusServer) -> None:
    """Delete every roster from the bus, as if none had been stored."""
    async with bus.client("admin") as admin:
        for one in await read(admin, STREAM, ROSTER, 0, 9):
            await admin.jetstream().delete_msg(STREAM, one.seq)


async def renew(bus: BusServer) -> None:
    """Publish a roster of the keys that the studio has now."""
    async with bus.client("admin") as admin:
        await publish(admin, bus.studio)


async def beat(bus: BusServer, seals: Seals, epoch: str = "") -> None:
    """Publish a heartbeat as table t1, at record 1 of `epoch`; without an epoch, an empty heartbeat."""
    subject, body = T1.subject("beat"), msgspec.json.encode({"epoch": epoch, "seq": 1} if epoch else {})
    async with bus.client("tables", "t1") as table:
        await table.publish(subject, body, headers=seals.seal(subject, body))
        await table.flush(timeout=PATIENCE)


async def put_heads(bus: BusServer, ended: str, later: str) -> None:
    """Publish heads of two epochs of table t1, signed by the table's present key."""
    seals = bus.seals("tables", "t1")
    async with bus.client("admin") as admin:
        for mark in (Mark(ended, 5, "0c" * 32, "t1"), Mark(later, 6, "0c" * 32, "t1", {ended: 5})):
            subject, body = head_message(T1, mark, 1)
            await admin.jetstream().publish(subject, body, headers=seals.seal(subject, body))


async def say_that_it_calls(bus: BusServer, floor: str) -> None:
    """Publish a heartbeat in which a floor says that it calls."""
    seed, subject = credentials_in(bus.seed("floors", floor)).signer, calling_at("main", floor)
    async with bus.client("floors", floor) as client:
        body, headers = calls(seed, subject, calls=True, now=time.time())
        await client.publish(subject, body, headers=headers)
        await client.flush(timeout=PATIENCE)


def keys_of(floor: OneFloor) -> set[str]:
    """Return the tables that this floor trusts."""
    return set(floor.floor.components.seals.tables)


async def health(floor: OneFloor) -> tuple[int, dict[str, object]]:
    answer = await BrowserPerson(floor).ask("GET", "/healthz")
    return answer.status, answer.body


def test_a_new_table_is_seen_after_init_and_reload_alone(own, tmp_path):
    async def steps():
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(a_table(tmp_path, own, "t1"))
            floor = await stack.enter_async_context(OneFloor(tmp_path, own))
            await floor.knows("t1")
            await init(own, "--table", "t9")
            await stack.enter_async_context(a_table(tmp_path, own, "t9"))
            await floor.knows("t1", "t9")
            assert floor.floor.troubles == []

    on_loop(steps)


def test_a_table_taken_out_stops_counting_without_a_restart(own, tmp_path):
    """The floor ignores a removed table even while the servers still accept its key."""

    async def steps():
        async with studio(tmp_path, own, tables=("t1", "t2")) as (floor, *_), own.client("admin") as admin:
            stolen = own.seals("tables", "t2")
            (own.studio.folder / "tables" / "t2.pub").unlink()
            await renew(own)
            await until(lambda: floor.hall.status_of("t2") is None)
            subject = f"$KV.{n.STATUS}.main.t2"
            await admin.jetstream().publish(subject, b"{}", headers=stolen.seal(subject, b"{}"))
            await until(lambda: any(stolen.public in line for line in map(render, floor.floor.troubles)))
            assert (floor.hall.status_of("t2"), floor.hall.is_heard("t1")) == (None, True)

    on_loop(steps)


def test_the_marker_of_a_table_taken_out_removes_no_strip(own, tmp_path):
    """A removal marker signed with a table's former key removes neither its strip nor its open call."""

    async def steps():
        async with OneFloor(tmp_path, own) as one, own.client("admin") as admin, own.client("tables", "t1") as thief:
            (own.studio.folder / "tables" / "t1.nk").unlink()
            await leave_out(own, "tables", "t1")
            own.studio.make({"tables": ("t1",)})
            await renew(own)
            await publish_statuses(own, admin, calling_status())
            await until(lambda: one.hall.status_of("t1"))
            await thief.jetstream().publish(T1.status, b"", headers={n.REMOVAL: "DEL"})
            await until(lambda: T1.status in one.floor.components.seals.junk)
            assert one.hall.status_of("t1").fault is not None

    on_loop(steps)


def test_the_marker_of_a_floor_taken_out_removes_nothing(own, tmp_path):
    """A removal marker of a removed floor does not delete the assignments."""

    async def steps():
        async with OneFloor(tmp_path, own) as one, own.client("admin") as admin:
            await publish_statuses(own, admin, calling_status())
            await until(lambda: one.hall.status_of("t1"))
            assert (await one.floor.components.shared.assign("t1", "8", 6)).done
            await until(lambda: one.hall.owner("t1") == "8")
            await leave_out(own, "floors", "second")
            await until(lambda: set(one.floor.components.seals.floors) == {"main"})
            async with own.client("floors", "second") as second:
                await second.jetstream().publish(ASSIGNMENTS, b"", headers={n.REMOVAL: "DEL"})
            await until(lambda: ASSIGNMENTS in one.floor.components.seals.junk)
            assert (one.hall.owner("t1"), await one.floor.components.shared.owner("t1")) == ("8", "8")

    on_loop(steps)


def test_messages_of_a_former_key_do_not_block_the_new(own, tmp_path):
    """The former key's status named the last possible record, and its heartbeat the last possible time."""

    async def steps():
        async with OneFloor(tmp_path, own) as floor, own.client("admin") as admin:
            await publish_statuses(own, admin, status(seq=10**9))
            await until(lambda: floor.hall.status_of("t1"))
            former = own.seals("tables", "t1")
            former.sign_after(10**14)
            await beat(own, former)
            await until(lambda: floor.floor._live._ahead.get("t1", 0) > 10**14)
            await take_out(own, "tables", "t1")
            await init(own, "--table", "t1")
            await until(lambda: floor.hall.status_of("t1") is None)
            await publish_statuses(own, admin, status(seq=3))
            await until(lambda: floor.hall.status_of("t1"))
            assert floor.hall.status_of("t1").seq == 3
            async with a_table(tmp_path, own, "t1"):
                await until(lambda: 0 < floor.floor._live._beaten.get("t1", 0) < 10**14)

    on_loop(steps)


def test_only_heads_of_the_present_key_name_the_epoch(own, tmp_path):
    """Heads signed by a former key do not show a second PC.

    Heads signed by the new key do, even if they arrived before the roster with that key.
    """

    async def steps():
        async with OneFloor(tmp_path, own) as floor:
            live, doubts = floor.floor._live, lambda: " ".join(map(render, floor.hall.doubts("t1")))
            await put_heads(own, "former-1", "former-2")
            await until(lambda: live._epochs.is_current("t1", "former-1") is False)
            await beat(own, own.seals("tables", "t1"), "former-1")
            await until(lambda: "epoch former-2 is valid" in doubts())
            for suffix in (".pub", ".nk"):
                (own.studio.folder / "tables" / "t1").with_suffix(suffix).unlink()
            own.studio.make({"tables": ("t1",)})
            await put_heads(own, "newest-1", "newest-2")
            await until(lambda: T1.head(1) in floor.floor.components.seals.junk)
            await init(own)
            await until(lambda: live._epochs.is_current("t1", "newest-1") is False)
            assert "second PC" not in doubts()
            new = own.seals("tables", "t1")
            await beat(own, new, "former-1")
            await until(lambda: "t1" in live._beaten)
            assert "second PC" not in doubts()
            await beat(own, new, "newest-1")
            await until(lambda: "epoch newest-2 is valid" in doubts())

    on_loop(steps)


def test_an_older_roster_is_not_taken_again(own, tmp_path):
    """An old roster published again counts neither at a running floor nor at one that starts later."""

    async def steps():
        async with OneFloor(tmp_path, own) as floor, own.client("admin") as admin:
            await until(lambda: keys_of(floor) == {"t1", "t2"})
            (old,) = await read(admin, STREAM, ROSTER, 0, 9)
            await take_out(own, "tables", "t2")
            await until(lambda: keys_of(floor) == {"t1"})
            headers = {name: old.headers[name] for name in (n.AT, n.KEY, n.SIGNATURE)}
            for _ in range(3):
                await admin.jetstream().publish(ROSTER, old.body, headers=headers)
            async with OneFloor(tmp_path, own, "second") as late:
                await until(lambda: keys_of(late))
                assert keys_of(late) == {"t1"}
            changes = []
            floor.floor._trust._changed = lambda tables: changes.append((set(tables), keys_of(floor)))
            await init(own, "--table", "t3")
            await until(lambda: "t3" in keys_of(floor))
            assert changes == [(set(), {"t1", "t3"})]

    on_loop(steps)


def test_a_roster_of_another_key_is_skipped_and_named(own, tmp_path):
    async def steps():
        async with studio(tmp_path, own) as (floor, _), own.client("admin") as admin:
            stranger = Seals(new_seed(), {}, {})
            for seals in (stranger, own.seals("floors", "main"), stranger):
                await admin.jetstream().publish(ROSTER, b"{}", headers=seals.seal(ROSTER, b"{}"))
            await until(lambda: floor.floor.components.seals.junk.get(ROSTER, (0,))[0] == 3)
            assert keys_of(floor) == {"t1", "t2"}
            (line,) = map(render, floor.floor.troubles)
            assert line.startswith(f"bus: 3 messages of {ROSTER} are skipped")
            assert stranger.public in line
            assert floor.hall.is_heard("t1")

    on_loop(steps)


def test_a_floor_without_any_roster_says_so_until_one_comes(own, tmp_path):
    async def steps():
        await forget(own)
        async with a_table(tmp_path, own), OneFloor(tmp_path, own) as floor:
            await until(lambda: UNREAD in floor.floor.troubles)
            await beat(own, own.seals("tables", "t1"))
            await floor.floor.components.line.client.flush(timeout=PATIENCE)
            assert floor.floor.troubles == [UNREAD]
            await until(lambda: PC["no_roster"] in (floor.hall.picture(ANNA, "en").head.line or ""))
            code, body = await health(floor)
            assert (code, PC["no_roster"] in body["says"], body["tables"]) == (503, True, 0)
            assert not (await floor.floor.components.shared.assign("t1", "8", 6)).done
            async with own.client("admin") as admin:
                assert (await admin.jetstream().stream_info("KV_tablectl_claims")).state.messages == 0
            await renew(own)
            await floor.knows("t1")
            await until(lambda: floor.floor.troubles == [])
            assert (await floor.floor.components.shared.assign("t1", "8", 6)).done

    on_loop(steps)


def test_a_floor_started_without_its_bus_takes_the_roster_later(own, tmp_path):
    async def steps():
        async with a_table(tmp_path, own):
            async with OneFloor(tmp_path, own) as floor:
                await floor.knows("t1")
            own.kill()
            async with OneFloor(tmp_path, own) as floor:
                await until(lambda: any(line.startswith("bus: ") for line in map(render, floor.floor.troubles)))
                assert UNREAD not in floor.floor.troubles
                own.start()
                await floor.knows("t1")

    on_loop(steps)


def test_what_a_floor_taken_out_has_shared_does_not_count(own, tmp_path):
    """Documents signed by the remaining floor count again; those of the removed floor do not."""

    async def steps():
        async with (
            OneFloor(tmp_path, own, "main") as one,
            OneFloor(tmp_path, own, "second") as two,
            own.client("admin") as admin,
        ):
            await publish_statuses(own, admin, calling_status())
            await until(lambda: one.hall.status_of("t1") and two.hall.status_of("t1"))
            assert (await one.floor.components.shared.assign("t1", "7", 6)).done
            assert (await two.floor.components.shared.assign("t1", "8", 6)).done
            assert (await two.floor.components.shared.claim("t1", 11, ION)).done
            await until(lambda: one.hall.owner("t1") == "8" and claim(one) == "Ion Dan")
            others = one.floor._calling._others
            await until(lambda: "second" in others)
            (own.studio.folder / "floors" / "second.pub").unlink()
            await renew(own)
            await until(lambda: one.hall.owner("t1") == "7" and claim(one) is None)
            assert await one.floor.components.shared.owner("t1") == "7"
            assert (await one.floor.components.shared.claim("t1", 11, ANNA)).done
            await until(lambda: any("another key for floor" in line for line in map(render, two.floor.troubles)))
            others.clear()
            await say_that_it_calls(own, "second")
            await one.floor.components.line.client.flush(timeout=PATIENCE)
            assert "second" not in others

    def claim(floor: OneFloor) -> str | None:
        (strip,) = floor.hall.picture(ANNA, "en").strips
        return strip.call and strip.call.claim and strip.call.claim.name

    on_loop(steps)


def test_a_removed_table_counts_in_no_supervisors_limit(own, tmp_path):
    """A removed table does not count in a supervisor's limit of tables."""

    async def steps():
        async with studio(tmp_path, own, "main", tables=("t1", "t2"), at_most=1) as (floor, *_):
            maria = await floor.signed_in(MANAGER)
            assert (await maria.act("assign", table="t1", person=SUPERVISOR)).body["done"]
            await leave_out(own, "tables", "t1")
            await until(lambda: floor.hall.status_of("t1") is None)
            people = (await maria.now())["head"]["people"]
            assert [one["tables"] for one in people if one["id"] == SUPERVISOR] == [[]]
            assert (await maria.act("assign", table="t2", person=SUPERVISOR)).body["done"]

    on_loop(steps)
