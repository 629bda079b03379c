"""Stream Deck codecs against the layouts of the vendor's HID pages (see the captures); emulated decks."""

import asyncio
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.emulators.stream_deck import EmulatedStreamDeck
from drivers.emulators.usb_bus import EmulatedUsbBus
from drivers.events import Found, Garbage, Lost, Pressed, Released, Version
from drivers.identity import ConfiguredIdentity, Recognition
from drivers.panels import PANELS, Pictured, panel_codec
from drivers.panels.stream_deck_models import MINI, MODELS, PLUS
from drivers.panels.stream_deck_reports import NoSuchKey, Page, ReportRefused, brightness, build, parse
from drivers.usb_link import UsbLink
from tests.drivers.host import FAST
from tests.drivers.test_xkeys import capture
from tests.patience import PATIENCE

NAMES = ("stream_deck", "stream_deck_xl", "stream_deck_mini", "stream_deck_neo", "stream_deck_plus")
EACH = pytest.mark.parametrize("name", NAMES)
CODECS = [panel_codec(name) for name in NAMES]


def events_text(events) -> str:
    words = (
        "garbage" if isinstance(event, Garbage) else f"{type(event).__name__.lower()} {event.key}" for event in events
    )
    return ", ".join(words) or "nothing"


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


@EACH
def test_a_session_reads_as_the_vendor_describes_it(name):
    codec = panel_codec(name)
    codec.connected()
    for report, meaning in capture(f"{name}_keys.hex"):
        assert events_text(codec.feed(report)) == meaning.split(":")[0], meaning


@given(st.data(), st.sampled_from(CODECS))
def test_torn_reports_are_garbage_and_move_no_key(data, codec):
    codec.connected()
    whole = build(frozenset({0, 2}), codec.model)
    codec.feed(whole)
    assert events_text(codec.feed(whole[: data.draw(st.integers(0, len(whole) - 1))])) == "garbage"
    codec.feed(data.draw(st.binary(max_size=40)))
    codec.connected()
    assert codec.feed(whole) == []


@given(st.data(), st.sampled_from(MODELS))
def test_a_key_report_is_parsed_as_it_was_built(data, model):
    keys = data.draw(st.frozensets(st.sampled_from(model.keys)))
    assert parse(build(keys, model), model) == keys
    assert parse(build(keys, model).ljust(512, b"\0"), model) == keys


@EACH
def test_a_first_report_presses_only_a_single_key(name):
    codec = panel_codec(name)
    for first, then in (({1}, {1, 2}), ({1, 2}, {1, 2, 3})):
        codec.connected()
        expected = [Pressed(1)] if first == {1} else []
        assert codec.feed(build(frozenset(first), codec.model)) == expected
        assert codec.feed(build(frozenset(then), codec.model)) == [Pressed(max(then))]
    assert codec.feed(build(frozenset(), codec.model)) == [Released(1), Released(2), Released(3)]


def test_no_two_models_go_by_one_product_id():
    ids = [product for model in MODELS for product in model.products]
    assert len(ids) == len(set(ids))
    for name in NAMES:
        codec = PANELS[name]()
        assert [product for product in ids if codec.matches(0x0FD9, product)] == [*codec.model.products]
        assert not codec.matches(0x05F3, codec.model.products[0])
        assert codec.refusal(codec.model.products[0]) is None


# ── reports to the deck ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["stream_deck", "stream_deck_mini"])
def test_a_connected_deck_is_cleared_and_set_bright(name):
    codec = panel_codec(name)
    reports = [report for report, meaning in capture("stream_deck_first.hex") if meaning.startswith(f"{name}:")]
    assert codec.connected() == reports
    assert [codec.checked(report) for report in reports] == reports
    assert [codec.is_feature(report) for report in reports] == [False, True, True]


def test_a_picture_is_sent_in_numbered_pages():
    file = bytes(1016) + b"\1" * 1016 + b"\2" * 3
    first, second, third = panel_codec("stream_deck_xl").picture(31, file)
    assert first == bytes.fromhex("02 07 1f 00 f8 03 00 00") + file[:1016]
    assert second == bytes.fromhex("02 07 1f 00 f8 03 01 00") + file[1016:2032]
    assert third == bytes.fromhex("02 07 1f 01 03 00 02 00 02 02 02") + bytes(1013)


def test_a_mini_picture_has_pages_with_keys_from_1():
    file = b"\1" * 1008 + b"\2" * 3
    first, second = panel_codec("stream_deck_mini").picture(5, file)
    assert first == bytes.fromhex("02 01 00 00 00 06") + bytes(10) + file[:1008]
    assert second == bytes.fromhex("02 01 01 00 01 06") + bytes(10) + b"\2\2\2" + bytes(1005)


@given(st.data(), st.sampled_from(CODECS))
def test_pages_are_parsed_as_built_and_nothing_else_is_sent(data, codec):
    model = codec.model
    key, file = data.draw(st.sampled_from(model.keys)), data.draw(st.binary(min_size=1, max_size=3000))
    sent = codec.picture(key, file)
    assert [codec.checked(report) for report in sent] == sent
    pages = [Page.parse(report, model) for report in sent]
    assert b"".join(page.data for page in pages).startswith(file)
    assert [(page.key, page.number, page.last) for page in pages] == [
        (key, number, number == len(sent) - 1) for number in range(len(sent))
    ]
    damaged = bytearray(sent[0])
    damaged[data.draw(st.integers(0, 15))] ^= data.draw(st.integers(1, 255))
    with suppress(ReportRefused):
        assert Page.parse(codec.checked(bytes(damaged)), model).key in model.keys


@pytest.mark.parametrize(
    ("name", "report"),
    [
        ("stream_deck", b""),
        ("stream_deck", b"\x02\x07"),
        ("stream_deck", bytes.fromhex("03 0d").ljust(32, b"\0")),  # some other setting
        ("stream_deck", brightness(100, MINI)),
        ("stream_deck", bytes.fromhex("02 07 0f 01 01 00 00 00 ff").ljust(1024, b"\0")),  # key 15 of 15
        ("stream_deck_mini", brightness(100, PLUS)),
        ("stream_deck_mini", bytes.fromhex("02 01 00 00 01 07").ljust(1024, b"\0")),
        ("stream_deck_mini", bytes.fromhex("02 01 00 00 01 00").ljust(1024, b"\0")),
    ],
)
def test_an_unknown_report_is_never_sent(name, report):
    with pytest.raises(ReportRefused, match="expected a page of"):
        panel_codec(name).checked(report)


def test_a_key_that_is_not_there_has_no_picture():
    with pytest.raises(NoSuchKey, match=r"expected a key of a Stream Deck Mini \(0 to 5\), got 6: correct the key"):
        panel_codec("stream_deck_mini").picture(6, b"BM")


# ── on the bus ───────────────────────────────────────────────────────────────────────────────────────────────────────


@EACH
def test_a_broken_picture_does_not_spoil_pictures_after_replugging(name):
    async def play():
        bus, news = EmulatedUsbBus(), asyncio.Queue()
        codec = panel_codec(name)
        deck = EmulatedStreamDeck(bus, "DL47", codec.model)
        last = codec.keys[-1]
        pages = codec.picture(last, bytes(range(1, 255)) * 9)
        link = UsbLink(codec, news.put_nowait, Recognition(ConfiguredIdentity("panel", "DL47")), bus, timing=FAST)
        link.start()
        try:
            for broken in (True, False):
                deck.plug()
                assert await asyncio.wait_for(news.get(), PATIENCE) == Found("usb at 1-1", "DL47")
                assert await asyncio.wait_for(news.get(), PATIENCE) == Version("1.00.000")
                assert (deck.pictures, deck.brightness) == ({}, 100)
                deck.tap(last)
                for event in (Pressed(last), Released(last)):
                    assert await asyncio.wait_for(news.get(), PATIENCE) == event
                for page in pages[:1] if broken else pages:
                    link.send(page)
                if broken:
                    deck.unplug()
                    assert await asyncio.wait_for(news.get(), PATIENCE) == Lost("unplugged")
        finally:
            await link.stop()
        assert deck.pictures[last].startswith(bytes(range(1, 255)) * 9)
        assert deck.strange == []

    asyncio.run(play())


@pytest.mark.parametrize(
    ("name", "asked", "report"),
    [
        ("stream_deck", (5, 32), "05 0c 00 00 00 00 31 2e 30 31 2e 30 30 30 00 ff"),
        ("stream_deck_mini", (4, 17), "04 00 00 00 00 31 2e 30 31 2e 30 30 30"),
    ],
)
def test_the_firmware_version_is_zero_terminated_text(name, asked, report):
    codec = panel_codec(name)
    assert codec.version_report == asked
    assert codec.version(bytes.fromhex(report)) == "1.01.000"
    assert codec.version(b"\5") == ""
    assert codec.version(bytes.fromhex("05 00 00 00 00 0a 0a e9")).isprintable()


@pytest.mark.parametrize("report", [b"", b"\x03\x09", bytes.fromhex("02 07 00 01 01 00 01 00 ff").ljust(1024, b"\0")])
def test_what_no_deck_understands_is_kept_for_the_test(report):
    deck = EmulatedStreamDeck(EmulatedUsbBus())
    deck.take_report(report)
    assert (deck.strange, deck.pictures) == ([report], {})


def test_panels_with_key_screens_have_a_pictured_codec():
    assert {name for name in PANELS if isinstance(PANELS[name](), Pictured)} == set(NAMES)
