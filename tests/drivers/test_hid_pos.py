"""HID-POS scanner codec: reads reports as their descriptor lays them out; also on an emulated bus."""

import asyncio
import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.emulators.barcode import NO_READ
from drivers.emulators.decks import FULL_DECK
from drivers.emulators.hid_pos import EmulatedHidPos, UsbLine
from drivers.emulators.hid_pos_reports import DESCRIPTOR, IDENTITY, reports
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import CardRead, CardUnreadable, DeviceUnusable, Found, Garbage, Lost
from drivers.hid_descriptor import BadDescriptor, inputs, report_length
from drivers.identity import ConfiguredIdentity
from drivers.shoes.hid_pos import HidPos
from drivers.shoes.hid_pos_layout import ReportLayout
from drivers.usb_link import UsbLink
from tests.drivers.hid_pos_forms import COUNT, FORMS, NO_COUNT, ReportForm
from tests.drivers.host import FAST
from tests.drivers.test_usb_link import QueuedUsbLink
from tests.patience import PATIENCE

BOTTLE = b"]E0"
KEYBOARD = bytes.fromhex("05 01 09 06 a1 01 05 07 19 e0 29 e7 75 01 95 08 81 02 c0")
SHORT = DESCRIPTOR.replace(bytes.fromhex("06 66 ff 09 04 95 01 81 02 09 00 95 01 81 03"), b"")  # no vendor code id
PLAIN = DESCRIPTOR.replace(b"\x85\x02", b"")  # one report only, without an id


def codec(descriptor: bytes = DESCRIPTOR, **settings) -> HidPos:
    decoder = HidPos(**settings)
    assert decoder.connected() == []
    assert decoder.described(descriptor) is None
    return decoder


def decoded_cards(decoder: HidPos, *all_of_them: bytes) -> list[str]:
    """Return a card as its name, an unread card as ?, garbage as #."""
    words = {CardRead: lambda event: event.card, CardUnreadable: lambda _: "?", Garbage: lambda _: "#"}
    return [words[type(event)](event) for report in all_of_them for event in decoder.feed(report)]


def test_the_vendors_report_is_laid_out_as_the_manuals_say():
    layout = ReportLayout.of(DESCRIPTOR)
    assert (layout.report, layout.length, layout.count, layout.aim) == (2, 64, range(1, 2), (2, 3, 4))
    assert (layout.data, layout.continued) == (range(5, 61), 63 * 8)


@pytest.mark.parametrize(
    ("settings", "code", "meaning"),
    [
        ({}, reports(b"AS"), ["AS"]),
        ({}, reports(b"10h"), ["TH"]),
        ({}, reports(b"AS\r\n"), ["AS"]),  # with the suffix that the scanner is set to send
        ({"codes": {"D12": "QD"}}, reports(b"D12"), ["QD"]),
        ({"codes": {"D12": "QD"}}, reports(b"QD"), ["#", "?"]),
        ({"codes": {"x" * 100: "QD"}}, reports(b"x" * 100), ["QD"]),  # over two reports
        ({}, reports(b"x" * 200), ["#", "?", "#", "?"]),  # longer than any code
        ({"aim": ("C0",)}, reports(b"AS"), ["AS"]),
        ({"aim": ("C0",)}, reports(b"4006381333931", BOTTLE), ["#"]),
        ({"aim": ("C0",), "codes": {"x" * 100: "QD"}}, reports(b"x" * 100), ["QD"]),
        ({}, reports(b"4006381333931", BOTTLE), ["#", "?"]),
        ({"no_read": NO_READ}, reports(NO_READ.encode()), ["?"]),
        ({"unique": True}, reports(b"AS") * 2 + reports(b"KS"), ["AS", "KS"]),
        ({}, reports(b"AS") * 2, ["AS", "AS"]),
        ({}, [reports(b"AS")[0][:-1]], ["#", "?"]),  # cut short
        ({}, [b"\x02\xff" + reports(b"AS")[0][2:]], ["#", "?"]),  # more data than there is room for
        ({}, [b"\x03" + reports(b"AS")[0][1:]], ["#"]),  # another report id
        ({}, [reports(b"x" * 60)[0], b"\x02", *reports(b"AS")], ["#", "?", "AS"]),  # the second half of a code is lost
        ({}, [b""], ["#"]),
    ],
)
def test_a_report_reads_as_the_descriptor_says(settings, code, meaning):
    assert decoded_cards(codec(**settings), *code) == meaning


def test_62_byte_and_id_less_reports_follow_their_descriptors():
    (report,) = reports(b"AS")
    short, plain = codec(SHORT), codec(PLAIN)
    assert (short.report_bytes, plain.report_bytes) == (62, 63)
    assert decoded_cards(short, report[:61] + report[63:]) == ["AS"]
    assert decoded_cards(plain, report[1:]) == ["AS"]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_descriptors_of_other_makers_are_taken(form):
    decoder = codec(form.descriptor, codes={"AS": "AS", "x" * 100: "QD"})
    read = [form.reports(code) for code in (b"AS", b"x" * 100, b"x" * 56)]
    assert [decoded_cards(decoder, *reports_) for reports_ in read] == [["AS"], ["QD"], ["#", "?"]]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_report_of_another_length_is_an_unread_card(form):
    (report,) = form.reports(b"AS")
    decoder = codec(form.descriptor)
    assert decoded_cards(decoder, report[: decoder.report_bytes - 1], report + b"\1", report + b"\0") == [
        "#",
        "?",
        "#",
        "?",
        "AS",
    ]


def test_zeros_within_an_uncounted_code_are_unread():
    (report,) = NO_COUNT.reports(b"AS")
    at = report.index(b"AS")
    assert decoded_cards(codec(NO_COUNT.descriptor), report[: at + 3] + b"K" + report[at + 4 :]) == ["#", "?"]


def test_a_16_bit_count_beyond_the_data_is_unread():
    (report,) = FORMS["16-bit count"].reports(b"AS")
    assert decoded_cards(codec(FORMS["16-bit count"].descriptor), report[:2] + b"\1" + report[3:]) == ["#", "?"]


OTHERWISE = 'set it to a serial port (USB-COM) by the code in its manual, and write model = "barcode" with its port'
IN_PIECES = DESCRIPTOR.replace(
    bytes.fromhex("95 38 82 02 01"), bytes.fromhex("95 08 82 02 01 09 00 95 02 81 03 09 fe 95 30 82 02 01")
)
FOUR_BITS = "09 00 75 04 95 01 81 03"
MID_BYTE = DESCRIPTOR.replace(COUNT, bytes.fromhex(f"05 01 {FOUR_BITS} 09 3b 75 08 95 01 81 02 {FOUR_BITS} 75 08"))


@pytest.mark.parametrize(
    ("descriptor", "reason"),
    [
        (KEYBOARD, "its report descriptor is not that of a HID-POS scanner: set it to HID-POS by the code in"),
        (DESCRIPTOR[:42], "its report descriptor cannot be read (it ends within an item): unplug it and plug it in"),
        (
            ReportForm("75 0c 95 01 81 02 75 04 81 03").descriptor,
            f"but its byte count is not in whole bytes: {OTHERWISE}",
        ),
        (ReportForm("75 20 95 01 81 02").descriptor, f"but its byte count has 4 bytes, expected 1 or 2: {OTHERWISE}"),
        (MID_BYTE, f"but its byte count is not in whole bytes: {OTHERWISE}"),
        (IN_PIECES, f"but the data of a code is not in one piece: {OTHERWISE}"),
    ],
    ids=["keyboard", "cut", "12 bits", "4 bytes", "from the middle of a byte", "in pieces"],
)
def test_an_unusable_descriptor_is_refused_with_reason_and_remedy(descriptor, reason):
    assert reason in HidPos().described(descriptor)


def test_a_reconnect_forgets_half_a_code():
    decoder = codec(codes={"AS": "AS"})
    assert decoded_cards(decoder, reports(b"x" * 60)[0]) == []
    decoder.connected()
    assert decoded_cards(decoder, *reports(b"AS")) == ["AS"]


@pytest.mark.parametrize("descriptor", [b"", KEYBOARD, DESCRIPTOR[:40], DESCRIPTOR + b"\xfe", b"\xb4", b"\x27\0"])
def test_a_broken_or_foreign_descriptor_is_refused(descriptor):
    assert HidPos().described(descriptor)


@given(st.binary(max_size=80), st.integers(0, len(DESCRIPTOR)))
def test_any_report_descriptor_is_a_layout_or_a_reason(noise, at):
    decoder = HidPos()
    if decoder.described(DESCRIPTOR[:at] + noise) is None:
        decoder.feed(bytes(decoder.report_bytes))


@given(st.lists(st.binary(max_size=70), max_size=5), st.sampled_from(FULL_DECK))
def test_after_any_noise_the_next_code_is_read(noise, card):
    decoder = codec()
    decoded_cards(decoder, *noise, b"\x02")
    assert decoded_cards(decoder, *reports(card.encode())) == [card]


def test_push_and_pop_usage_ranges_and_long_usages_are_read():
    elements = inputs(bytes.fromhex("05 01 75 08 95 02 a4 05 0c 19 01 29 02 81 02 b4 0b 3b 00 09 00 81 02"))
    assert [one.usage for one in elements] == [(0x0C, 1), (0x0C, 2), (9, 0x3B), (9, 0x3B)]
    assert report_length(elements, 0) == 4
    with pytest.raises(BadDescriptor):
        inputs(bytes.fromhex("77 ff ff ff ff 97 ff ff ff ff 81 02"))


@pytest.mark.parametrize(("count", "is_refused"), [(4096, False), (4097, True)])
def test_a_report_has_4096_bytes_at_most(count, is_refused):
    descriptor = bytes.fromhex("75 08 96") + count.to_bytes(2, "little") + bytes.fromhex("81 02")
    if is_refused:
        with pytest.raises(BadDescriptor):
            inputs(descriptor)
    else:
        assert report_length(inputs(descriptor), 0) == count


def test_a_scanner_on_the_bus_is_heard_and_found_again():
    async def play():
        bus = EmulatedUsbBus()
        scanner = EmulatedHidPos(UsbLine(bus), cards=["AS", "TH", "9C"])
        rig = QueuedUsbLink(bus, ConfiguredIdentity("shoe"), FAST, HidPos(no_read=NO_READ))
        rig.link.start()
        try:
            for kinds in ([CardRead], [CardUnreadable, CardRead]):
                scanner.plug()
                assert await rig.hears() == Found("usb at 1-1", "S2047A")
                scanner.draw(unreadable=len(kinds) > 1)
                scanner.redraw()
                assert [type(await rig.hears()) for _ in kinds] == kinds
                scanner.unplug()
                assert type(await rig.hears()) is Lost
        finally:
            await rig.link.stop()

    asyncio.run(play())


def test_a_device_without_hid_pos_keeps_its_kernel_driver():
    async def play():
        bus, events = EmulatedUsbBus(), asyncio.Queue()
        other = UsbLine(bus, dataclasses.replace(IDENTITY, report_descriptor=KEYBOARD))
        other.plug()
        link = UsbLink(HidPos(), events.put_nowait, None, bus, FAST)
        link.start()
        try:
            event = await asyncio.wait_for(events.get(), PATIENCE)
            assert isinstance(event, DeviceUnusable)
            assert "set it to HID-POS" in event.reason
        finally:
            await link.stop()
        assert bus.port(other).kernel_driver

    asyncio.run(play())


def test_a_scanner_matches_known_vendors_or_the_configured_id():
    assert HidPos().matches(0x0C2E, 0x0DB3)
    assert not HidPos().matches(0x05F3, 0x0405)
    assert HidPos(usb="05f3:0405").matches(0x05F3, 0x0405)
    assert not HidPos(usb="05f3:0405").matches(0x0C2E, 0x0DB3)


def test_nothing_is_ever_sent_to_a_scanner():
    with pytest.raises(ValueError, match="expected nothing for a scanner"):
        HidPos().checked(b"\xfd\x03\x16T\r")
