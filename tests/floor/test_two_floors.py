"""Two floors over the same tables: an act at one shows at the other, and a doubled act is done once."""

import asyncio

import pytest

from tests.floor.consoles.test_gateway import BURN, ruled
from tests.floor.service import MANAGER, OTHER, paused, studio
from tests.patience import on_loop, until


def test_of_two_simultaneous_rulings_one_counts_and_one_is_refused(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, "main", "second") as (one, two, table):
            people = await asyncio.gather(one.signed_in(MANAGER), two.signed_in(OTHER))
            fault = paused(table)
            answers = await asyncio.gather(
                *(
                    person.command("t1", {**BURN, "fault": fault, "id": f"r{index}"})
                    for index, person in enumerate(people)
                )
            )
            verdicts = [answer.body["verdicts"][0] for answer in answers]
            assert sorted(one["verdict"] for one in verdicts) == ["done", "refused"]
            (lost,) = (one for one in verdicts if one["verdict"] == "refused")
            assert lost["says"] == "nothing is paused"
            (ruling,) = await ruled(bus, table)
            assert ruling["origin"]["via"] in ("floor:main", "floor:second")
            noted = [one.recorded("commanded")[0]["verdict"] for one in (one, two)]
            assert sorted(noted) == ["done", "refused"]

    on_loop(steps)


@pytest.mark.proof
def test_claims_and_assignments_show_at_both_floors(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, "main", "second") as (one, two, table):
            maria, livia = await asyncio.gather(one.signed_in(MANAGER), two.signed_in(OTHER))
            fault = paused(table)
            async with livia.stream("/api/floor/stream?lang=en") as stream:
                (strip,) = (await stream.next("floor"))[1]["floor"]["strips"]
                await until(lambda: one.hall.status_of("t1").fault is not None)
                await maria.act("claim", table="t1", fault=fault)
                await maria.act("assign", table="t1", person=OTHER)
                while strip["call"] is None or strip["call"]["claim"] is None or not strip["owner"]:
                    change = (await stream.next("change"))[1]["change"]
                    (strip,) = change["strips"] or (strip,)
                assert (strip["call"]["claim"]["name"], strip["call"]["claim"]["mine"]) == ("Maria", False)
                assert strip["owner"] == "Livia"

    on_loop(steps)


@pytest.mark.proof
def test_each_floor_keeps_every_event_in_its_store(bus, tmp_path):
    async def steps():
        async with studio(tmp_path, bus, "main", "second") as (one, two, table):
            table.play(1)
            await table.caught_up()
            head = table.table.state.seq
            for floor in (one, two):
                await until(lambda floor=floor: floor.floor.components.store.last_seq("t1", table.epoch) == head)

    on_loop(steps)
