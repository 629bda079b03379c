"""USB link, run through pyusb against the emulated bus."""

import asyncio
import dataclasses
import errno
import subprocess
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.events import DeviceEvent, DeviceUnusable, Found, Garbage, Lost, Missing, Pressed, Released
from drivers.identity import ConfiguredIdentity, Recognition
from drivers.panels import panel_codec
from drivers.panels.lights import Colour, Light
from drivers.panels.xkeys import XK24
from drivers.panels.xkeys_models import XK_80
from drivers.panels.xkeys_reports import ReportRefused
from drivers.usb_device import FAILURES_IN_A_ROW
from drivers.usb_link import LinkStuck, Timing, UsbLink
from tests.drivers.host import FAST
from tests.patience import PATIENCE, until

PATIENT = dataclasses.replace(FAST, patience_s=3600.0)
RED_8 = (8, Colour.RED)


class QueuedUsbLink:
    """USB link with a queue of the events that its loop received."""

    def __init__(self, bus: EmulatedUsbBus, identity: ConfiguredIdentity, timing: Timing, codec: XK24) -> None:
        self.codec = codec
        self.heard: asyncio.Queue[DeviceEvent] = asyncio.Queue()
        self.recognition = Recognition(identity)
        self.link = UsbLink(codec, self.heard.put_nowait, self.recognition, bus, timing=timing)

    async def hears(self) -> DeviceEvent:
        return await asyncio.wait_for(self.heard.get(), PATIENCE)

    async def hears_key(self) -> DeviceEvent:
        """Return the next event without the panel's clock."""
        return dataclasses.replace(await self.hears(), at_ms=None)

    def lights(self, key: int, colour: Colour, light: Light = Light.ON) -> None:
        self.link.send(self.codec.backlight(key, light, colour))


@asynccontextmanager
async def table(
    bus: EmulatedUsbBus,
    serial: str | None = None,
    timing: Timing = FAST,
    codec: XK24 | None = None,
    at: str | None = None,
    unit: int | None = None,
) -> AsyncIterator[QueuedUsbLink]:
    rig = QueuedUsbLink(bus, ConfiguredIdentity("panel", serial, at, unit), timing, codec or XK24())
    rig.link.start()
    try:
        yield rig
    finally:
        await rig.link.stop()


@pytest.fixture
def bus() -> EmulatedUsbBus:
    return EmulatedUsbBus()


@pytest.fixture
def panel(bus) -> EmulatedXK24:
    return EmulatedXK24(bus)


def test_keys_reach_the_loop_in_order(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            assert await rig.hears() == Found("usb at 1-1")
            panel.tap(8)
            panel.tap(9)
            events = [await rig.hears_key() for _ in range(4)]
            assert events == [Pressed(8), Released(8), Pressed(9), Released(9)]

    asyncio.run(play())


def test_a_key_held_while_plugging_in_is_no_press(bus, panel):
    async def play():
        panel.press(3)
        panel.plug()
        async with table(bus) as rig:
            assert await rig.hears() == Found("usb at 1-1")
            panel.press(8)
            panel.release(3)
            panel.press(3)
            assert [await rig.hears_key() for _ in range(3)] == [Pressed(8), Released(3), Pressed(3)]

    asyncio.run(play())


def test_a_panel_plugged_in_later_is_found(bus, panel):
    async def play():
        async with table(bus) as rig:
            panel.plug()
            assert await rig.hears() == Found("usb at 1-1")

    asyncio.run(play())


def test_lights_reach_the_panel_in_order(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            rig.lights(*RED_8)
            rig.lights(9, Colour.BLUE)
            rig.lights(*RED_8, Light.FLASH)
            await until(lambda: panel.lights == {RED_8: Light.FLASH, (9, Colour.BLUE): Light.ON})

    asyncio.run(play())


def test_a_panel_without_output_endpoint_is_lit_by_set_report(bus, panel):
    async def play():
        panel.identity = dataclasses.replace(panel.identity, endpoint_out=None)
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            rig.lights(*RED_8)
            await until(lambda: panel.lights == {RED_8: Light.ON})

    asyncio.run(play())


def test_lights_meant_for_no_panel_are_dropped(bus, panel):
    async def play():
        async with table(bus) as rig:
            rig.lights(*RED_8)
            panel.plug()
            await rig.hears()
            rig.lights(9, Colour.BLUE)
            await until(lambda: panel.lights)
            assert panel.lights == {(9, Colour.BLUE): Light.ON}

    asyncio.run(play())


def test_the_link_refuses_reports_that_write_device_memory(bus):
    link = UsbLink(XK24(), print, backend=bus)
    with pytest.raises(ReportRefused):
        link.send(bytes([0xCC]).ljust(35, b"\0"))  # sets the product id, by the vendor's data report


def test_an_unplugged_panel_is_lost_once_and_found_again(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            assert await rig.hears() == Found("usb at 1-1")
            panel.unplug()
            assert await rig.hears() == Lost("unplugged")
            panel.plug()
            assert await rig.hears() == Found("usb at 1-1")
            panel.tap(0)
            assert await rig.hears_key() == Pressed(0)

    asyncio.run(play())


def test_a_repeatedly_rebooting_panel_is_heard_each_time(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for _ in range(10):
                panel.tap(1)
                assert await rig.hears_key() == Pressed(1)
                assert await rig.hears_key() == Released(1)
                panel.reboot()
                assert await rig.hears() == Lost("unplugged")
                assert isinstance(await rig.hears(), Found)

    asyncio.run(play())


def test_usbhid_is_detached_and_gets_the_panel_back(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            assert not bus.port(panel).kernel_driver
        assert bus.port(panel).kernel_driver

    asyncio.run(play())


def test_a_panel_nobody_held_is_not_given_to_usbhid(bus, panel):
    async def play():
        panel.plug(kernel_driver=False)
        async with table(bus) as rig:
            await rig.hears()
        assert not bus.port(panel).kernel_driver

    asyncio.run(play())


class CountingBus(EmulatedUsbBus):
    """Bus that counts searches and set configurations; setting one resets the device."""

    looks = 0
    configurations = 0

    def enumerate_devices(self):
        self.looks += 1
        return super().enumerate_devices()

    def set_configuration(self, dev_handle, config_value):
        self.configurations += 1
        super().set_configuration(dev_handle, config_value)

    async def looked_at(self):
        """Wait until a search of the bus that began after this call has ended."""
        before = self.looks
        await until(lambda: self.looks > before + 1)


@pytest.mark.parametrize("configured", [True, False])
def test_a_configuration_is_chosen_only_where_there_is_none(configured):
    async def play():
        bus = CountingBus()
        EmulatedXK24(bus).plug(configured=configured, kernel_driver=configured)
        async with table(bus) as rig:
            assert isinstance(await rig.hears(), Found)
        assert bus.configurations == (not configured)

    asyncio.run(play())


def test_permissions_that_come_late_are_waited_for(bus, panel):
    async def play():
        panel.plug(refused_opens=5)
        async with table(bus, timing=PATIENT) as rig:
            assert await rig.hears() == Found("usb at 1-1")

    asyncio.run(play())


def test_missing_permissions_are_reported_once_with_advice(bus, panel):
    async def play():
        panel.plug(refused_opens=10**9)
        async with table(bus) as rig:
            event = await rig.hears()
            assert isinstance(event, DeviceUnusable)
            assert "udev rule" in event.reason
            assert "group" in event.reason
            left = bus.port(panel).refused_opens
            await until(lambda: bus.port(panel).refused_opens < left - 10)
            assert rig.heard.empty()
            bus.port(panel).refused_opens = 0
            assert isinstance(await rig.hears(), Found)

    asyncio.run(play())


def test_a_panel_that_another_program_holds_is_reported(bus, panel):
    async def play():
        panel.plug(in_use=True)
        async with table(bus) as rig:
            assert await rig.hears() == DeviceUnusable(
                "the panel at usb 1-1 is in use by another program: end that program"
            )
            bus.port(panel).in_use = False
            assert isinstance(await rig.hears(), Found)

    asyncio.run(play())


def test_another_model_of_the_vendor_is_named_until_ours_comes(bus, panel):
    async def play():
        other = EmulatedXK24(bus, model=XK_80)
        other.plug()
        async with table(bus) as rig:
            reason = "no XK-24 is plugged in, but an XK-80 (05f3:0441) at usb 1-1: plug in an XK-24"
            assert await rig.hears() == DeviceUnusable(f"{reason}, or correct [panel] model")
            panel.plug()
            assert await rig.hears() == Found("usb at 1-2")

    asyncio.run(play())


def test_hardware_mode_is_reported_once_per_plugging_in():
    async def play():
        bus = CountingBus()
        stubborn = EmulatedXK24(bus, product=0x0404)
        async with table(bus, timing=PATIENT) as rig:
            for _ in range(2):
                stubborn.plug()
                event = await rig.hears()
                assert isinstance(event, DeviceUnusable)
                assert event.reason.startswith("panel in hardware mode")
                stubborn.unplug()
                await bus.looked_at()
            EmulatedXK24(bus).plug()
            assert isinstance(await rig.hears(), Found)

    asyncio.run(play())


def test_a_usable_panel_is_taken_beside_one_that_is_not(bus):
    async def play():
        EmulatedXK24(bus, product=0x04E1).plug()
        EmulatedXK24(bus).plug()
        async with table(bus) as rig:
            assert await rig.hears() == Found("usb at 1-2")

    asyncio.run(play())


def test_another_panel_in_the_socket_of_ours_is_not_taken(bus):
    """The config names no panel: the one that was found first is the table's own from then on."""

    async def play():
        ours, other = EmulatedXK24(bus, "A1B2C3D4"), EmulatedXK24(bus, "E5F6A7B8")
        ours.plug(socket=1)
        async with table(bus) as rig:
            assert await rig.hears() == Found("usb at 1-1", "A1B2C3D4")
            ours.unplug()
            assert isinstance(await rig.hears(), Lost)
            other.plug(socket=1)
            refused = await rig.hears()
            assert isinstance(refused, DeviceUnusable)
            assert "A1B2C3D4" in refused.reason
            assert bus.port(other).kernel_driver

    asyncio.run(play())


def test_the_serial_number_selects_the_panel(bus):
    async def play():
        other, ours = EmulatedXK24(bus, "T1"), EmulatedXK24(bus, "T2")
        other.plug()
        ours.plug()
        async with table(bus, serial="T2") as rig:
            assert await rig.hears() == Found("usb at 1-2", "T2")
            assert bus.port(other).kernel_driver

    asyncio.run(play())


@pytest.mark.parametrize(("own", "words"), [("T1", "found T1"), (None, "found one without")])
def test_a_panel_with_another_serial_number_is_reported(bus, own, words):
    async def play():
        EmulatedXK24(bus, own).plug()
        async with table(bus, serial="T2") as rig:
            event = await rig.hears()
            assert isinstance(event, DeviceUnusable)
            assert "expected the panel with serial number T2" in event.reason
            assert words in event.reason

    asyncio.run(play())


def test_keys_are_heard_after_a_stall_is_cleared(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for endpoint in (panel.identity.endpoint_in, panel.identity.endpoint_out):
                bus.stall(panel, endpoint)
            rig.lights(*RED_8)
            await until(lambda: panel.lights)
            panel.tap(5)
            assert await rig.hears_key() == Pressed(5)

    asyncio.run(play())


class StuckBus(EmulatedUsbBus):
    """Bus on which a stall cannot be cleared."""

    def clear_halt(self, dev_handle, ep):
        pass


def test_a_stall_without_end_is_a_loss():
    async def play():
        bus = StuckBus()
        panel = EmulatedXK24(bus)
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            panel.stall()
            lost = await rig.hears()
            assert isinstance(lost, Lost)
            assert "Broken pipe" in lost.reason

    asyncio.run(play())


def test_a_press_after_one_broken_transfer_is_heard(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for _ in range(2 * FAILURES_IN_A_ROW):  # never two in a row
                bus.fail(panel, errno.EIO)
                panel.tap(5)
                assert [await rig.hears_key(), await rig.hears_key()] == [Pressed(5), Released(5)]

    asyncio.run(play())


def test_ten_broken_transfers_in_a_row_lose_no_panel(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for _ in range(FAILURES_IN_A_ROW):
                bus.fail(panel, errno.EIO)
            panel.tap(5)
            assert await rig.hears_key() == Pressed(5)

    asyncio.run(play())


def test_a_line_that_stays_broken_is_lost(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for _ in range(FAILURES_IN_A_ROW + 1):
                bus.fail(panel, errno.EIO)
            assert isinstance(await rig.hears(), Lost)
            assert await rig.hears() == Found("usb at 1-1")

    asyncio.run(play())


@pytest.mark.parametrize("number", [errno.EOVERFLOW, errno.ENODEV, None])
def test_any_read_error_loses_the_panel_until_found_again(bus, panel, number):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            bus.fail(panel, number)
            assert isinstance(await rig.hears(), Lost)
            assert await rig.hears() == Found("usb at 1-1")
            panel.tap(5)
            assert await rig.hears_key() == Pressed(5)

    asyncio.run(play())


def test_a_panel_that_takes_no_reports_is_lost(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            bus.deafen(panel)
            rig.lights(*RED_8)
            assert await rig.hears() == Lost("the panel takes no reports")

    asyncio.run(play())


def test_garbage_from_the_panel_is_handed_on(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            bus.report(panel, b"\x00\x00")
            assert await rig.hears() == Garbage(b"\x00\x00", "expected a report of 32 or 36 bytes, got 2")

    asyncio.run(play())


def test_stopping_gives_the_panel_back_and_ends_the_thread(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            await until(lambda: {"usb XK-24", "usb XK-24 in"} <= {thread.name for thread in threading.enumerate()})
        assert not bus.port(panel).claimed
        assert "usb XK-24" not in {thread.name for thread in threading.enumerate()}
        assert rig.heard.empty()

    asyncio.run(play())


def test_what_was_sent_before_the_stop_still_goes_out(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for key in panel_codec("xk24").keys:
                rig.lights(key, Colour.BLUE)
        assert len(panel.lights) == 24

    asyncio.run(play())


def test_a_link_never_started_can_be_stopped(bus):
    asyncio.run(UsbLink(XK24(), print, backend=bus).stop())


def test_a_panel_unplugged_while_cut_off_is_reported_missing(bus, panel):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            assert isinstance(await rig.hears(), Found)
            for _ in range(2):
                rig.link.cut_off()
                await until(lambda: not bus.port(panel).claimed)
                panel.unplug()
                rig.link.take_back()
                assert await rig.hears() == Missing()
                panel.plug()
                assert isinstance(await rig.hears(), Found)

    asyncio.run(play())


@pytest.mark.parametrize("replugged", [False, True])
def test_a_panel_there_when_taken_back_is_found(bus, panel, replugged):
    async def play():
        panel.plug()
        async with table(bus) as rig:
            assert isinstance(await rig.hears(), Found)
            rig.link.cut_off()
            await until(lambda: not bus.port(panel).claimed)
            if replugged:
                panel.unplug()
                panel.plug()
            rig.link.take_back()
            assert isinstance(await rig.hears(), Found)

    asyncio.run(play())


def test_a_panel_that_cannot_serve_is_reported_again(bus, panel):
    async def play():
        panel.plug(in_use=True)
        async with table(bus) as rig:
            for _ in range(2):
                assert isinstance(await rig.hears(), DeviceUnusable)
                rig.link.cut_off()
                rig.link.take_back()
            assert isinstance(await rig.hears(), DeviceUnusable)

    asyncio.run(play())


class SlowCodec(XK24):
    """Codec that blocks while it reads a report, until `let_go` is set."""

    def __init__(self):
        super().__init__()
        self.hangs, self.let_go = threading.Event(), threading.Event()

    def feed(self, report):
        self.hangs.set()
        self.let_go.wait(PATIENCE)
        return super().feed(report)


def test_a_thread_that_does_not_end_raises_link_stuck(bus, panel):
    async def play():
        codec = SlowCodec()
        panel.plug()
        async with table(bus, codec=codec, timing=dataclasses.replace(FAST, join_s=0.01)) as rig:
            await until(codec.hangs.is_set)
            with pytest.raises(LinkStuck, match=r"did not end within 0\.01 s"):
                await rig.link.stop()
            codec.let_go.set()
            await until(lambda: "usb XK-24" not in {thread.name for thread in threading.enumerate()})

    asyncio.run(play())


class StrangeBus(EmulatedUsbBus):
    """Bus that raises an error as a bug in the driver would."""

    def get_device_descriptor(self, dev):
        raise ZeroDivisionError("a mistake")


def test_a_mistake_of_our_own_is_raised_in_the_loop():
    async def play():
        bus = StrangeBus()
        raised = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().set_exception_handler(lambda _, context: raised.set_result(context["exception"]))
        EmulatedXK24(bus).plug()
        async with table(bus):
            assert isinstance(await asyncio.wait_for(raised, PATIENCE), ZeroDivisionError)

    asyncio.run(play())


def test_a_link_left_behind_by_its_loop_ends_by_itself(bus, panel):
    async def play():
        panel.plug()
        rig = QueuedUsbLink(bus, ConfiguredIdentity("panel"), FAST, XK24())
        rig.link.start()
        await rig.hears()

    asyncio.run(play())
    panel.unplug()
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "usb XK-24"] or [None]
    assert thread is None or thread.join(10) is None
    assert "usb XK-24" not in {thread.name for thread in threading.enumerate()}


WITHOUT_LIBUSB = """
import asyncio, ctypes, sys
def no_library(*_): raise OSError("no such library")
ctypes.CDLL = no_library
sys.modules["libusb_package"] = None
from drivers.panels import panel_codec
from drivers.usb_link import UsbLink
async def main():
    told = asyncio.get_running_loop().create_future()
    link = UsbLink(panel_codec("xk24"), told.set_result)
    link.start()
    print(type(await told).__name__, told.result().reason)
    await link.stop()
asyncio.run(main())
"""


def test_a_missing_libusb_is_reported_with_what_to_install():
    run = subprocess.run([sys.executable, "-c", WITHOUT_LIBUSB], capture_output=True, text=True, timeout=99, check=True)
    assert run.stdout.startswith("DeviceUnusable libusb-1.0 is missing")
    assert "apt install libusb-1.0-0" in run.stdout
    assert run.stderr == ""
