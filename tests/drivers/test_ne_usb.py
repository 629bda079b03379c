"""NE-USB codec against the vendor's published layout (see the captures); an emulated one on the bus."""

import asyncio

import pytest
import usb.core
import usb.util
from hypothesis import example, given
from hypothesis import strategies as st

from drivers.beacons import DARK, Light, Recurring, Signal, Sound, beacon_codec, ne_usb
from drivers.beacons.ne_usb import ASK, NEUSB, Command
from drivers.emulators.ne_usb import EmulatedNE
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import Found, Garbage, Touched
from drivers.usb_link import UsbLink
from tests.drivers.host import FAST
from tests.drivers.test_patlite import CAPTURES, SIGNALS, signal
from tests.patience import PATIENCE

FREE, FINGER = b"\x00\x00", b"\x00\x01"
CALL = Signal(red=Light.FLASH, sound=Sound.CALL)


def capture(name: str) -> list[tuple[bytes, str]]:
    lines = (CAPTURES / f"ne_usb_{name}.hex").read_text().splitlines()
    split = (line.split("  # ") for line in lines if not line.startswith("#"))
    return [(bytes.fromhex(data), meaning) for data, meaning in split]


@pytest.mark.parametrize(("report", "meaning"), capture("commands"))
def test_commands_are_those_of_the_vendor(report, meaning):
    assert NEUSB().show(signal(meaning)) == report
    assert NEUSB().checked(report) == report


@pytest.mark.parametrize(("report", "_"), capture("partial"))
def test_a_partial_command_is_never_sent(report, _):
    assert Command.parse(report).build() == report
    with pytest.raises(ne_usb.UnsafeCommand, match="expected a command that sets the whole beacon"):
        NEUSB().checked(report)


@pytest.mark.parametrize(("report", "_"), capture("refused"))
def test_what_is_no_command_is_never_sent(report, _):
    with pytest.raises(ne_usb.UnsafeCommand, match="expected a command "):
        NEUSB().checked(report)


@given(SIGNALS)
def test_every_signal_has_an_allowed_command_dark_only_if_off(shown):
    report = NEUSB().show(shown)
    assert NEUSB().checked(report) == report
    tiers = {shown.red, shown.yellow, shown.green, shown.blue, shown.white}
    assert (Command.parse(report).colour == ne_usb.OFF) == (tiers == {Light.OFF})


@given(*[st.integers(0, 9)] * 3, st.integers(0, 15), st.integers(0, 12))
@example(colour=1, pattern=1, buzzer=1, times=15, volume=10)  # its repetitions stay as they were
def test_only_a_command_for_the_whole_beacon_is_sent(colour, pattern, buzzer, times, volume):
    report = Command(colour, pattern, buzzer, times, volume).build()
    if max(colour, pattern, buzzer) <= 7 and times < 0xF and volume <= 0xA:
        assert NEUSB().checked(report) == report
    else:
        with pytest.raises(ne_usb.UnsafeCommand, match="expected a command that sets the whole beacon"):
            NEUSB().checked(report)


def test_usb_ids_identify_an_ne_usb_that_is_never_refused():
    assert NEUSB().matches(0x191A, 0x6001)
    assert not NEUSB().matches(0x191A, 0x8003)
    assert NEUSB().refusal(0x6001) is None


# ── the sensor ───────────────────────────────────────────────────────────────────────────────────────────────────────


def decode(codec: NEUSB, *answers: bytes) -> list[object]:
    return [event for answer in answers for event in codec.feed(answer)]


def test_the_sensor_is_polled_only_if_touch_counts():
    asking = NEUSB().with_touch()
    assert isinstance(asking, Recurring)
    assert asking.recurring() == asking.connected()[0] == bytes.fromhex("00 80 00 00 00 00 00 00")
    assert NEUSB().checked(ASK) == ASK
    assert not isinstance(NEUSB(), Recurring)
    assert NEUSB().connected() == []


def test_a_long_touch_counts_once():
    assert decode(NEUSB(), FREE, FINGER, FINGER, FREE, FINGER) == [Touched()] * 2


def test_a_finger_present_before_the_connection_is_no_touch():
    codec = NEUSB()
    assert decode(codec, FINGER, FINGER, FREE, FINGER) == [Touched()]
    codec.connected()
    assert decode(codec, FINGER, FREE, FINGER) == [Touched()]


@given(st.binary(min_size=2, max_size=2))
def test_bit_0_of_byte_1_alone_is_the_sensor(answer):
    assert decode(NEUSB(), FREE, answer) == ([Touched()] if answer[1] % 2 else [])


@pytest.mark.parametrize("answer", [b"", b"\x01", b"\x00\x01\x00", bytes(8)])
def test_a_torn_answer_is_garbage_and_no_touch(answer):
    codec = NEUSB()
    reason = f"expected an answer of 2 bytes, got {len(answer)}"
    assert decode(codec, FREE, answer, FREE) == [Garbage(answer, reason)]


# ── on the bus ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def beacon() -> EmulatedNE:
    beacon = EmulatedNE(EmulatedUsbBus(), serial="N1")
    beacon.plug(kernel_driver=False)
    return beacon


@pytest.mark.parametrize(("report", "meaning"), [*capture("commands"), *capture("refused")])
def test_an_emulated_beacon_shows_commands_and_keeps_unknown_reports(beacon, report, meaning):
    beacon.take_report(report)
    understood = (report, meaning) in capture("commands")
    assert beacon.strange == ([] if understood else [report])
    assert beacon.display_state.build() == (report if understood else NEUSB().show(DARK))


def test_a_partial_command_keeps_the_other_parts(beacon):
    for report, shown in capture("partial"):
        beacon.take_report(report)
        assert beacon.display_state.build() == bytes.fromhex(shown)


def test_the_link_lights_a_beacon_and_hears_a_touch():
    async def play():
        bus, news = EmulatedUsbBus(), asyncio.Queue()
        beacon, codec = EmulatedNE(bus, serial="N1"), beacon_codec("ne_usb").with_touch()
        link = UsbLink(codec, news.put_nowait, backend=bus, timing=FAST)
        link.start()
        beacon.plug()
        try:
            assert await asyncio.wait_for(news.get(), PATIENCE) == Found("usb at 1-1", "N1")
            link.send(codec.show(CALL))
            beacon.touched = True
            link.send(ASK)
            assert await asyncio.wait_for(news.get(), PATIENCE) == Touched()
        finally:
            await link.stop()
        assert beacon.display_state.build() == codec.show(CALL)
        assert beacon.strange == []

    asyncio.run(play())


def test_an_emulated_beacon_has_maker_product_and_serial():
    bus = EmulatedUsbBus()
    EmulatedNE(bus, serial="N1").plug()
    device = usb.core.find(idVendor=0x191A, idProduct=0x6001, backend=bus)
    try:
        assert (device.manufacturer, device.product, device.serial_number) == ("PATLITE", "NE-USB", "N1")
    finally:
        usb.util.dispose_resources(device)
