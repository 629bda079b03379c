"""Observed panels, beacons and scanners: their keys, lamps, and bytes in both directions."""

import asyncio
from itertools import groupby

from controller.station import device_observer
from controller.station.device_observer import DeviceObserver
from drivers.beacons import beacon_codec
from drivers.captures import read_capture
from drivers.emulators.hid_pos import UsbLine
from drivers.emulators.patlite import EmulatedLR6
from drivers.emulators.stream_deck import EmulatedStreamDeck
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.panels import Colour, Light, panel_codec
from drivers.shoes.hid_pos import HidPos
from tests.outputs.test_faces import is_bright
from tests.patience import until


class RecordingXK24(EmulatedXK24):
    """Emulated panel that keeps every colour and state that its lamps have shown."""

    def __init__(self, bus):
        super().__init__(bus)
        self.burnt = set()

    def take_report(self, report):
        super().take_report(report)
        self.burnt |= {(colour, light) for (_, colour), light in self.lights.items()}


def test_watching_a_panel_tests_all_lamps_then_held_keys(monkeypatch):
    monkeypatch.setattr(device_observer, "SECOND", 0.02)
    lines = []

    async def steps():
        bus = EmulatedUsbBus()
        panel = RecordingXK24(bus)
        observer = DeviceObserver(lines.append, lamps=True)
        observer.add_panel(panel_codec("xk24"), None, bus)
        panel.plug()
        try:
            lights = {(colour, light) for colour in Colour for light in (Light.ON, Light.FLASH)}
            await until(lambda: panel.burnt == lights and not panel.lights)
            panel.press(8)
            await until(lambda: panel.lights == {(8, Colour.BLUE): Light.ON})
            panel.release(8)
            await until(lambda: not panel.lights)
        finally:
            await observer.stop()
            panel.unplug()

    asyncio.run(steps())
    text = "".join(lines)
    assert "panel Found" in text
    assert "# Pressed key=8" in text
    assert {(one.device, one.direction) for one in read_capture(text)} == {("panel", "<"), ("panel", ">")}


def test_watching_a_stream_deck_lights_each_key_then_held_keys(monkeypatch):
    monkeypatch.setattr(device_observer, "SECOND", 0.005)
    turns = []

    class Seen(EmulatedStreamDeck):
        def take_report(self, report):
            super().take_report(report)
            turns.append({key for key, data in self._pictures.items() if is_bright(data)})

    async def steps():
        bus = EmulatedUsbBus()
        codec = panel_codec("stream_deck_mini")
        deck, observer = Seen(bus, model=codec.model), DeviceObserver(lambda _: None, lamps=True)
        observer.add_panel(codec, None, bus)
        deck.plug()
        try:
            await until(lambda: {5} in turns and len(deck.pictures) == 6 and turns[-1] == set())
            deck.press(4)
            await until(lambda: turns[-1] == {4})
            deck.release(4)
            await until(lambda: turns[-1] == set())
        finally:
            await observer.stop()
            deck.unplug()

    asyncio.run(steps())
    lit = [keys for keys, _ in groupby(turns)]
    assert [keys for keys in lit if keys] == [{key} for key in (0, 1, 2, 3, 4, 5, 4)]


def test_watching_a_beacon_lights_each_tier_and_ends_dark(monkeypatch):
    monkeypatch.setattr(device_observer, "SECOND", 0.02)
    lines = []

    async def steps():
        bus = EmulatedUsbBus()
        beacon = EmulatedLR6(bus)
        observer = DeviceObserver(lines.append, lamps=True)
        observer.add_beacon(beacon_codec("lr6_usb"), None, bus)
        beacon.plug()
        try:
            await until(lambda: sum(" > " in line for line in lines) == 6)
        finally:
            await observer.stop()
            beacon.unplug()

    asyncio.run(steps())
    passed = list(read_capture("".join(lines)))
    assert {one.device for one in passed} == {"beacon"}
    sent = [one.data.hex() for one in passed]
    assert len(set(sent)) == 6
    assert sent[-1].strip("0").strip("f") == ""


def test_watching_a_usb_scanner_shows_its_bytes():
    lines = []

    async def steps():
        bus = EmulatedUsbBus()
        scanner, observer = UsbLine(bus), DeviceObserver(lines.append)
        observer.add_usb_shoe(HidPos(), None, bus)
        scanner.plug()
        try:
            await until(lambda: "shoe Found" in "".join(lines))
            scanner.write(b"AS")
            await until(lambda: "CardRead card=AS" in "".join(lines))
        finally:
            await observer.stop()

    asyncio.run(steps())
    (passed,) = read_capture("".join(lines))
    assert passed.device == "shoe"
    assert passed.data[:7] == b"\x02\x02]C0AS"
