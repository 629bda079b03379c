"""blink(1) codec against the maker's published layout (see the captures); an emulated lamp on the bus."""

import asyncio

import pytest
import usb.core
import usb.util
from hypothesis import given

from drivers.beacons import DARK, Light, Recurring, Signal, Sound, beacon_codec, blink1
from drivers.beacons.blink1 import SILENCE_S, Blink1
from drivers.captures import Direction
from drivers.codec_taps import TappedUsb
from drivers.emulators.blink1 import EmulatedBlink1, PatternLine
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import Found, Garbage
from drivers.usb_link import UsbLink
from tests.clocks import ManualClock
from tests.drivers.host import FAST
from tests.drivers.test_patlite import CAPTURES, SIGNALS, signal
from tests.patience import PATIENCE

CALL = Signal(red=Light.FLASH, sound=Sound.CALL)
RED, BLUE, WHITE = bytes((255, 0, 0)), bytes((0, 0, 255)), bytes((255, 255, 255))
CALLING = (PatternLine(RED, 50), PatternLine(WHITE, 50))
NOBODY = (PatternLine(RED, 30), PatternLine(BLUE, 30))


def capture(name: str) -> list[tuple[bytes, str]]:
    lines = (CAPTURES / f"blink1_{name}.hex").read_text().splitlines()
    split = (line.split("  # ") for line in lines if not line.startswith("#"))
    return [(bytes.fromhex(data), meaning) for data, meaning in split]


@pytest.mark.parametrize(("report", "meaning"), capture("commands"))
def test_commands_are_those_of_the_maker(report, meaning):
    assert Blink1().show(signal(meaning)) == report
    assert Blink1().checked(report) == report


def test_a_connected_lamp_gets_16_pattern_lines_at_most():
    first = Blink1().connected()
    assert first == [report for report, _ in capture("first")]
    assert [Blink1().checked(report) for report in first] == first
    assert max(report[7] for report in first) == blink1.LINES - 1


@pytest.mark.parametrize(("report", "meaning"), capture("refused"))
def test_wearing_or_unknown_commands_are_never_sent(report, meaning):
    with pytest.raises(blink1.UnsafeCommand, match="expected a command of 8 bytes, 01 and one of c, P, p, l, D, got "):
        Blink1().checked(report)


def test_the_keep_alive_allows_5_s_and_keeps_the_display():
    assert isinstance(Blink1(), Recurring)
    assert Blink1().recurring() == bytes.fromhex("01 44 01 01 f4 01 00 01")
    assert Blink1().every_s * 4 < SILENCE_S


@given(SIGNALS)
def test_every_signal_plays_written_lines_by_an_allowed_command(shown):
    report = Blink1().show(shown)
    assert Blink1().checked(report) == report
    assert (report == Blink1().show(DARK)) == (
        {shown.red, shown.yellow, shown.green, shown.blue, shown.white} == {Light.OFF}
    )
    if report[1:2] == b"p":
        assert report[3] in range(2, blink1.LINES, 2), "never the pulse of the dead man"
        assert report[4] == report[3] + 1


def test_a_blink1_is_known_by_usb_ids_and_sends_nothing():
    assert Blink1().matches(0x27B8, 0x01ED)
    assert not Blink1().matches(0x27B8, 0x01EE)
    assert Blink1().refusal(0x01ED) is None
    garbage = Garbage(b"\x01", "expected no report, a blink(1) is not known to send any")
    assert Blink1().feed(b"\x01") == [garbage]


# ── on the bus ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def bus() -> EmulatedUsbBus:
    return EmulatedUsbBus()


def send_reports(bus: EmulatedUsbBus, *reports: bytes) -> None:
    device = usb.core.find(idVendor=0x27B8, idProduct=0x01ED, backend=bus)
    for report in reports:
        device.ctrl_transfer(0x21, 0x09, 0x0301, 0, report)
    usb.util.dispose_resources(device)


def test_the_lamp_has_maker_product_and_serial(bus):
    EmulatedBlink1(bus, "B1").plug(kernel_driver=False)
    device = usb.core.find(idVendor=0x27B8, idProduct=0x01ED, backend=bus)
    assert (device.manufacturer, device.product, device.serial_number) == ("ThingM", "blink(1) mk2", "B1")
    usb.util.dispose_resources(device)


def test_a_lamp_without_keep_alive_turns_red_and_blue(bus):
    clock = ManualClock(0.0)
    lamp = EmulatedBlink1(bus, now=clock)
    lamp.plug(kernel_driver=False)
    send_reports(bus, *Blink1().connected(), Blink1().show(CALL), Blink1().recurring())
    assert lamp.display_state == CALLING
    clock.now = SILENCE_S - 1
    send_reports(bus, Blink1().recurring())
    clock.now += SILENCE_S
    assert lamp.display_state == CALLING
    clock.now += 0.01
    assert lamp.display_state == NOBODY
    send_reports(bus, Blink1().show(CALL), Blink1().recurring())
    assert lamp.display_state == CALLING
    send_reports(bus, Blink1().show(DARK))
    clock.now += 2 * SILENCE_S
    assert lamp.display_state == (PatternLine(),)


def test_a_lamp_takes_its_commands_as_feature_reports_only(bus):
    EmulatedBlink1(bus).plug(kernel_driver=False)
    device = usb.core.find(idVendor=0x27B8, idProduct=0x01ED, backend=bus)
    with pytest.raises(usb.core.USBError, match="Broken pipe"):
        device.ctrl_transfer(0x21, 0x09, 0x0200, 0, Blink1().show(CALL))
    usb.util.dispose_resources(device)


@pytest.mark.parametrize("report", [report for report, _ in capture("refused")])
def test_a_report_no_lamp_understands_changes_nothing(bus, report):
    lamp = EmulatedBlink1(bus)
    lamp.plug(kernel_driver=False)
    send_reports(bus, report)
    assert lamp.strange == [report]
    assert lamp.display_state == (PatternLine(),)


@pytest.mark.parametrize("tapped", [False, True])
def test_an_observed_link_still_writes_feature_reports(bus, tapped):
    async def play():
        events, traffic = asyncio.Queue(), []
        lamp, codec = EmulatedBlink1(bus, serial="3A1B2C3D"), beacon_codec("blink1")

        def see(direction: Direction, data: bytes, _: object) -> None:
            traffic.append((direction, data))

        link = UsbLink(TappedUsb(codec, see) if tapped else codec, events.put_nowait, backend=bus, timing=FAST)
        link.start()
        lamp.plug()
        try:
            assert await asyncio.wait_for(events.get(), PATIENCE) == Found("usb at 1-1", "3A1B2C3D")
            link.send(codec.show(CALL))
        finally:
            await link.stop()
        assert lamp.display_state == CALLING
        assert lamp.strange == []
        if tapped:
            assert traffic == [(">", report) for report in [*codec.connected(), codec.show(CALL)]]

    asyncio.run(play())
