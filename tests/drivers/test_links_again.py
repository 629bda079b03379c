"""Reconnects and limits: retry waits double and start again; held keys and half lines are forgotten."""

import asyncio
import os
from types import SimpleNamespace

import pytest

from drivers import serial_link
from drivers.badge_readers import SerialBadges
from drivers.emulators.typist import keystrokes
from drivers.events import BadgeRead, Garbage
from drivers.keyboards.input_events import EVENT
from drivers.keyboards.typed_lines import LONGEST, QUICK, TypedLines
from drivers.patience import Patience
from drivers.serial_link import FIRST_WAIT, LONGEST_WAIT, SerialLink
from drivers.serial_reasons import Reason

CAPS = EVENT.pack(1, 0, 1, 58, 1) + EVENT.pack(1, 0, 1, 58, 0)
SHIFT = EVENT.pack(1, 0, 1, 42, 1)


def key(at: float, code: int = 30) -> bytes:
    seconds = int(at)
    return EVENT.pack(seconds, round((at - seconds) * 1_000_000), 1, code, 1)


def enter(at: float) -> bytes:
    return key(at, 28)


@pytest.mark.parametrize("held", [CAPS, SHIFT, keystrokes("half")])
def test_a_reconnect_forgets_keys_and_half_lines(held):
    typed = TypedLines()
    typed.feed(held)
    typed.clear()
    assert [line.text for line in typed.feed(keystrokes("ab1\n"))] == ["ab1"]


@pytest.mark.parametrize(
    ("later", "whole"), [(-0.01, False), (0.0, True), (QUICK - 0.001, True), (QUICK, True), (QUICK + 0.001, False)]
)
def test_keys_of_a_line_follow_within_a_tenth_second(later, whole):
    (line,) = TypedLines().feed(key(8.0) + key(8.0 + later) + enter(8.0 + later))
    assert (line.fault == "") is whole
    assert line.text == "aa"


@pytest.mark.parametrize(("length", "whole"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_typed_line_has_128_characters_at_most(length, whole):
    typed = TypedLines()
    for _ in range(2):
        (line,) = typed.feed(keystrokes("a" * length + "\n"))
        assert (line.fault == "") is whole


@pytest.mark.parametrize(("length", "good"), [(7, False), (8, True), (64, True), (65, False)])
def test_a_badge_has_eight_to_64_characters(length, good):
    (event,) = SerialBadges().feed(b"\x02" + b"7" * length + b"\r\n")
    assert isinstance(event, BadgeRead if good else Garbage)


def test_a_device_that_stayed_is_looked_for_quickly_again():
    patience = Patience(2.0, 0.05, 0.5, 5.0)
    for _ in range(2):
        pauses = []
        for seconds in (0.1, 4.9, 5.0, 0.1):
            patience.note_service(seconds)
            pauses.append(patience.pause())
        assert pauses == [1.0, 2.0, 0.5, 1.0]
        patience.note_service(9.0)


class AbsentPort:
    """Port that is absent: each try to open it fails."""

    name, address, serial, grain = "p", "p", None, 1.0

    def open(self) -> SimpleNamespace:
        raise FileNotFoundError(2, "no such file")

    def open_failure(self, _: Exception) -> SimpleNamespace:
        return SimpleNamespace(text="no such port", away=True)


@pytest.mark.parametrize(("lasted", "anew"), [(LONGEST_WAIT, False), (LONGEST_WAIT + 0.1, True)])
def test_waits_start_again_after_a_port_that_lasted(monkeypatch, lasted, anew):
    now, waits = [0.0], []

    async def steps():
        link = SerialLink(AbsentPort(), SimpleNamespace(), lambda _: None)

        async def pause(seconds: float) -> None:
            waits.append(seconds)
            if len(waits) == 4:
                link._stopping.set()

        async def opened() -> SimpleNamespace | None:
            return SimpleNamespace() if len(waits) == 3 else None

        async def serve(_: object) -> None:
            now[0] += lasted

        monkeypatch.setattr(link, "_pause", pause)
        monkeypatch.setattr(link, "_open_line", opened)
        monkeypatch.setattr(link, "_serve", serve)
        loop = SimpleNamespace(time=lambda: now[0])
        monkeypatch.setattr(serial_link.asyncio, "get_running_loop", lambda: loop)
        await link._run()

    asyncio.run(steps())
    assert waits[:3] == [FIRST_WAIT, 2 * FIRST_WAIT, 4 * FIRST_WAIT]
    assert waits[3] == (FIRST_WAIT if anew else 8 * FIRST_WAIT)


def test_lost_key_events_release_all_held_keys():
    typed = TypedLines()
    lost = EVENT.pack(1, 0, 0, 3, 0) + EVENT.pack(1, 0, 0, 0, 0)
    lines = typed.feed(SHIFT + keystrokes("a") + lost + keystrokes("b\nab1\n"))
    assert [(line.text, bool(line.fault)) for line in lines][-1] == ("ab1", False)
    assert lines[0].fault


def test_an_absence_is_reported_again_after_the_port_was_there():
    """An absence is reported once, and again only after the port was open in between."""

    async def steps():
        events: list[object] = []
        link = SerialLink(AbsentPort(), SimpleNamespace(reset=lambda: None), events.append)
        reading, writing = os.pipe()
        try:
            for _ in range(2):
                for _ in range(3):
                    link._report_absence(Reason("no permission"))
                link._find(SimpleNamespace(fileno=lambda: reading))
                link._let_go("gone")
        finally:
            os.close(reading)
            os.close(writing)
        assert [type(one).__name__ for one in events] == ["Lost", "Found"] * 2

    asyncio.run(steps())
