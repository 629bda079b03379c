"""Third-party drivers with errors: the report names the driver, and only its own device is lost."""

import asyncio
import threading

import pytest

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.events import Lost
from drivers.models import DriverFailed
from drivers.own_port import OwnPort
from drivers.panels.xkeys import XK24
from drivers.serial_link import SerialLink
from drivers.shoes.angel_eye import AngelEye
from drivers.shoes.bee_tek import BeeTek
from drivers.shoes.model import ShoeModel, ShoeSettings
from tests.drivers.test_usb_link import table
from tests.patience import until


@pytest.fixture
def bus() -> EmulatedUsbBus:
    return EmulatedUsbBus()


@pytest.fixture
def panel(bus) -> EmulatedXK24:
    panel = EmulatedXK24(bus)
    panel.plug()
    return panel


class RaisingPanel(XK24):
    """Third-party driver that raises an error when the attribute named in `mistake` is read."""

    version_report = 4, 17

    def __init__(self, mistake):
        super().__init__()
        self.mistake = mistake

    def version(self, report):
        return ""

    def __getattribute__(self, name):
        if name == super().__getattribute__("mistake"):
            raise ZeroDivisionError("the card was KH")
        return super().__getattribute__(name)


@pytest.mark.parametrize("mistake", ["matches", "report_bytes", "refusal", "connected", "version_report", "feed"])
def test_a_driver_error_loses_its_device_and_names_the_driver(bus, panel, mistake):
    async def play():
        async with table(bus, codec=RaisingPanel(mistake)) as rig:
            event = [await rig.hears() for _ in range(1 + (mistake == "feed"))][-1]
            assert isinstance(event, Lost)
            where = f"the driver {__name__}.RaisingPanel failed (ZeroDivisionError in test_mistaken_drivers.py, line "
            assert event.reason.startswith(where)
            assert event.reason.endswith("): have it repaired, then start the table again")
            await until(lambda: "usb XK-24" not in {thread.name for thread in threading.enumerate()})
            assert not bus.port(panel).claimed
            assert rig.heard.empty()

    asyncio.run(play())


class Inventive(XK24):
    """Third-party driver that returns text in place of an event."""

    def feed(self, report):
        return ["pressed 8"]


def test_a_driver_that_returns_no_event_is_named(bus, panel):
    async def play():
        async with table(bus, codec=Inventive()) as rig:
            await rig.hears()
            assert f"{__name__}.Inventive failed (feed gave a str, no event)" in (await rig.hears()).reason

    asyncio.run(play())


def test_a_failed_driver_releases_its_device_and_is_reported_once(bus, panel):
    async def play():
        async with table(bus) as rig:
            await rig.hears()
            for _ in range(2):
                rig.link.fail(DriverFailed("felt.Felt9", "KeyError in felt.py, line 3"))
            assert "felt.Felt9" in (await rig.hears()).reason
            await until(lambda: not bus.port(panel).claimed)
            assert rig.heard.empty()

    asyncio.run(play())


def test_a_failed_driver_is_reported_again_when_taken_back(bus, panel):
    async def play():
        async with table(bus, codec=Inventive()) as rig:
            await rig.hears()
            failed = await rig.hears()
            for _ in range(2):
                rig.link.cut_off()
                rig.link.take_back()
                assert await rig.hears() == failed

    asyncio.run(play())


def test_a_shoe_driver_failing_before_start_never_opens_its_port(port):
    async def play():
        port.plug()
        events = []
        link = SerialLink(OwnPort(str(port.link)), AngelEye(), events.append)
        for _ in range(2):
            link.fail(DriverFailed("vendor.Shoe", "KeyError in vendor.py, line 3"))
        link.start()
        await link.stop()
        assert [type(event) for event in events] == [Lost]
        assert "vendor.Shoe" in events[0].reason

    asyncio.run(play())


class Unset(ShoeSettings, frozen=True):
    """Third-party shoe settings that raise an error when they are created."""

    def __post_init__(self):
        raise ZeroDivisionError("the card was KH")


def test_an_error_in_shoe_settings_names_the_driver():
    with pytest.raises(DriverFailed, match=r"the driver drivers\.shoes\.bee_tek\.BeeTek failed \(ZeroDivisionError in"):
        ShoeModel(BeeTek, settings=Unset).codec()
