"""Consoles of tables, opened at the floor: the floor passes requests on to the table.

The table does and records what is asked, with the person and the floor.
"""

import asyncio
import json
from itertools import product

import pytest

from controller.core import events as e
from controller.floor.consoles import table_requests
from tests.bus.rig import BusServer, heard_by_server
from tests.bus.tables import StudioTable, events, stored
from tests.floor.service import AUDITOR, ENGINEER, MANAGER, OTHER, SUPERVISOR, FloorVisitor, a_table, paused, studio
from tests.patience import on_loop, until
from tests.pins import recorded_text
from tests.web.staff import NAMES, PINS

BURN = {"command": "rule", "id": "r1", "ruling": "burn", "because": "seen on camera"}


async def ruled(server: BusServer, table: StudioTable) -> list[dict]:
    """Return the rulings in the table's record."""
    await table.caught_up()
    async with server.client("admin") as admin:
        messages = await stored(admin, "EVENTS")
    return [body for _, body in events(messages, "manager") if body["kind"] == "ruled"]


def test_a_ruling_through_the_floor_records_person_and_floor(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            rule = {**BURN, "fault": fault, "by": OTHER}  # the floor ignores `by` in the body
            foreseen = await maria.ask("POST", "/tables/t1/api/preview?role=manager&lang=ro", rule)
            assert (foreseen.status, foreseen.body["verdict"]) == (200, "leads")
            assert table.table.state.fault is not None
            answer = await maria.command("t1", rule)
            assert [one["verdict"] for one in answer.body["verdicts"]] == ["done"]
            assert table.table.state.fault is None
            (ruling,) = await ruled(bus, table)
            assert (ruling["person"], ruling["by"], ruling["origin"]["via"]) == (MANAGER, NAMES[MANAGER], "floor:main")
            (noted,) = floor.recorded("commanded")
            assert {**noted, "at": ""} == {
                "kind": "commanded", "at": "", "by": MANAGER, "table": "t1", "command": "rule", "fault": fault,
                "ruling": "burn", "because": "seen on camera", "verdict": "done",
            }  # fmt: skip

    on_loop(steps)


@pytest.mark.proof
def test_a_repeated_ruling_counts_once_a_late_one_never(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            answers = [await maria.command("t1", {**BURN, "fault": fault}) for _ in range(2)]
            assert [one.body["verdicts"][0]["verdict"] for one in answers] == ["done", "done"]
            late = await maria.command("t1", {**BURN, "fault": fault, "id": "r2"})
            (verdict,) = late.body["verdicts"]
            assert (verdict["verdict"], verdict["reason"]) == ("refused", "not_paused")
            assert len(await ruled(bus, table)) == 1

    on_loop(steps)


def test_the_floor_refuses_forbidden_acts_before_asking_the_table(bus, tmp_path):
    """Engineer, auditor and a supervisor of other tables may read, but no act of theirs reaches the table."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            fault, seq = paused(table), table.table.state.seq
            for number, (target, body) in product(
                (ENGINEER, AUDITOR, SUPERVISOR),
                (
                    ("commands", [{"command": "ack", "id": "a", "fault": fault}]),
                    ("preview", {**BURN, "fault": fault}),
                    ("rulings", {"ruling": {**BURN, "fault": fault}, "second": {"name": OTHER, "pin": PINS[OTHER]}}),
                ),
            ):
                who = await floor.signed_in(number)
                answer = await who.ask("POST", f"/tables/t1/api/{target}?lang=en", body)
                assert (answer.status, answer.body["reason"]) == (403, "forbidden")
                assert NAMES[number] in answer.body["detail"]
                assert (await who.ask("GET", "/tables/t1/api/rounds?role=manager")).status == 200  # they may read
            assert table.table.state.seq == seq
            assert floor.recorded("commanded") == []

    on_loop(steps)


@pytest.mark.proof
def test_the_table_also_refuses_acts_without_the_right(bus, tmp_path):
    """The table refuses, too, if a floor sends an act without checking the person's role."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            paused(table)
            for number in (ENGINEER, AUDITOR):  # as from a floor that checks no roles
                body = json.dumps([{**BURN, "fault": table.table.state.fault.seq, "by": number}]).encode()
                answer = await floor.floor.components.table_client.post("t1", "/api/v1/commands", body)
                assert answer.status == 403
                assert NAMES[number] in answer.body.decode()
            assert table.table.state.fault is not None

    on_loop(steps)


def test_a_supervisor_acts_only_at_assigned_tables(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, tables=("t1", "t2")) as (floor, *_):
            maria, sandu = await floor.signed_in(MANAGER), await floor.signed_in(SUPERVISOR)
            assert (await maria.act("assign", table="t1", person=SUPERVISOR)).body["done"]
            await until(lambda: floor.hall.owner("t1") == SUPERVISOR)
            press = {"command": "press", "id": "p1", "key": "manager"}
            answer = await sandu.command("t1", press)
            assert answer.status == 200, answer
            refused = await sandu.command("t2", press)
            assert refused.body["detail"] == "table t2 is not assigned to Sandu"
            in_romanian = await sandu.command("t2", press, lang="ro")
            assert in_romanian.body["detail"] == "masa t2 nu îi este repartizată lui Sandu"
            stale = {"en": "another fault is open by now", "ro": "între timp este deschisă altă eroare"}
            for lang, sentence in stale.items():  # in the table's own words
                (late,) = (await maria.command("t1", {**BURN, "fault": 1, "id": lang}, lang=lang)).body["verdicts"]
                assert late["says"].startswith(sentence)
            nowhere = await maria.command("t9", press, lang="ro")
            assert (nowhere.status, nowhere.body["detail"]) == (504, "masa t9 nu este pe magistrală: mergeți la ea")

    on_loop(steps)


def test_a_second_person_confirms_a_ruling_with_their_own_pin(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            body = {"ruling": {**BURN, "fault": fault}, "second": {"name": OTHER, "pin": "0000"}}
            wrong = await maria.ask("POST", "/tables/t1/api/rulings?role=manager&lang=ro", body)
            assert (wrong.status, wrong.body["detail"]) == (401, "nume sau PIN greșit")
            assert table.table.state.fault is not None
            right = {**body, "second": {"name": OTHER, "pin": PINS[OTHER]}}
            done = await maria.ask("POST", "/tables/t1/api/rulings?role=manager&lang=ro", right)
            assert [one["verdict"] for one in done.body["verdicts"]] == ["done"]
            (ruling,) = await ruled(bus, table)
            assert (ruling["person"], ruling["second_id"]) == (MANAGER, OTHER)
            assert PINS[OTHER] not in recorded_text(floor.recorded("commanded"))
            assert [one["verdict"] for one in floor.recorded("commanded")] == ["401", "done"]

    on_loop(steps)


@pytest.mark.proof
def test_an_unknown_command_is_refused_as_malformed(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria = await floor.signed_in(MANAGER)
            answer = await maria.ask("POST", "/tables/t1/api/commands", [{"command": "fly"}])
            assert (answer.status, answer.body["reason"]) == (400, "malformed")

    on_loop(steps)


@pytest.mark.proof
def test_a_table_that_does_not_answer_is_a_504(bus, tmp_path, monkeypatch):
    """A table that is not on the bus, or that does not answer, gives status 504 and says to walk there."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria = await floor.signed_in(MANAGER)
            nobody = await maria.ask("GET", "/tables/t2/api/devices?role=manager")
            assert (nobody.status, nobody.body["detail"]) == (504, "table t2 is not on the bus: walk to it")
            command = await maria.command("t2", {"command": "press", "id": "p1", "key": "manager"})
            assert (command.status, command.body["detail"]) == (504, "table t2 is not on the bus: walk to it")
            assert floor.recorded("commanded")[-1]["verdict"] == "unanswered"
            async with bus.client("tables", "t2") as deaf:
                await deaf.subscribe("tablectl.main.t2.ask.floor")
                await heard_by_server(deaf)
                monkeypatch.setattr(table_requests, "PATIENCE", 0.2)
                silent = await maria.ask("GET", "/tables/t2/api/devices?role=manager")
            assert (silent.status, silent.body["detail"]) == (504, "table t2 does not answer: walk to it")
            for name in ("t1.command", "*", "%3E", "t1%20"):
                assert (await maria.ask("GET", f"/tables/{name}/api/devices")).status == 404

    on_loop(steps)


def test_visitors_who_are_not_signed_in_see_no_table(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            stranger = FloorVisitor(floor)
            for target in ("screen", "rounds", "devices", "v1/events?after=0"):
                assert (await stranger.ask("GET", f"/tables/t1/api/{target}")).status == 401, target
            for target in ("commands", "rulings", "preview"):
                assert (await stranger.ask("POST", f"/tables/t1/api/{target}", {})).status == 401, target
            page = await stranger.ask("GET", "/tables/t1/manager")
            assert page.status == 200
            assert "frame-ancestors 'self'" in page.headers["content-security-policy"]
            floors = await stranger.ask("GET", "/floor")
            assert "frame-src 'self'" in floors.headers["content-security-policy"]
            assert "frame-ancestors 'none'" in floors.headers["content-security-policy"]

    on_loop(steps)


def test_one_sign_in_serves_all_tables_and_their_pages(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria = await floor.signed_in(MANAGER)
            here, table_session = [await maria.ask("GET", f"{base}/session") for base in ("", "/tables/t1")]
            assert here.body == table_session.body
            assert (here.body["id"], here.body["roles"], here.body["role"]) == (MANAGER, ["manager"], "manager")
            assert (await maria.ask("GET", "/tables/t1/api/words?lang=ro")).body["lang"] == "ro"
            assert (await maria.ask("DELETE", "/tables/t1/session")).status == 204
            assert (await maria.ask("GET", "/api/floor/now")).status == 401

    on_loop(steps)


def test_a_tables_picture_follows_each_change_in_the_viewers_language(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria = await floor.signed_in(MANAGER)
            async with (
                maria.stream("/tables/t1/api/screen?role=manager&lang=ro") as romanian,
                maria.stream("/tables/t1/api/screen?role=manager&lang=en") as english,
            ):
                before = [(await one.next("screen"))[1] for one in (romanian, english)]
                assert [one["lang"] for one in before] == ["ro", "en"]
                assert [one["screen"]["fault"] for one in before] == [None, None]
                fault = paused(table)
                heads = []
                for one in (romanian, english):
                    while (screen := (await one.next("screen"))[1]["screen"])["fault"] is None:
                        pass
                    assert screen["fault"]["seq"] == fault
                    heads.append(screen["fault"]["head"])
                assert heads[0] != heads[1]
                assert (await english.next("beat"))[1].keys() == {"now"}

    on_loop(steps)


@pytest.mark.proof
def test_a_consoles_heartbeats_stop_with_those_of_its_table(bus, tmp_path):
    """The console's heartbeats stop when the table's heartbeats stop."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, _):
            maria, kinds = await floor.signed_in(MANAGER), list[str]()
            async with a_table(tmp_path, bus, "t2") as table:
                await floor.knows("t2")
                async with maria.stream("/tables/t2/api/screen?role=manager") as stream:

                    async def read() -> None:
                        while True:
                            kinds.append((await stream.next())[0])

                    reading = asyncio.create_task(read())
                    await until(lambda: kinds.count("beat") >= 2)
                    await table.bus.stop()
                    count = kinds.count("beat")
                    await until(lambda: not floor.hall.is_heard("t2"))  # three seconds
                    assert kinds.count("beat") <= count + 1  # one may have been under way
                    await floor.floor.doors.stop()
                    await asyncio.wait([reading])

    on_loop(steps)


@pytest.mark.proof
def test_many_viewers_of_a_table_send_it_one_request(bus, tmp_path):
    """Three viewers of one screen cause one request for each change, or two if it changed meanwhile."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, targets = await floor.signed_in(MANAGER), list[str]()
            get = floor.floor.components.table_client.get

            async def counted(name: str, target: str):
                targets.append(target)
                return await get(name, target)

            floor.floor.components.table_client.get = counted
            target = "/tables/t1/api/screen?role=manager&lang=en"
            async with maria.stream(target) as one, maria.stream(target) as two, maria.stream(target) as three:
                for stream in (one, two, three):
                    await stream.next("screen")
                before = len(targets)
                table.table.take(e.Open())
                for stream in (one, two, three):
                    await stream.next("screen")
                assert len(targets) - before <= 2  # one more for a change during the request
            await until(lambda: not floor.floor.doors.consoles.open_count)

    on_loop(steps)
