"""Emulated LR6-USB, driven through pyusb as any program does and through the link as a table does."""

import asyncio
import errno

import pytest
import usb.core
import usb.util

from drivers.beacons import DARK, Light, Signal, Sound, beacon_codec
from drivers.beacons.patlite import LR6USB
from drivers.emulators.patlite import EmulatedLR6
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import DeviceUnusable, Found, Lost
from drivers.identity import ConfiguredIdentity, Recognition
from drivers.usb_link import UsbLink
from tests.drivers.host import FAST
from tests.drivers.test_patlite import capture, signal
from tests.patience import PATIENCE

OUT = 0x01

CALL = Signal(red=Light.FLASH, sound=Sound.CALL)


@pytest.fixture
def bus() -> EmulatedUsbBus:
    return EmulatedUsbBus()


@pytest.fixture
def tower(bus) -> EmulatedLR6:
    tower = EmulatedLR6(bus, serial="B1")
    tower.plug()
    return tower


@pytest.fixture
def device(bus, tower):
    device = usb.core.find(idVendor=0x191A, idProduct=0x8003, backend=bus)
    device.detach_kernel_driver(0)
    usb.util.claim_interface(device, 0)
    yield device
    usb.util.dispose_resources(device)


def test_the_tower_has_maker_product_and_serial(device):
    assert (device.manufacturer, device.product, device.serial_number) == ("PATLITE", "LR6-USB", "B1")


@pytest.mark.parametrize(("report", "meaning"), capture("commands"))
def test_the_tower_shows_what_a_command_says(tower, device, report, meaning):
    device.write(OUT, report)
    assert tower.display_state == signal(meaning)


def test_a_partial_command_keeps_the_other_parts(tower, device):
    for report, meaning in capture("partial"):
        device.write(OUT, report)
        assert tower.display_state == signal(meaning), meaning


@pytest.mark.parametrize("report", [report for report, _ in capture("refused") if len(report) <= 8])
def test_a_report_no_tower_understands_is_kept_for_the_test(tower, device, report):
    device.write(OUT, report)
    assert tower.strange == [report]
    assert tower.display_state == DARK


def test_the_tower_keeps_its_display_without_the_program(tower, device):
    device.write(OUT, LR6USB().show(CALL))
    usb.util.dispose_resources(device)
    assert tower.display_state == CALL


def test_a_tower_that_was_without_power_is_dark(tower, device):
    device.write(OUT, LR6USB().show(CALL))
    tower.unplug()
    tower.plug()
    assert tower.display_state == DARK


def test_the_link_serves_a_beacon_as_it_does_a_panel(bus):
    async def play():
        events = asyncio.Queue()
        tower, codec = EmulatedLR6(bus), beacon_codec("lr6_usb")
        link = UsbLink(codec, events.put_nowait, backend=bus, timing=FAST)
        link.start()
        tower.plug(refused_opens=10**9)
        event = await asyncio.wait_for(events.get(), PATIENCE)
        assert isinstance(event, DeviceUnusable)
        assert event.reason.startswith("no permission for the beacon at usb 1-1")
        bus.port(tower).refused_opens = 0
        assert await asyncio.wait_for(events.get(), PATIENCE) == Found("usb at 1-1")
        link.send(codec.show(CALL))
        await link.stop()
        assert tower.display_state == CALL
        assert tower.strange == []

    asyncio.run(play())


def test_a_beacon_with_another_serial_number_is_left_alone(bus, tower):
    async def play():
        events = asyncio.Queue()
        link = UsbLink(LR6USB(), events.put_nowait, Recognition(ConfiguredIdentity("beacon", "B2")), bus, timing=FAST)
        link.start()
        event = await asyncio.wait_for(events.get(), PATIENCE)
        assert "expected the beacon with serial number B2, found B1" in event.reason
        assert "correct [beacon] serial" in event.reason
        await link.stop()

    asyncio.run(play())


def test_a_beacon_that_is_pulled_is_lost(bus, tower):
    async def play():
        events = asyncio.Queue()
        link = UsbLink(LR6USB(), events.put_nowait, backend=bus, timing=FAST)
        link.start()
        await asyncio.wait_for(events.get(), PATIENCE)
        bus.fail(tower, errno.ENODEV)
        assert isinstance(await asyncio.wait_for(events.get(), PATIENCE), Lost)
        await link.stop()

    asyncio.run(play())
