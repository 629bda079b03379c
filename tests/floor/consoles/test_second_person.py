"""PIN of the second person at a floor: the floor checks it first, and limits wrong PINs."""

import msgspec

from controller.bus.requests import RULINGS
from controller.journal import read
from controller.text.coded import render
from controller.web.access.wrong_pins import MOST, MOST_OF_FLOOR
from tests.floor.service import MANAGER, OTHER, SUPERVISOR, paused, studio
from tests.patience import on_loop, until
from tests.web.people import ManualClock
from tests.web.staff import PINS

BURN = {"command": "rule", "ruling": "burn", "because": "seen"}


def two(fault, pin="0000", second=OTHER, **more):
    """Return a ruling by two people: the ruling, and the second person's name and PIN."""
    return {"ruling": {**BURN, "id": "r1", "fault": fault, **more}, "second": {"name": second, "pin": pin}}


def rulings(table):
    """Return the address for rulings by two people."""
    return f"/tables/{table}/api/rulings?role=manager"


def refused(table):
    """Return the refusals of PINs that the table has recorded."""
    return [one.what for one in read(table.path) if one.kind == "sign_ins_refused"]


def test_a_wrong_second_pin_at_a_floor_reaches_no_table(bus, tmp_path):
    """Wrong PINs are counted for both tables together, and close the second person after the limit."""

    async def steps():
        async with studio(tmp_path, bus, tables=("t1", "t2")) as (floor, *tables):
            clock = ManualClock()
            floor.floor.doors.checker.attempts._now = clock
            maria, faults = await floor.signed_in(MANAGER), [paused(table) for table in tables]
            statuses = []
            for number in range(MOST + 2):
                clock.now += 1000
                table, fault = f"t{number % 2 + 1}", faults[number % 2]
                statuses.append((await maria.ask("POST", rulings(table), two(fault))).status)
            assert statuses == [401] * MOST + [403] * 2
            assert [refused(table) for table in tables] == [[], []]
            assert any(OTHER in trouble for trouble in map(render, floor.floor.troubles))

    on_loop(steps)


def test_wrong_second_pins_delay_only_the_person_who_typed_them(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            floor.floor.doors.checker.attempts._now = ManualClock()
            maria, sandu, fault = await floor.signed_in(MANAGER), await floor.signed_in(OTHER), paused(table)
            for _ in range(4):
                last = await maria.ask("POST", rulings("t1"), two(fault, second="106"))
            assert last.status == 429
            wrong = await sandu.ask("POST", rulings("t1"), two(fault, second=MANAGER))
            assert wrong.status == 401
            done = await sandu.ask("POST", rulings("t1"), two(fault, PINS[MANAGER], MANAGER))
            assert done.body["verdicts"][0]["verdict"] == "done", done

    on_loop(steps)


def test_a_floors_key_alone_tries_three_pins_at_a_table(bus, tmp_path):
    """Requests signed by the floor's key alone get three wrong PINs; then even the right PIN is refused."""

    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            table.doors.checker.attempts._now = ManualClock()
            fault = paused(table)

            async def asked(second, pin):
                body = msgspec.json.encode(two(fault, pin, second, by=MANAGER))
                return (await floor.floor.components.table_client.post("t1", f"{RULINGS}?lang=en", body)).status

            statuses = [await asked(second, "0000") for second in (OTHER, SUPERVISOR, OTHER)]
            assert statuses == [401] * MOST_OF_FLOOR
            assert await asked(OTHER, PINS[OTHER]) == 403
            assert table.table.state.fault.seq == fault
            await until(lambda: any("floor:main" in trouble for trouble in floor.hall.status_of("t1").troubles))

    on_loop(steps)


def test_a_floor_passes_on_a_second_pin_that_was_right(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus) as (floor, table):
            maria, fault = await floor.signed_in(MANAGER), paused(table)
            done = await maria.ask("POST", rulings("t1"), two(fault, PINS[OTHER]))
            assert done.body["verdicts"][0]["verdict"] == "done", done
            assert not table.doors.checker.attempts.persons.path.exists()

    on_loop(steps)
