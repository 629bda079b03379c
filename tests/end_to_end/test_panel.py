"""A button panel works again after it was unplugged; its lights follow halts, starts and stops too."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from controller.config.devices import PanelSection, ShoeSection
from controller.config.table_file import Config, TableSection, TimersSection
from controller.core import events as e
from controller.journal import Journal, JournalFailed
from controller.outputs.keys import lights
from controller.station.station import Station as InProcess
from drivers.emulators.angel_eye import EmulatedAngelEye
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.stream_deck import EmulatedStreamDeck
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.panels import panel_codec
from drivers.panels.lights import Colour, Light
from tests.end_to_end.rig import Folder
from tests.patience import until

NATURAL = ("9C", "2D", "KD", "3H")  # Player 9, Banker 5: nobody draws
Steps = Callable[["OnLoop"], Coroutine[Any, Any, None]]


class OnLoop:
    """Station on this process's own loop, with an emulated panel and a shoe on a real pty."""

    def __init__(self, folder: Folder, panel_loss: str = "warning", model: str = "xk24") -> None:
        self.config = Config(
            table=TableSection(name="t1", dealer="d1", panel_loss=panel_loss),
            game={"name": "baccarat"},
            shoe=ShoeSection(port=str(folder.port)),
            panel=PanelSection(model=model),
            timers=TimersSection(betting=3600),
        )
        self.shoe = EmulatedAngelEye(PtyPort(folder.port), cards=NATURAL * 3)
        self.bus = EmulatedUsbBus()
        emulated = EmulatedXK24 if model == "xk24" else EmulatedStreamDeck
        self.panel = emulated(self.bus, model=panel_codec(model).model)
        self.station = InProcess(self.config, self.config.house("dealer"), Journal(folder.journal), self.bus)
        self.table = self.station.table

    async def play(self, folder: Folder, steps: Steps) -> None:
        """Plug in shoe and panel, start the station, run the steps, and stop it."""
        self.shoe.plug()
        self.panel.plug()
        self.station.start()
        try:
            await until(lambda: folder.count("device_found") == 2)
            await steps(self)
        finally:
            await self.station.stop()
            self.shoe.unplug()

    async def press(self, key: str, life: str) -> None:
        for _ in range(2 if key == "close" else 1):  # twice, since the betting time is not over
            self.panel.tap(self.config.panel.bindings[key])
        await until(lambda: self.table.state.life == life)


def play(folder: Folder, steps: Steps, panel_loss: str = "warning", model: str = "xk24") -> None:
    """Run the steps on a loop of their own."""

    async def all_of_it() -> None:
        await OnLoop(folder, panel_loss, model).play(folder, steps)

    asyncio.run(all_of_it())


def test_a_lost_panel_is_a_warning_and_works_when_back(folder):
    async def steps(rig: OnLoop) -> None:
        await rig.press("open", "betting")
        await rig.press("close", "dealing")
        rig.panel.unplug()
        await until(lambda: folder.count("device_lost", device="panel"))
        for number in range(1, 5):
            rig.shoe.draw()
            await until(lambda number=number: folder.count("dealt") == number)
        assert rig.table.state.life == "complete"
        rig.panel.plug()
        await until(lambda: folder.count("device_found", device="panel") == 2)
        await rig.press("finish", "settled")
        assert "faulted" not in folder.kinds()

    play(folder, steps)


def test_a_lost_panel_pauses_the_round_where_set_so(folder):
    async def steps(rig: OnLoop) -> None:
        await rig.press("open", "betting")
        rig.panel.unplug()
        await until(lambda: folder.codes() == ["device_lost"])
        assert rig.table.state.life == "paused"

    play(folder, steps, panel_loss="fault")


def test_the_keys_show_the_state_after_a_replug_too(folder):
    async def steps(rig: OnLoop) -> None:
        keys = rig.config.panel.bindings

        def as_the_state_has_it() -> bool:
            key_lights = {
                (keys[meaning], Colour.RED if meaning == "manager" else Colour.BLUE): light
                for meaning, light in lights(rig.table.house, rig.table.state, rig.table.due).items()
                if light is not Light.OFF and meaning in keys
            }
            return rig.panel.lights == key_lights

        await until(as_the_state_has_it)
        await rig.press("open", "betting")
        await until(as_the_state_has_it)
        rig.panel.unplug()
        await until(lambda: folder.count("device_lost", device="panel"))
        rig.table.take(e.Close())  # other keys must be lit than before it was unplugged
        rig.panel.plug()
        await until(lambda: folder.count("device_found", device="panel") == 2)
        await until(as_the_state_has_it)
        await rig.press("manager", "paused")
        await until(as_the_state_has_it)

    play(folder, steps)


LEFT_LIT = panel_codec("xk24").backlight(12, Light.ON, Colour.RED)  # a lit key without a function


def no_room(_: object) -> None:
    raise JournalFailed("no space left on device")


def test_a_halted_tables_panel_is_dark_after_a_replug_too(folder, monkeypatch):
    async def steps(rig: OnLoop) -> None:
        await until(lambda: rig.panel.lights)
        with monkeypatch.context() as full:
            full.setattr(rig.table.journal, "append", no_room)
            rig.panel.tap(rig.config.panel.bindings["open"])
            await until(lambda: rig.table.halted and not rig.panel.lights)
            rig.panel.reboot()
            rig.panel.take_report(LEFT_LIT)
            await until(lambda: rig.bus.port(rig.panel).claimed and not rig.panel.lights)
        await until(lambda: rig.table.state.life == "betting")
        await until(lambda: rig.panel.lights.get((5, Colour.RED)) is Light.ON)

    play(folder, steps)


def test_a_stopped_or_starting_table_leaves_no_key_lit(folder):
    async def steps(rig: OnLoop) -> None:
        await until(lambda: (0, Colour.BLUE) in rig.panel.lights and (12, Colour.RED) not in rig.panel.lights)

    async def all_of_it() -> None:
        rig = OnLoop(folder)
        rig.panel.plug()
        rig.panel.take_report(LEFT_LIT)
        await rig.play(folder, steps)
        assert rig.panel.lights == {}

    asyncio.run(all_of_it())
