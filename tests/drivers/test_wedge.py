"""Codec of scanners that type: only a whole code is a card, and a repeated reading counts once."""

import asyncio
import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core.bounds import TELEGRAM
from drivers.emulators.decks import FULL_DECK
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.typist import keystrokes
from drivers.events import Found, Lost
from drivers.identity import ConfiguredIdentity, Recognition
from drivers.keyboards.input_events import EVENT
from drivers.own_keyboard import OwnKeyboard
from drivers.serial_link import SerialLink
from drivers.shoes.wedge import Wedge
from tests.drivers.test_barcode import decoded_cards
from tests.patience import PATIENCE

CODES = {"D12": "QD", "(01)000042": "AS", "KH-1": "KH", "KH-2": "KH"}
WINDOW = 0.5


@pytest.mark.parametrize(
    ("settings", "text", "meaning"),
    [
        ({}, "AS\n", ["AS"]),
        ({}, "10h\tth\n", ["TH", "TH"]),
        ({"layout": "fr"}, "AS\nQD\n", ["AS", "QD"]),
        ({"codes": CODES}, "D12\n(01)000042\n", ["QD", "AS"]),
        ({"codes": CODES}, "QD\n", ["#", "?"]),
        ({"prefix": "#"}, "#AS\nAS\n", ["AS", "#"]),
        ({"aim": ("C0",)}, "]C0AS\n]E04006381333931\n", ["AS", "#"]),
        ({"no_read": "NOREAD"}, "NOREAD\nAS\n", ["?", "AS"]),
        ({"unique": True, "codes": CODES, "window_ms": 0}, "KH-1\nKH-1\nKH-2\n", ["KH", "KH"]),
        ({"reader": True, "codes": CODES}, "(01)42\n", ["(01)42"]),
        ({"layout": "ro", "reader": True}, "ăAS\n", ["\\u0103AS"]),
    ],
)
def test_a_line_reads_as_the_scanner_is_set(settings, text, meaning):
    assert decoded_cards(Wedge(**settings), keystrokes(text, settings.get("layout", "us"))) == meaning


def test_a_code_repeated_within_the_window_is_one_reading():
    codec = Wedge()
    assert decoded_cards(codec, keystrokes("KH\nKH\n")) == ["KH"]
    assert decoded_cards(codec, keystrokes("KH\n", at=1 + WINDOW)) == []  # the card still lies under the scanner
    assert decoded_cards(codec, keystrokes("KH\n", at=1 + 3 * WINDOW)) == ["KH"]
    assert decoded_cards(codec, keystrokes("QD\nKH\n", at=1 + 3.2 * WINDOW)) == ["QD", "KH"]
    codec.reset()
    assert decoded_cards(codec, keystrokes("KH\n", at=1 + 3.3 * WINDOW)) == ["KH"]


def test_typed_or_incomplete_lines_are_unread_cards():
    assert decoded_cards(Wedge(), keystrokes("KH\n", step=0.3)) == ["#", "?"]
    dropped = EVENT.pack(1, 0, 0, 3, 0) + EVENT.pack(1, 0, 0, 0, 0)
    assert decoded_cards(Wedge(), keystrokes("K") + dropped + keystrokes("\n")) == ["#", "?"]


@given(st.sampled_from(FULL_DECK), st.sampled_from(FULL_DECK), st.lists(st.booleans(), max_size=12))
def test_two_interleaved_scans_give_whole_codes_or_none(one, other, turns):
    codes = {f"{card}{number:02}": card for number, card in enumerate(FULL_DECK)}
    waiting = [[*next(code for code in codes if codes[code] == card), "\n"] for card in (one, other)]
    mixed = ""
    for first in [*turns, *[True] * 12, *[False] * 12]:
        if keys := waiting[not first]:
            mixed += keys.pop(0)
    read = decoded_cards(Wedge(codes=codes, window_ms=0), keystrokes(mixed))
    assert set(read) <= {one, other, "#", "?"}


class KeyboardPty(PtyPort):
    """Pty in place of a keyboard's node: bytes written to it are what a scanner types."""

    def types(self, text: str, at: float) -> None:
        self.write(keystrokes(text, at=at))


def test_a_scanner_is_heard_pulled_and_heard_again(tmp_path, monkeypatch):
    monkeypatch.setattr("drivers.keyboards.node.grab", lambda _: None)  # a pty cannot be grabbed
    monkeypatch.setattr("drivers.keyboards.node.QUICK", 0.01)

    async def steps():
        port, queue, weighed = KeyboardPty(tmp_path / "kbd"), asyncio.Queue(), []
        link = SerialLink(OwnKeyboard(str(port.link)), Wedge(), queue.put_nowait, lambda *one: weighed.append(one))
        try:
            port.plug()
            link.start()
            for turn in (1, 2):
                assert isinstance(await asyncio.wait_for(queue.get(), PATIENCE), Found)
                port.types("KH\n", at=10 * turn)
                assert (await asyncio.wait_for(queue.get(), PATIENCE)).card == "KH"
                port.types("Q", at=10 * turn + 1)  # half a code
                port.unplug()
                assert isinstance(lost := await asyncio.wait_for(queue.get(), PATIENCE), Lost)
                assert lost.reason.startswith(f"{port.link} went away: unplugged")
                port.plug()
            assert sum(max(size / TELEGRAM, events) for size, events in weighed) < 3  # a card counts as one telegram
        finally:
            await link.stop()
            port.unplug()

    asyncio.run(steps())


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOENT, "see whether the badge reader is plugged in and set to type as a keyboard"),
        (errno.EACCES, "`tablectl devices` prints the udev rule for it"),
        (errno.EBUSY, "another program has grabbed it"),
        (errno.ENOTTY, "is no keyboard's node"),
        (errno.ENODEV, "cannot be opened: no such device"),
    ],
)
def test_why_a_node_does_not_open_is_one_line(number, words):
    own = OwnKeyboard("/dev/input/by-id/x", None, Recognition(ConfiguredIdentity("badge_reader")))
    reason = own.open_failure(OSError(number, os.strerror(number)))
    assert words in reason.text
    assert "\n" not in reason.text
    assert reason.away == (number in (errno.ENOENT, errno.ENODEV))


def test_a_node_of_no_keyboard_is_closed_again(tmp_path):
    (tmp_path / "file").touch()
    before = {each.name for each in Path("/proc/self/fd").iterdir()}
    with pytest.raises(OSError, match="Inappropriate ioctl") as refused:
        OwnKeyboard(str(tmp_path / "file")).open()
    assert "is no keyboard's node" in OwnKeyboard(str(tmp_path / "file")).open_failure(refused.value).text
    assert {each.name for each in Path("/proc/self/fd").iterdir()} == before
