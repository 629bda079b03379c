"""Badge reader codecs: only a whole, valid line is a badge, and no other event shows its characters."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.badge_readers import SerialBadges, TypedBadges
from drivers.emulators.typist import keystrokes
from drivers.events import BadgeRead, Garbage

CODE = "04A2B9C1F0"


@pytest.mark.parametrize("line", [f"{CODE}\r\n", f"{CODE}\r", f"{CODE}\n", f"\x02{CODE}\x03", f"\x02{CODE}\r\n\x03"])
def test_a_serial_badge_is_read_with_any_line_end(line):
    assert SerialBadges().feed(line.encode()) == [BadgeRead(CODE)]


def test_a_typed_badge_is_read_in_the_configured_layout():
    assert TypedBadges().feed(keystrokes(f"{CODE}\n")) == [BadgeRead(CODE)]
    assert TypedBadges("fr").feed(keystrokes(f"{CODE}\n", "fr")) == [BadgeRead(CODE)]


@pytest.mark.parametrize(
    ("codec", "data"),
    [
        (SerialBadges(), b"1234567\r\n"),  # short enough to be guessed
        (SerialBadges(), b"7" * 200 + b"\r\n"),
        (SerialBadges(), b"1234 5678\r\n"),
        (SerialBadges(), b"12345678\xff\r\n"),
        (TypedBadges(), keystrokes("123\n")),
        (TypedBadges(), keystrokes("12345678\n", step=0.3)),  # typed by a person
    ],
)
def test_an_invalid_badge_is_garbage_without_its_characters(codec, data):
    events = codec.feed(data)
    assert events
    assert all(isinstance(event, Garbage) and event.raw == b"" for event in events)
    assert not any(digits in repr(events) for digits in ("123", "777"))


def test_half_a_badge_is_forgotten_with_its_line():
    for codec, half, whole in (
        (SerialBadges(), b"0471", f"{CODE}\r\n".encode()),
        (TypedBadges(), keystrokes("0471"), keystrokes(f"{CODE}\n", at=1.03)),
    ):
        codec.feed(half)
        codec.reset()
        assert codec.feed(whole) == [BadgeRead(CODE)]


@given(st.lists(st.sampled_from([CODE, "0004711815", "short", ""]), max_size=6), st.integers(1, 30))
def test_any_chunking_gives_the_same_badges(codes, size):
    data, codec = "".join(f"{code}\r\n" for code in codes).encode(), SerialBadges()
    chunked = [event for at in range(0, len(data), size) for event in codec.feed(data[at : at + size])]
    assert chunked == SerialBadges().feed(data)
    assert [event.code for event in chunked if isinstance(event, BadgeRead)] == [
        code for code in codes if len(code) > 5
    ]
