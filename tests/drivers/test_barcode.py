"""Codec of bar-code scanners against the lines in the vendors' manuals, also torn and with garbage."""

import asyncio
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.emulators.barcode import NO_READ, EmulatedBarcode
from drivers.emulators.decks import FULL_DECK
from drivers.events import CardRead, CardUnreadable, Found, Garbage
from drivers.serial_port import SerialSettings
from drivers.shoes import shoe_model
from drivers.shoes.barcode import NAMES, Barcode, CodeReader
from drivers.shoes.stream import LONGEST
from tests.drivers.host import Host

CODES = {"D12": "QD", "(01)000042": "AS", "KH-1": "KH", "KH-2": "KH"}


def decoded_cards(codec: Barcode, *chunks: bytes) -> list[str]:
    """Return a card as its name, an unread card as ?, garbage as #."""
    words = {CardRead: lambda event: event.card, CardUnreadable: lambda _: "?", Garbage: lambda _: "#"}
    return [words[type(event)](event) for chunk in chunks for event in codec.feed(chunk)]


@pytest.mark.parametrize(
    ("settings", "line", "meaning"),
    [
        ({}, b"AS\r\n", ["AS"]),  # Datalogic: CR LF
        ({}, b"AS\n", ["AS"]),  # the public table: a newline
        ({}, b"AS\r", ["AS"]),
        ({}, b"10h\r\nth\r\n", ["TH", "TH"]),
        ({"terminator": "etx"}, b"AS\x03", ["AS"]),
        ({"terminator": "etx"}, b"AS\r\n", []),  # the line has not ended
        ({"codes": CODES}, b"D12\r\n", ["QD"]),  # the public table: suit and two digits
        ({"codes": CODES}, b"QD\r\n", ["#", "?"]),  # with configured codes, a card's name is no code
        ({"codes": CODES}, b"d12\r\n", ["#", "?"]),
        ({"codes": CODES}, b"KH-1\r\nKH-2\r\n", ["KH", "KH"]),
        ({"prefix": "\x02"}, b"\x02AS\r\n", ["AS"]),
        ({"prefix": "\x02"}, b"AS\r\n", ["#"]),  # without the prefix: another scanner's line
        ({"aim": ("C0", "A")}, b"]C0AS\r\n", ["AS"]),
        ({"aim": ("C0", "A")}, b"]A3AS\r\n", ["AS"]),
        ({"aim": ("C0", "A")}, b"]C1AS\r\n", ["#"]),  # GS1-128
        ({"aim": ("C0",)}, b"]E04006381333931\r\n", ["#"]),  # a bottle of water
        ({"aim": ("C0",)}, b"AS\r\n", ["#"]),
        ({"aim": ("C0",), "prefix": "#"}, b"#]C0AS\r\n", ["AS"]),
        ({}, b"4006381333931\r\n", ["#", "?"]),  # without the AIM identifier this may have been a card
        ({"no_read": "NOREAD"}, b"NOREAD\r\nAS\r\n", ["?", "AS"]),
        ({"no_read": "NOREAD", "aim": ("C0",), "prefix": "#"}, b"NOREAD\r\n#NOREAD\r\n#]X0NOREAD\r\n", ["?"] * 3),
        ({"no_read": "NOREAD", "unique": True}, b"NOREAD\r\nNOREAD\r\n", ["?", "?"]),
        ({}, b"\r\n\r\n", []),
        ({}, b"A\r\n", ["#", "?"]),
        ({}, b"\xff\x00AS\r\n", ["#", "?"]),
        ({}, b"A" * LONGEST, ["#", "?"]),
    ],
)
def test_a_line_reads_as_the_scanner_is_set(settings, line, meaning):
    assert decoded_cards(Barcode(**settings), line) == meaning


def test_with_unique_codes_a_repeated_code_is_no_new_card():
    again = b"KH-1\r\nKH-1\r\nKH-2\r\nKH-1\r\n"
    assert decoded_cards(Barcode(codes=CODES, unique=True), again) == ["KH", "KH", "KH"]
    assert decoded_cards(Barcode(codes=CODES), again) == ["KH"] * 4
    codec = Barcode(codes=CODES, unique=True)
    assert decoded_cards(codec, b"KH-1\r\n") == ["KH"]
    codec.reset()
    assert decoded_cards(codec, b"KH-1\r\n") == ["KH"]


def test_a_failed_read_is_no_code_to_learn():
    assert decoded_cards(CodeReader(no_read="NOREAD"), b"NOREAD\r\nNOREAD-1\r\n") == ["?", "NOREAD-1"]


def test_a_reset_forgets_half_a_line():
    codec = Barcode()
    assert decoded_cards(codec, b"A") == []
    codec.reset()
    assert decoded_cards(codec, b"KS\r\n") == ["KS"]


lines = st.lists(st.sampled_from([*FULL_DECK, "10C", "no card", ""]), max_size=8).map(
    lambda codes: "".join(f"{code}\r\n" for code in codes).encode()
)


@given(lines, st.lists(st.integers(0, 60), max_size=10))
def test_any_chunking_gives_the_same_events(data, cuts):
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    assert decoded_cards(Barcode(), *(data[start:end] for start, end in pairwise(edges))) == decoded_cards(
        Barcode(), data
    )


@given(st.sampled_from(FULL_DECK), st.data())
def test_a_code_that_lacks_a_byte_is_never_another_card(name, data):
    code = f"CARD-{name}-{FULL_DECK.index(name):02}"
    codes = {f"CARD-{card}-{number:02}": card for number, card in enumerate(FULL_DECK)}
    gone = data.draw(st.integers(0, len(code) - 1))
    assert decoded_cards(Barcode(codes=codes), (code[:gone] + code[gone + 1 :]).encode() + b"\r\n") == ["#", "?"]


@given(st.binary(max_size=300), st.sampled_from(FULL_DECK))
def test_after_noise_and_a_line_end_a_card_is_read(noise, name):
    assert decoded_cards(Barcode(), noise + b"\r\n", name.encode() + b"\r\n")[-1] == name


def test_unlock_and_lock_switch_a_triggered_scanner_on_and_off():
    codec = shoe_model("barcode").codec(allow=frozenset({"lock"}))
    assert (codec.unlock(), codec.lock()) == (b"\x16T\r", b"\x16U\r")
    with pytest.raises(ValueError, match="expected to be allowed"):
        shoe_model("barcode").codec().lock()


def test_a_code_reader_reports_each_code_without_its_prefix():
    assert decoded_cards(CodeReader(prefix="#"), b"#(01)42\r\nno\r\n") == ["(01)42", "#"]


def test_every_card_has_its_name():
    assert set(NAMES.values()) == set(FULL_DECK)


def test_a_scanner_on_a_real_port_is_heard(port):
    async def steps():
        port.plug()
        scanner = EmulatedBarcode(port, cards=["AS", "TH", "9C"])
        async with Host(port, Barcode(no_read=NO_READ), SerialSettings(9600)) as host:
            await host.hears(Found)
            port.write(b"A")
            port.write(b"S\r")
            port.write(b"\n10H\r\n")
            assert [event.card for event in await host.hears(CardRead, CardRead)] == ["AS", "TH"]
            scanner.draw(unreadable=True)
            scanner.redraw()
            scanner.garble(torn=True)
            scanner.draw()
            events = await host.hears(CardUnreadable, CardRead, Garbage, CardUnreadable)
            assert events[1].card == "AS"

    asyncio.run(steps())
