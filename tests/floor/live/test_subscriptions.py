"""Statuses and heartbeats of all tables, as a floor on a real bus receives them."""

import asyncio
import signal

import msgspec
import pytest
from nats.aio.client import Client
from structlog.testing import capture_logs

from controller.bus import bus_client, bus_tasks
from controller.bus.names import TableNames
from controller.bus.streams import Retention, make
from controller.core import events as e
from controller.core.clock import SECOND
from controller.floor.live import buckets
from tests.bus.rig import StudioKeys
from tests.bus.tables import run_table
from tests.clocks import TableClock
from tests.floor.bare_floor import BareFloor, FloorViewer, publish_raw, publish_statuses, run_bare_floor
from tests.floor.statuses import calling_status, status
from tests.patience import PATIENCE, on_loop, until


def test_a_floor_shows_a_call_in_the_tables_words(bus, tmp_path):
    async def steps():
        async with run_table(tmp_path / "t.journal", bus.section()) as table, run_bare_floor(bus) as floor:
            await until(lambda: (strip := floor.strip()) is not None and strip.bay == "playing")
            table.table.take(e.KeyPressed("manager"))
            await until(lambda: floor.strip().call is not None)
            call, fault = floor.strip().call, table.table.state.fault
            assert (call.seq, call.code, call.level) == (fault.seq, "dealer_call", 1)
            assert (floor.strip().bay, call.head) == ("calls", "The dealer calls you")
            assert floor.strip(language="ro").call.head == "Dealerul vă cheamă"
            table.table.take(e.Rule("resume", "manager", "", fault.seq))
            await until(lambda: floor.strip().call is None)

    on_loop(steps)


@pytest.mark.proof
def test_a_stopped_table_is_unheard_and_raises_an_alarm(bus, tmp_path):
    async def steps():
        async with run_bare_floor(bus) as floor:
            async with run_table(tmp_path / "t.journal", bus.section()):
                await until(lambda: floor.strip() is not None and floor.hall.is_heard("t1"))
            await until(lambda: floor.strip().heard is not None)
            assert (floor.strip().bay, [one.kind for one in floor.strip().alarms]) == ("watch", ["unheard"])
            await until(lambda: ("raised", "t1:unheard") in floor.told)
            async with run_table(tmp_path / "t.journal", bus.section()):
                await until(lambda: floor.strip().heard is None)
                await until(lambda: ("cleared", "t1:unheard") in floor.told)
                assert [one.standing for one in floor.strip().alarms] == [False]
                assert (await floor.shared.acknowledge("t1:unheard", FloorViewer())).done
                await until(lambda: floor.strip().alarms == ())
        assert floor.told == [("raised", "t1:unheard"), ("cleared", "t1:unheard")]

    on_loop(steps)


# ── valid and invalid statuses ───────────────────────────────────────────────────────────────────────────────────


NO_TIMES = "yesterday", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"


def test_a_late_floor_knows_all_tables_and_ignores_invalid_statuses(bus):
    """A floor that starts after 30 tables have published shows each, and skips malformed statuses."""

    async def steps():
        async with bus.client("admin") as admin:
            await publish_statuses(bus, admin, *(status(f"t{number}") for number in range(30)))
            stream = admin.jetstream()
            for table, bad in (
                ("t30", b"\xff"),
                ("t31", b"{}"),
                ("t32", b""),
                ("t33", msgspec.json.encode(status("t1"))),
            ):
                await publish_raw(bus, admin, table, bad)
            await publish_statuses(bus, admin, *(status(f"t{number}", at=at) for number, at in enumerate(NO_TIMES, 34)))
            called = calling_status("t41")
            await publish_statuses(
                bus, admin, msgspec.structs.replace(called, fault=msgspec.structs.replace(called.fault, calls=10**9))
            )
            await publish_statuses(bus, admin, calling_status("t29"))
            async with run_bare_floor(bus) as floor:
                await until(lambda: (strip := floor.strip("t29")) is not None and strip.call is not None)
                assert sorted(floor.hall.tables) == sorted(f"t{number}" for number in range(30))
                await publish_raw(bus, admin, "t28", b"nonsense")
                await publish_statuses(bus, admin, status("t27", life="complete"))
                await until(lambda: floor.strip("t27").life == "complete")
                assert floor.strip("t28") is not None
                headers = bus.seals("tables", "t1").seal(TableNames("main", "t26").status, b"", "PURGE")
                await stream.publish(
                    TableNames("main", "t26").status, b"", headers={**headers, "KV-Operation": "PURGE"}
                )
                await until(lambda: floor.strip("t26") is None)

    with capture_logs() as logs:
        on_loop(steps)
    tables = {log["table"] for log in logs if log["event"] == "no_status"}
    assert tables == {f"t{number}" for number in (28, *range(30, 37), 41)}


def test_a_status_older_than_the_known_one_is_dropped(bus):
    """Dropped are earlier statuses of the same epoch, and all of an epoch that another has followed."""

    async def steps():
        async with bus.client("admin") as admin, run_bare_floor(bus) as floor:
            for new_status, dropped in (
                (status(seq=20), False),
                (status(seq=19), True),
                (status(epoch="e2", seq=5), False),
                (status(seq=21), True),
                (status(epoch="e2", seq=5, halted="disk full"), False),
                (status(epoch="e3", seq=1), False),
                (status(epoch="e2", seq=6), True),
            ):
                before = floor.hall.status_of("t1")
                await publish_statuses(bus, admin, new_status)
                await come(bus, floor, admin)
                assert floor.hall.status_of("t1") == (before if dropped else new_status)

    on_loop(steps)


async def come(bus: StudioKeys, floor: BareFloor, admin: Client) -> None:
    """Wait until the floor has all published statuses."""
    number = floor.hall.version
    await publish_statuses(bus, admin, status("t9", seq=10_000 + number))
    await until(lambda: (nine := floor.hall.status_of("t9")) is not None and nine.seq == 10_000 + number)


def test_reading_a_bucket_again_removes_only_deleted_tables(bus, monkeypatch):
    monkeypatch.setattr(buckets, "ANEW", 0.0)  # read again always: a slow PC would miss any fixed interval
    once = pytest.MonkeyPatch()

    async def steps():
        async with bus.client("admin") as admin, run_bare_floor(bus) as floor:
            await publish_statuses(bus, admin, *(status(f"t{number}", seq=1) for number in range(100)))
            await until(lambda: len(floor.hall.tables) == 100)
            gone = []
            once.setattr(floor.hall, "remove", gone.append)
            for seq in range(2, 6):
                await publish_statuses(bus, admin, *(status(f"t{number}", seq=seq) for number in range(100)))
            await until(lambda: all(one.seq == 5 for one in floor.hall.tables.values()))
            assert gone == []
            once.undo()
            await admin.jetstream().delete_stream("KV_tablectl_status")
            await make(admin, Retention("main", events_gb=0.6))
            await publish_statuses(bus, admin, status("t1"))
            await until(lambda: set(floor.hall.tables) == {"t1"})

    on_loop(steps)


def test_a_resting_table_returns_after_its_stream_was_remade(bus, tmp_path, monkeypatch):
    """A table at rest publishes its status again, although nothing happens there."""
    monkeypatch.setattr(bus_tasks, "RETELL", 0.05)

    async def steps():
        async with (
            bus.client("admin") as admin,
            run_table(tmp_path / "t.journal", bus.section()),
            run_bare_floor(bus) as floor,
        ):
            await until(lambda: floor.strip() is not None)
            await admin.jetstream().delete_stream("KV_tablectl_status")
            await until(lambda: floor.hall.picture(FloorViewer(), "en").head.line is not None)
            await make(admin, Retention("main", events_gb=0.6))
            await until(lambda: floor.hall.picture(FloorViewer(), "en").head.line is None)
            jetstream = admin.jetstream()

            async def told() -> bool:
                return (await jetstream.stream_info("KV_tablectl_status")).state.last_seq > 0

            async with asyncio.timeout(PATIENCE):
                while not await told():
                    await asyncio.sleep(0.05)
            await until(lambda: floor.strip() is not None)

    on_loop(steps)


# ── failures ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.proof
def test_after_a_server_was_killed_a_floor_catches_up(bus, tmp_path):
    async def steps():
        async with run_table(tmp_path / "t.journal", bus.section()) as table, run_bare_floor(bus) as floor:
            for _ in range(3):
                await until(lambda: floor.hall.is_heard("t1") and floor.strip().call is None)
                await asyncio.to_thread(bus.kill)
                await until(lambda: floor.hall.picture(FloorViewer(), "en").head.line is not None)
                table.table.take(e.KeyPressed("manager"))
                await asyncio.to_thread(bus.start)
                await until(lambda: floor.strip().call is not None)
                table.table.take(e.Rule("resume", "manager", "", table.table.state.fault.seq))
            await until(lambda: floor.strip().call is None)
            assert floor.told == []

    on_loop(steps)


@pytest.mark.proof
def test_a_suspended_server_makes_no_table_silent(bus, tmp_path, monkeypatch):
    """The floor reports its own trouble, no silent table, even before its client notices the server."""
    monkeypatch.setattr(bus_client, "PING", 600)
    clock = TableClock()

    async def steps():
        async with run_table(tmp_path / "t.journal", bus.section()), run_bare_floor(bus, clock=clock) as floor:
            await until(lambda: floor.strip() is not None and floor.hall.is_heard("t1"))
            bus.process.send_signal(signal.SIGSTOP)
            await until(lambda: floor.hall.picture(FloorViewer(), "en").head.line is not None)
            for _ in range(2):  # the server does not answer
                clock.ahead += 60 * SECOND
                await until(lambda: floor.hall._now == clock.now())
                assert floor.strip().heard is None
            bus.process.send_signal(signal.SIGCONT)
            await until(lambda: floor.hall.picture(FloorViewer(), "en").head.line is None)
            await until(lambda: floor.hall.is_heard("t1"))
            assert floor.told == []

    on_loop(steps)
