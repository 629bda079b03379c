"""What the bus says of all tables, as a floor hears it."""

from controller.core import events as e
from tests.bus.rig import on_loop, until
from tests.bus.tables import at_work
from tests.floor.floors import Looks, a_floor


def test_a_floor_shows_a_call_in_the_words_of_the_tables_own_page(bus, tmp_path):
    async def steps():
        async with at_work(tmp_path / "t.journal", bus.section()) as table, a_floor(bus) as floor:
            await until(lambda: (strip := floor.strip()) is not None and strip.bay == "playing")
            table.table.take(e.Pressed("manager"))
            await until(lambda: floor.strip().call is not None)
            call, there = floor.strip().call, table.table.state.fault
            assert (call.seq, call.code, call.level) == (there.seq, "dealer_call", 1)
            assert (floor.strip().bay, call.head) == ("calls", "The dealer calls you")
            assert floor.strip(language="ro").call.head == "Dealerul vă cheamă"
            table.table.take(e.Rule("resume", "manager", "", there.seq))
            await until(lambda: floor.strip().call is None)

    on_loop(steps)


def test_a_table_that_ends_is_not_heard_and_asks_for_somebody(bus, tmp_path):
    async def steps():
        async with a_floor(bus) as floor:
            async with at_work(tmp_path / "t.journal", bus.section()):
                await until(lambda: floor.strip() is not None and floor.hall.hears("t1"))
            await until(lambda: floor.strip().heard is not None)
            assert (floor.strip().bay, [one.kind for one in floor.strip().alarms]) == ("watch", ["unheard"])
            await until(lambda: ("raised", "t1:unheard") in floor.told)
            async with at_work(tmp_path / "t.journal", bus.section()):
                await until(lambda: floor.strip().heard is None)
                await until(lambda: ("cleared", "t1:unheard") in floor.told)
                assert [one.standing for one in floor.strip().alarms] == [False]
                assert (await floor.shared.acknowledge("t1:unheard", Looks())).done
                await until(lambda: floor.strip().alarms == ())
        assert floor.told == [("raised", "t1:unheard"), ("cleared", "t1:unheard")]

    on_loop(steps)
