"""Floor at work: what its page shows, and what happens while the bus or the disk fails."""

import asyncio

import pytest
import structlog
from structlog.testing import capture_logs

from controller.floor import process
from controller.floor.process import Floor
from controller.floor.site.components import FloorComponents
from controller.floor.storage import notes
from controller.floor.storage.failures import FloorFailed
from controller.floor.storage.floor_record import verify
from controller.text.coded import render
from controller.web.net.files import Pages
from tests.floor.service import MANAGER, SUPERVISOR, FloorVisitor, OneFloor, a_table, paused, studio
from tests.patience import on_loop, until


def test_the_page_gets_a_full_picture_then_changes(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, tables=("t1", "t2")) as (floor, table, _):
            maria = await floor.signed_in(MANAGER)
            async with maria.stream("/api/floor/stream?lang=ro") as stream:
                kind, message = await stream.next()
                assert (kind, message["lang"], message["floor"]["head"]["floor"]) == ("floor", "ro", "main")
                assert (message["version"], message["zone"]) == (Pages().version, "UTC")
                assert message["floor"]["words"]["claim"] == "Vin eu"
                assert [strip["table"] for strip in message["floor"]["strips"]] == ["t1", "t2"]
                fault = paused(table)
                calls: list[dict] = []
                while not calls:
                    _, message = await stream.next("change")
                    calls = [strip for strip in message["change"]["strips"] if strip["call"]]
                assert (calls[0]["bay"], calls[0]["call"]["seq"]) == ("calls", fault)
                assert (await stream.next("beat"))[1].keys() == {"now"}

    on_loop(steps)


@pytest.mark.proof
def test_a_floor_starts_without_a_bus_and_says_so(bus, tmp_path):
    async def steps():
        bus.end()
        async with OneFloor(tmp_path, bus) as floor:
            maria = await floor.signed_in(MANAGER)
            await until(lambda: render(floor.floor.components.line.trouble) != "no server has answered yet")
            health = await FloorVisitor(floor).ask("GET", "/healthz")
            assert (health.status, health.body["ok"]) == (503, False)
            assert any(line.startswith("bus: ") for line in health.body["troubles"])
            assert (await maria.now())["head"]["line"]
            claim = await maria.act("claim", table="t1", fault=1)
            assert not claim.body["done"]
            bus.start()
            async with a_table(tmp_path, bus):
                await floor.knows("t1")
                await until(lambda: floor.floor.components.line.trouble is None)
                assert (await FloorVisitor(floor).ask("GET", "/healthz")).status == 200

    on_loop(steps)


@pytest.mark.proof
def test_a_bus_outage_is_one_line_and_no_alarm(bus, tmp_path):
    """During an outage of the bus the page shows one line; tables play on, and the floor catches up later."""

    async def steps():
        async with studio(tmp_path, bus, tables=("t1", "t2")) as (floor, table, _):
            maria = await floor.signed_in(MANAGER)
            bus.kill()
            await until(lambda: floor.floor.components.line.trouble is not None)
            table.play(2)
            while not (picture := await maria.now())["head"]["line"]:
                pass
            assert [strip["alarms"] for strip in picture["strips"]] == [[], []]
            command = await maria.command("t1", {"command": "press", "id": "p", "key": "manager"})
            assert (command.status, command.body["detail"]) == (504, "the bus is not reached: walk to table t1")
            bus.start()
            await floor.knows("t1", "t2")
            await until(lambda: floor.floor.components.store.last_seq("t1", table.epoch) == table.table.state.seq)
            assert floor.recorded("raised") == []

    on_loop(steps)


def test_a_second_floor_on_one_store_is_refused(bus, tmp_path):
    async def steps():
        async with OneFloor(tmp_path, bus):
            with pytest.raises(FloorFailed, match="another floor writes"):
                OneFloor(tmp_path, bus)

    on_loop(steps)


@pytest.mark.proof
def test_a_restarted_floor_knows_its_events_and_continues_its_record(bus, tmp_path):
    async def steps():
        async with a_table(tmp_path, bus) as table:
            async with OneFloor(tmp_path, bus) as floor:
                await floor.knows("t1")
                table.play(1)
                await until(lambda: floor.floor.components.store.last_seq("t1", table.epoch) == table.table.state.seq)
            table.play(1)
            async with OneFloor(tmp_path, bus) as floor:
                await until(lambda: floor.floor.components.store.last_seq("t1", table.epoch) == table.table.state.seq)
                kinds = [one["kind"] for one in floor.recorded("started", "stopped")]
                assert kinds == ["started", "stopped", "started"]

    on_loop(steps)


@pytest.mark.proof
def test_a_floor_with_a_full_disk_writes_everything_later(bus, tmp_path, monkeypatch):
    monkeypatch.setattr(notes, "PATIENCE", 0.1)

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, components = await floor.signed_in(MANAGER), floor.floor.components
            room(components, 1)
            while components.notes.trouble is None or components.feed.trouble is None:
                table.play(1)
                answer = await maria.act("assign", table="t1", person=SUPERVISOR)
                assert answer.body["done"]
                answer = await maria.act("assign", table="t1", person=None)
                assert answer.body["done"]
            health = await FloorVisitor(floor).ask("GET", "/healthz")
            assert health.status == 503
            assert sum("full" in line for line in health.body["troubles"]) == 2
            fault = paused(table)
            await until(lambda: floor.hall.status_of("t1").fault is not None)
            assert (await maria.act("claim", table="t1", fault=fault)).body["done"]
            rule = {"command": "rule", "id": "r", "fault": fault, "ruling": "burn", "because": "x"}
            assert (await maria.command("t1", rule)).body["verdicts"][0]["verdict"] == "done"
            assert floor.recorded("claimed") == []
            room(components, 10**6)
            await until(
                lambda: (
                    not components.notes.waiting_count
                    and components.store.last_seq("t1", table.epoch) == table.table.state.seq
                )
            )
            kinds = [one["kind"] for one in floor.recorded("claimed", "commanded")]
            assert kinds == ["claimed", "commanded", "commanded"]
            given, removals = len(floor.recorded("assigned")), len(floor.recorded("unassigned"))
            assert given == removals
            assert verify(components.record.path).wrong is None
            assert (await FloorVisitor(floor).ask("GET", "/healthz")).status == 200

    on_loop(steps)


def room(components: FloorComponents, pages: int) -> None:
    """Limit the floor's record and store to this many pages, or to their present size if larger."""
    for db in (components.record._db, components.store._file.db):
        db.execute(f"PRAGMA max_page_count = {pages}").fetchone()


def test_a_failed_task_is_logged_and_started_again(monkeypatch):
    monkeypatch.setattr(process, "AGAIN", 0)
    floor, bug = Floor.__new__(Floor), ValueError("a bug")
    floor._log = structlog.get_logger().bind(floor="main")

    async def count_rounds() -> None:
        if not logs:
            raise bug

    with capture_logs() as logs:
        asyncio.run(floor._keep_running(count_rounds))
    (line,) = logs
    assert (line["event"], line["log_level"], line["floor"]) == ("floor_failed", "error", "main")
    assert line["what"].endswith("count_rounds")
    assert (line["reason"], line["exc_info"]) == ("a bug", bug)
