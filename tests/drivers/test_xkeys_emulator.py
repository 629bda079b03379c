"""Emulated XK-24, driven through pyusb as any program does."""

import errno
import threading

import pytest
import usb.core
import usb.util

from drivers.emulators.usb_bus import EmulatedUsbBus, NotPluggedIn
from drivers.emulators.xkeys import EmulatedXK24
from drivers.panels import Colour, Light, xkeys_reports
from drivers.panels.xkeys_reports import Descriptor, KeyReport

IN, OUT, SIZE, WAIT_MS = 0x81, 0x02, 64, 2000


@pytest.fixture
def bus() -> EmulatedUsbBus:
    return EmulatedUsbBus()


@pytest.fixture
def panel(bus) -> EmulatedXK24:
    panel = EmulatedXK24(bus, serial="T1", unit=7)
    panel.plug()
    return panel


def found(bus):
    return usb.core.find(idVendor=0x05F3, idProduct=0x0405, backend=bus)


@pytest.fixture
def device(bus, panel):
    device = found(bus)
    device.detach_kernel_driver(0)
    usb.util.claim_interface(device, 0)
    yield device
    usb.util.dispose_resources(device)


def read(device) -> bytes:
    return bytes(device.read(IN, SIZE, WAIT_MS))


def failure(call, *arguments) -> int | None:
    with pytest.raises(usb.core.USBError) as caught:
        call(*arguments)
    return caught.value.errno


def test_the_panel_has_maker_product_and_serial(bus, device):
    assert (device.manufacturer, device.product, device.serial_number) == ("P. I. Engineering", "XK-24 HID", "T1")
    assert "Interrupt IN" in str(device)


def test_a_panel_may_have_no_serial_number(bus):
    EmulatedXK24(bus).plug()
    assert found(bus).serial_number is None


def test_a_tap_is_two_reports_with_the_whole_state(panel, device):
    panel.press(8)
    panel.tap(29)
    states = [KeyReport.parse(read(device)) for _ in range(3)]
    assert [state.keys for state in states] == [{8}, {8, 29}, {8}]
    assert {(state.unit, state.answer) for state in states} == {(7, False)}


def test_a_key_pressed_twice_reports_once(panel, device):
    panel.press(8)
    panel.press(8)
    panel.release(8)
    assert [KeyReport.parse(read(device)).keys for _ in range(2)] == [{8}, frozenset()]


def test_generate_data_tells_the_keys_that_are_held(bus):
    panel = EmulatedXK24(bus)
    panel.press(3)
    panel.plug(kernel_driver=False)
    device = found(bus)
    device.write(OUT, xkeys_reports.generate_data())
    state = KeyReport.parse(read(device))
    assert (state.keys, state.answer) == ({3}, True)


def test_keys_pressed_while_no_program_listens_are_not_kept(bus):
    panel = EmulatedXK24(bus)
    panel.plug(kernel_driver=False)
    panel.tap(3)
    device = found(bus)
    usb.util.claim_interface(device, 0)
    assert failure(device.read, IN, SIZE, 1) == errno.ETIMEDOUT


def test_the_descriptor_tells_product_and_mode(panel, device):
    device.write(OUT, xkeys_reports.descriptor())
    assert Descriptor.parse(read(device)) == Descriptor(product=0x0405, version=1, mode=0, unit=7)


def test_lamps_show_what_was_written(panel, device):
    device.write(OUT, xkeys_reports.backlight(8, Light.ON, Colour.RED))
    device.write(OUT, xkeys_reports.backlight(8, Light.FLASH, Colour.BLUE))
    device.write(OUT, xkeys_reports.backlight(0, Light.ON, Colour.BLUE))
    device.write(OUT, xkeys_reports.backlight(0, Light.OFF, Colour.BLUE))
    assert panel.lights == {(8, Colour.RED): Light.ON, (8, Colour.BLUE): Light.FLASH}


# a command cut short, one for a key that an XK-24 does not have, and one that is in no data report of the vendor's
@pytest.mark.parametrize("report", [b"\xb5", bytes([0xB5, 30, 1]).ljust(35, b"\0"), bytes([0x01]).ljust(35, b"\0")])
def test_a_report_no_panel_understands_is_kept_for_the_test(panel, device, report):
    device.write(OUT, report)
    assert panel.strange == [report]


def test_a_command_that_writes_the_memory_is_counted(panel, device):
    device.write(OUT, bytes([0xBD, 5]).ljust(35, b"\0"))
    assert panel.memory_writes == 1


def test_a_replugged_panel_is_dark_and_at_a_new_address(bus, panel, device):
    device.write(OUT, xkeys_reports.backlight(8, Light.ON, Colour.RED))
    panel.unplug()
    panel.plug()
    assert panel.lights == {}
    assert found(bus).address != device.address


def test_the_reboot_command_is_a_replug(bus, panel, device):
    device.write(OUT, bytes([0xEE]).ljust(35, b"\0"))
    assert failure(device.read, IN, SIZE, WAIT_MS) == errno.ENODEV
    assert found(bus).address != device.address


def test_pulling_the_plug_ends_a_read_under_way(panel, device):
    threading.Timer(0.01, panel.unplug).start()
    assert failure(device.read, IN, SIZE, 60_000) == errno.ENODEV


def test_an_idle_panel_times_out(device):
    with pytest.raises(usb.core.USBTimeoutError):
        device.read(IN, SIZE, 1)


def test_a_stall_lasts_until_it_is_cleared(panel, device):
    panel.stall()
    assert failure(device.read, IN, SIZE, 1) == errno.EPIPE
    device.clear_halt(IN)
    assert failure(device.read, IN, SIZE, 1) == errno.ETIMEDOUT


def test_a_buffer_too_short_overflows(panel, device):
    panel.press(0)
    assert failure(device.read, IN, 8, WAIT_MS) == errno.EOVERFLOW
    assert failure(device.read, IN, SIZE, 1) == errno.ETIMEDOUT  # what did not fit is lost, as on a real line


def test_a_request_the_panel_does_not_know_stalls(device):
    assert failure(device.ctrl_transfer, 0xC0, 0x55, 0, 0, 4) == errno.EPIPE


def test_usbhid_holds_the_panel_first(bus, panel):
    device = found(bus)
    assert device.is_kernel_driver_active(0)
    assert failure(usb.util.claim_interface, device, 0) == errno.EBUSY
    assert failure(device.set_configuration) == errno.EBUSY


def test_openings_are_refused_as_often_as_asked_for(bus):
    EmulatedXK24(bus).plug(refused_opens=2)
    device = found(bus)
    assert [failure(device.is_kernel_driver_active, 0) for _ in range(2)] == [errno.EACCES] * 2
    assert device.is_kernel_driver_active(0)


def test_a_key_that_is_not_there_cannot_be_pressed(panel):
    with pytest.raises(xkeys_reports.NoSuchKey, match="got 6"):
        panel.press(6)


def test_a_panel_in_hardware_mode_reports_no_key(bus):
    panel = EmulatedXK24(bus, product=0x0404)
    panel.plug(kernel_driver=False)
    device = usb.core.find(idProduct=0x0404, backend=bus)
    usb.util.claim_interface(device, 0)
    panel.tap(0)
    assert failure(device.read, IN, SIZE, 1) == errno.ETIMEDOUT


def test_an_unplugged_panel_has_no_place_on_the_bus(bus):
    with pytest.raises(NotPluggedIn, match="plug it in first"):
        bus.port(EmulatedXK24(bus))
