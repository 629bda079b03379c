"""Key presses during USB transfers on the emulated bus: none is lost.

`test_usb_real_stack` proves the same on libusb.
"""

import asyncio
from collections.abc import Callable
from functools import partial

import usb.core

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.events import Pressed, Released
from drivers.panels.xkeys_models import XK_24
from drivers.usb_device import FOREVER
from tests.drivers.test_usb_link import RED_8, table
from tests.patience import PATIENCE, until


class LateBus(EmulatedUsbBus):
    """Bus that loses a panel's report sent at the moment when a transfer is cancelled."""

    def __init__(self):
        super().__init__()
        self.finger: Callable[[], None] | None = None  # called at such a moment
        self.endless = False  # the current transfer has no timeout

    def intr_read(self, dev_handle, ep, intf, buff, timeout):
        self.endless = timeout == FOREVER
        try:
            return super().intr_read(dev_handle, ep, intf, buff, timeout)
        except usb.core.USBTimeoutError:
            with self.changed:
                self.move()
                dev_handle.port.inbox.clear()
            raise

    def move(self):
        with self.changed:
            finger, self.finger = self.finger, None
            if finger:
                finger()


def test_no_press_is_lost_while_a_transfer_is_cancelled():
    async def play():
        bus = LateBus()
        panel = EmulatedXK24(bus)
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            for key in XK_24.keys[:10]:
                bus.finger = partial(panel.tap, key)
                await until(lambda: bus.endless or not bus.finger)
                bus.move()
            events = [await rig.hears_key() for _ in range(20)]
            assert events == [moved(key) for key in XK_24.keys[:10] for moved in (Pressed, Released)]

    asyncio.run(play())


class SlowLampBus(EmulatedUsbBus):
    """Bus with a panel that is slow to light a lamp and keeps only its last unread report."""

    def __init__(self):
        super().__init__()
        self.fingers: list[Callable[[], None]] = []  # each is called while a lamp is written; its report must be read

    def intr_write(self, dev_handle, ep, intf, data, timeout):
        for finger in self.fingers:
            finger()
            with self.changed:
                self.changed.wait_for(lambda: not dev_handle.port.inbox, PATIENCE)
        return super().intr_write(dev_handle, ep, intf, data, timeout)

    def intr_read(self, dev_handle, ep, intf, buff, timeout):
        with self.changed:
            size = super().intr_read(dev_handle, ep, intf, buff, timeout)
            self.changed.notify_all()
            return size

    def report(self, device, report):
        with self.changed:
            self.port(device).inbox.clear()
            super().report(device, report)


def test_no_press_is_lost_while_the_lamps_are_written():
    async def play():
        bus = SlowLampBus()
        panel = EmulatedXK24(bus)
        panel.plug()
        async with table(bus) as rig:
            await rig.hears()
            await until(lambda: not bus.port(panel).inbox)  # the first report says what was held before
            bus.fingers = [partial(panel.press, 3), partial(panel.release, 3)]
            for _ in range(6):
                rig.lights(*RED_8)
            assert [await rig.hears_key() for _ in range(12)] == [Pressed(3), Released(3)] * 6

    asyncio.run(play())
