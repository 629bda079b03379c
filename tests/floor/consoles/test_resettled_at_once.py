"""Three shift managers settle a round anew at the same moment, two at the table and one at the floor."""

import asyncio

from controller.cli.client import ask
from controller.web.net.sockets import Listening
from tests.bus.tables import StudioTable
from tests.floor.history.test_resettled import PLAYED_AT_A_TABLE
from tests.floor.service import MANAGER, OTHER, OneFloor, staff
from tests.patience import on_loop
from tests.web.staff import PINS

CORRECTIONS = [[{"ruling": "correct", "draw": draw, "card": card}] for draw, card in ((2, "6D"), (2, "7D"), (1, "8C"))]
TIMES = 12
VOID = [{"ruling": "cancel"}]
STALE = "the round has been settled anew meanwhile: look again"


def ruling(number, amendments, ruling_id, revision, second):
    """Return a ruling that settles a round anew, with the second person's name and PIN."""
    about = {"command": "resettle", "id": ruling_id, "round": number, "because": "misread", "revision": revision}
    return {"ruling": {**about, "amendments": amendments}, "second": {"name": second, "pin": PINS[second]}}


def test_of_three_simultaneous_resettlements_only_one_succeeds(bus, tmp_path):
    """One resettlement is done; the two others are refused because the round's revision has changed."""

    async def steps():
        (tmp_path / "t1").mkdir()
        socket = tmp_path / "t1" / "t.sock"
        listening = Listening(socket)
        at_the_table = StudioTable(
            tmp_path / "t1" / "t.journal", bus.section("t1"), "t1", staff(tmp_path), local=listening
        )
        async with at_the_table as table, OneFloor(tmp_path, bus, "main") as floor:
            await floor.knows("t1")
            for event in PLAYED_AT_A_TABLE:
                table.table.take(event)
            number, maria = table.table.state.round.number, await floor.signed_in(MANAGER)

            async def at_table(by, second, amendments, ruling_id, revision):
                two = ruling(number, amendments, ruling_id, revision, second)
                two["ruling"]["by"] = by
                return await asyncio.to_thread(ask, socket, "POST", "/api/v1/rulings?role=manager", two)

            async def at_floor(amendments, ruling_id, revision):
                two = ruling(number, amendments, ruling_id, revision, OTHER)
                return await maria.ask("POST", "/tables/t1/api/rulings?role=manager", two)

            for revision in range(TIMES):
                one, other, third = (VOID,) * 3 if revision % 2 else CORRECTIONS
                answers = await asyncio.gather(
                    at_table(MANAGER, OTHER, one, f"a{revision}", revision),
                    at_table(OTHER, MANAGER, other, f"b{revision}", revision),
                    at_floor(third, f"c{revision}", revision),
                )
                verdicts = [answer.body["verdicts"][0] for answer in answers]
                assert sorted(one["verdict"] for one in verdicts) == ["done", "refused", "refused"], verdicts
                refusals = [(one["reason"], one["says"]) for one in verdicts if one["verdict"] == "refused"]
                assert refusals == [("stale_revision", STALE)] * 2
                assert table.table.state.revisions[number].number == revision + 1
        listening.close()

    on_loop(steps)
