"""Floors and tables that were removed from the roster but still run.

Such a floor changes nothing that floors share; rounds of such a table count in no floor's numbers.
"""

import asyncio
from contextlib import asynccontextmanager

from controller.bus.names import CLAIMS, KEY
from controller.text.coded import render
from tests.bus.tables import run_table
from tests.floor.bare_floor import publish_statuses
from tests.floor.feeding import feeding
from tests.floor.live.test_roster import ANNA, ASSIGNMENTS, ION, leave_out, own
from tests.floor.service import OneFloor, studio
from tests.floor.statuses import calling_status, status
from tests.patience import on_loop, until

__all__ = ["own"]


@asynccontextmanager
async def left_out(folder, bus):
    """Yield the main floor, a floor removed from the roster, and the admin's client; table t1 calls."""
    async with (
        OneFloor(folder, bus, "main") as one,
        OneFloor(folder, bus, "second") as two,
        bus.client("admin") as admin,
    ):
        await publish_statuses(bus, admin, calling_status())
        await until(lambda: one.hall._alarms and two.hall._alarms)
        await leave_out(bus, "floors", "second")
        await until(lambda: any("another key for floor" in line for line in map(render, two.floor.troubles)))
        await until(lambda: two.floor.components.seals.public not in one.floor.components.seals.floors.values())
        yield one, two, admin


async def author(admin, subject: str) -> str:
    """Return the key that signed the last message of a shared document."""
    return (await admin.jetstream().get_last_msg(f"KV_{CLAIMS}", subject)).headers[KEY]


def test_an_act_at_a_floor_left_out_is_refused(own, tmp_path):
    async def steps():
        async with left_out(tmp_path, own) as (one, two, _):
            assert (await one.floor.components.shared.claim("t1", 11, ANNA)).done
            late = two.floor.components.shared
            acts = (late.claim("t1", 11, ION), late.assign("t1", "8", 6), late.release("t1", 11, "7", ANNA))
            assert [(await act).reason for act in acts] == ["outside"] * 3
            assert await one.floor.components.shared.owner("t1") is None

    on_loop(steps)


def test_a_floor_left_out_stores_and_records_no_alarm(own, tmp_path):
    """The removed floor tries to store a new alarm and fails; the main floor stores it."""

    async def steps():
        async with left_out(tmp_path, own) as (one, two, admin):
            update_alarms, tries = two.floor.components.shared.update_alarms, []

            async def counted(view):
                tries.append(await update_alarms(view))
                return tries[-1]

            two.floor.components.shared.update_alarms = counted
            await publish_statuses(own, admin, status("t2", dealer=None, lost=("shoe",)))
            await until(lambda: "t2:lost:shoe" in one.hall._alarms)
            two.hall.set_alarms({})
            await until(lambda: len(tries) > 1)
            assert set(tries) == {None}
            assert await author(admin, f"$KV.{CLAIMS}.main.alarms") == one.floor.components.seals.public
            assert "t2:lost:shoe" not in [record["key"] for record in two.recorded("raised")]

    on_loop(steps)


def test_unsigned_documents_push_out_none_a_floor_holds(own, tmp_path):
    """The page and `owner` still show the last sound document, and the next change stores it again."""

    async def steps():
        async with left_out(tmp_path, own) as (one, two, admin):
            shared = one.floor.components.shared
            assert (await shared.assign("t1", "8", 6)).done
            await until(lambda: one.hall.owner("t1") == "8")
            seals = two.floor.components.seals
            async with own.client("floors", "second") as second:
                for _ in range(5):
                    headers = seals.seal(ASSIGNMENTS, b"{}")
                    await second.jetstream().publish(ASSIGNMENTS, b"{}", headers=headers)
            await until(lambda: ASSIGNMENTS in one.floor.components.seals.junk)
            assert (one.hall.owner("t1"), await shared.owner("t1")) == ("8", "8")
            assert (await shared.assign("t1", "8", 6)).done
            assert await author(admin, ASSIGNMENTS) == one.floor.components.seals.public

    on_loop(steps)


def rounds(floor) -> set[tuple[str, int]]:
    """Return table and number of each round in the store."""
    with floor.floor.components.store.open_read_only() as db:
        return set(db.execute("SELECT table_, number FROM rounds"))


def test_rounds_of_a_table_taken_out_do_not_count(own, tmp_path):
    """The servers were not reloaded and still store the table's events. Earlier rounds still count."""

    async def steps():
        async with studio(tmp_path, own, tables=("t1", "t2")) as (floor, one, two):
            two.play()
            await until(lambda: rounds(floor) == {("t2", 1)})
            await leave_out(own, "tables", "t2")
            await until(lambda: floor.hall.status_of("t2") is None)
            two.play()
            await two.caught_up()
            one.play()
            await one.caught_up()
            await until(lambda: ("t1", 1) in rounds(floor))
            assert rounds(floor) == {("t1", 1), ("t2", 1)}

    on_loop(steps)


def test_events_of_a_new_table_wait_for_its_roster(server, tmp_path):
    """Events that arrive before the roster names their table are stored when the roster has arrived."""

    async def steps():
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            table.play()
            await table.caught_up()
            async with feeding(tmp_path / "floor", server.floor_section()) as floor:
                floor.seals.tables = {}
                asyncio.get_running_loop().call_later(0.5, floor.seals.tables.update, server.studio.keys("tables"))
                await until(lambda: floor.store.last_seq("t1", table.epoch) == table.table.state.seq)

    on_loop(steps)
