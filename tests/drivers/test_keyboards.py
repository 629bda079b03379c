"""Keyboard input: kernel events are decoded, layouts applied, and spoilt lines marked with a fault."""

import os
import string
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.emulators.typist import keystrokes
from drivers.keyboards.input_events import EVENT, Dropped, InputEvents, Key
from drivers.keyboards.layouts import LAYOUTS
from drivers.keyboards.node import drain
from drivers.keyboards.typed_lines import LONGEST, LOST, QUICK, SLOW, STRANGE, TypedLines
from drivers.patience import DeviceCannotServe

A_DOWN = bytes.fromhex("0500000000000000 2003000000000000 0100 1e00 01000000")  # of a 64-bit kernel
DROPPED = EVENT.pack(1, 0, 0, 3, 0)
REPORT = EVENT.pack(1, 0, 0, 0, 0)
CAPS = EVENT.pack(1, 0, 1, 58, 1) + EVENT.pack(1, 0, 1, 58, 0)


def typed(data: bytes, layout: str = "us") -> list[tuple[str, str]]:
    return [(line.text, line.fault) for line in TypedLines(layout).feed(data)]


def test_an_event_is_read_as_the_kernel_writes_it():
    assert list(InputEvents().feed(A_DOWN)) == [Key(30, down=True, at=5.0008)]


def test_only_key_presses_and_releases_are_events():
    others = [
        (4, 4, 458756),
        (1, 30, 2),
        (17, 0, 1),
        (0, 0, 0),
        (2, 0, -5),
    ]  # a scan code, held, lamp, report, mouse
    assert list(InputEvents().feed(b"".join(EVENT.pack(1, 0, *each) for each in others))) == []


def test_after_lost_events_input_is_ignored_until_the_next_report():
    lost = DROPPED + EVENT.pack(1, 0, 1, 30, 1) + REPORT
    assert list(InputEvents().feed(lost + A_DOWN)) == [Dropped(), Key(30, down=True, at=5.0008)]
    assert typed(keystrokes("AS") + lost + keystrokes("D\nKH\n")) == [("ASD", LOST), ("KH", "")]
    shift, other = EVENT.pack(1, 0, 1, 42, 1), EVENT.pack(1, 0, 0, 1, 0)  # down; a report of another kind
    assert typed(shift + DROPPED + other + A_DOWN + REPORT + keystrokes("d\nkh\n")) == [("d", LOST), ("kh", "")]
    device = InputEvents()
    assert list(device.feed(DROPPED)) == [Dropped()]
    device.clear()
    assert list(device.feed(A_DOWN)) == [Key(30, down=True, at=5.0008)]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_layout_types_letters_and_digits_in_both_cases(layout):
    text = string.ascii_letters + string.digits
    assert typed(keystrokes(f"{text}\n", layout), layout) == [(text, "")]
    assert typed(CAPS + keystrokes(f"{text}\n", layout), layout) == [(text.swapcase(), "")]


@pytest.mark.parametrize("layout", ["us", "de", "fr", "ro"])
def test_every_layout_types_what_aim_identifiers_and_prefixes_need(layout):
    assert typed(keystrokes("]C0#(01)-.\n", layout), layout) == [("]C0#(01)-.", "")]


@pytest.mark.parametrize(
    ("layout", "keys", "said"),
    [("de", "yz", "zy"), ("fr", "qwa", "azq"), ("fr", "123", '&é"'), ("ro", "[", "ă")],
)
def test_a_wrong_layout_reads_other_characters(layout, keys, said):
    assert typed(keystrokes(f"{keys}\n"), layout) == [(said, "")]


def test_number_pad_digits_and_enter_are_read():
    pad = [79, 80, 81, 75, 76, 77, 71, 72, 73, 82, 96]
    assert typed(b"".join(EVENT.pack(1, 0, 1, code, 1) for code in pad)) == [("1234567890", "")]


def test_a_non_text_key_spoils_only_its_own_line():
    ctrl = EVENT.pack(1, 0, 1, 29, 1) + keystrokes("]") + EVENT.pack(1, 0, 1, 29, 0)
    f1 = EVENT.pack(1, 0, 1, 59, 1)
    assert typed(keystrokes("A") + ctrl + keystrokes("S\nKH\n")) == [("AS", STRANGE), ("KH", "")]
    assert typed(f1 + keystrokes("\nKH\n")) == [("", STRANGE), ("KH", "")]


def test_slow_typing_spoils_its_line_even_with_scanner_input():
    slow = keystrokes("AS\n", step=QUICK * 1.5)
    assert typed(slow + keystrokes("KH\n", at=9)) == [("AS", SLOW), ("KH", "")]
    assert typed(keystrokes("A") + keystrokes("KH\nKH\n", at=9)) == [("AKH", SLOW), ("KH", "")]
    assert typed(keystrokes("A", at=9) + keystrokes("S\n", at=5)) == [("AS", SLOW)]  # the clock went back


def test_a_line_longer_than_any_code_is_refused_whole():
    ((text, fault), after) = typed(keystrokes("7" * (LONGEST + 9) + "\nKH\n", step=0.0001))
    assert (len(text), fault, after) == (LONGEST, "longer than any code: is it set to send Enter?", ("KH", ""))


def test_enter_and_tab_end_lines_and_empty_lines_are_ignored():
    assert typed(keystrokes("\nAS\t\nKH\n\n")) == [("AS", ""), ("KH", "")]


def test_clear_forgets_half_a_line_and_held_keys():
    lines = TypedLines()
    lines.feed(EVENT.pack(1, 0, 1, 42, 1) + keystrokes("a") + A_DOWN[:7])
    lines.clear()
    assert [line.text for line in lines.feed(keystrokes("ks\n"))] == ["ks"]


texts = st.text("AKQJT98765432CDHS\n", max_size=20)


@given(texts, st.lists(st.integers(0, 500), max_size=8))
def test_any_chunking_gives_the_same_lines(text, cuts):
    data, lines = keystrokes(text), TypedLines()
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    output = [line for start, end in pairwise(edges) for line in lines.feed(data[start:end])]
    assert [(line.text, line.fault) for line in output] == typed(data)


@given(st.binary(max_size=200))
def test_after_any_noise_and_enter_the_next_line_is_read(noise):
    lines = TypedLines()
    noise += bytes(-len(noise) % EVENT.size)  # the kernel gives whole events
    lines.feed(noise + REPORT)
    releases = b"".join(EVENT.pack(1, 0, 1, code, 0) for code in (29, 42, 54, 56, 97, 100, 125, 126))
    lines.feed(releases + keystrokes("\n"))
    assert [line.text.upper() for line in lines.feed(keystrokes("KH\n", at=5))] == ["KH"]


def test_text_half_typed_before_the_grab_is_dropped():
    out, into = os.pipe()
    try:
        os.set_blocking(out, False)
        os.write(into, keystrokes("AS"))
        drain(out, 0.01)
        os.write(into, keystrokes("KH\n"))
        assert typed(os.read(out, 4096)) == [("KH", "")]
    finally:
        os.close(out)
        os.close(into)


def test_a_device_that_types_without_end_is_refused(monkeypatch):
    monkeypatch.setattr("drivers.keyboards.node.ENDLESS", 0.0)
    out, into = os.pipe()
    try:
        os.write(into, keystrokes("A" * 100))
        with pytest.raises(DeviceCannotServe, match="types without end"):
            drain(out, 10)
    finally:
        os.close(out)
        os.close(into)
