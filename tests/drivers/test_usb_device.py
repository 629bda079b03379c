"""A USB device that cannot be opened for the table: nothing is taken from others, and everything is given back."""

import pytest

from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.emulators.xkeys import EmulatedXK24
from drivers.identity import Identity, NotOurs
from drivers.panels.xkeys import XK24
from drivers.patience import DeviceCannotServe
from drivers.usb_device import UsbDevice, devices


@pytest.fixture
def bus() -> EmulatedUsbBus:
    return EmulatedUsbBus()


@pytest.fixture
def panel(bus) -> EmulatedXK24:
    """Panel that the kernel's driver holds."""
    panel = EmulatedXK24(bus)
    panel.plug()
    return panel


@pytest.fixture
def device(bus, panel) -> UsbDevice:
    """The panel, as found on the bus."""
    (device,) = devices(XK24(), bus)
    return device


def test_a_device_keeps_its_kernel_driver_until_known_as_ours(bus, panel, device):
    seen = list[bool]()

    def check(_: Identity) -> None:
        seen.append(bus.port(panel).kernel_driver)
        raise NotOurs("another table's")

    with pytest.raises(DeviceCannotServe, match="another table's"):
        device.open(check, (), 10)
    assert (seen, bus.port(panel).kernel_driver, bus.port(panel).claimed) == ([True], True, False)


def test_a_device_that_takes_no_report_is_given_back(bus, panel, device):
    bus.deafen(panel)
    with pytest.raises(DeviceCannotServe):
        device.open(lambda _: None, [bytes(36)], 10)
    assert (bus.port(panel).claimed, bus.port(panel).kernel_driver) == (False, True)
