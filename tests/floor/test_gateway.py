"""The tables' own consoles at the floor: what is asked there is asked of the table, and what is done is done by it."""

from tests.bus.rig import Server, on_loop, until
from tests.bus.tables import OnTheBus, events, stored
from tests.floor.service import MANAGER, OTHER, paused, studio

BURN = {"command": "rule", "id": "r1", "ruling": "burn", "because": "seen on camera"}


async def ruled(server: Server, table: OnTheBus) -> list[dict]:
    """The rulings in the table's record."""
    await table.caught_up()
    async with server.client("admin") as admin:
        told = await stored(admin, "EVENTS")
    return [body for _, body in events(told, "manager") if body["kind"] == "ruled"]


def test_a_fault_ruled_on_at_the_floor_is_in_the_tables_record_with_the_person_and_the_floor(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            rule = {**BURN, "fault": fault, "by": OTHER}  # whatever the body says
            foreseen = await maria.ask("POST", "/tables/t1/api/preview?role=manager&lang=ro", rule)
            assert (foreseen.status, foreseen.body["verdict"]) == (200, "leads")
            answer = await maria.command("t1", rule)
            assert [one["verdict"] for one in answer.body["verdicts"]] == ["done"], answer
            (ruling,) = await ruled(bus, table)
            print(ruling)
            assert table.table.state.fault is None
            await until(lambda: floor.recorded("commanded"))

    on_loop(steps)
