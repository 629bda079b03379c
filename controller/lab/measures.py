"""Measurements of this PC: disk, serial line, and delay of a sleeping program."""

import asyncio
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct

from drivers.emulators.decks import FULL_DECK, shuffled_cards
from drivers.emulators.pty_port import PtyPort
from drivers.events import CardRead, DeviceEvent
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.shoes.angel_eye import AngelEye
from drivers.shoes.angel_eye_cards import DrawReport
from drivers.shoes.angel_eye_numbers import SEQUENCE

from ..core import events as e
from ..core.house import House, Terms
from ..core.life import RESTING
from ..games import GAMES
from ..journal import Journal
from ..script.play import Play

PATTERN = b"x" * 4096  # a page: the unit by which the record's file grows
REST = 0.01  # seconds that the program asks to sleep


class MeasuredTimes(Struct, frozen=True):
    """Durations of a repeated act in milliseconds: median, 99th percentile and maximum."""

    half: float  # p50
    most: float  # p99
    worst: float


def times(seconds: Sequence[float]) -> MeasuredTimes:
    """Compute median, p99 and maximum of durations in seconds."""
    ordered = sorted(one * 1000 for one in seconds)
    return MeasuredTimes(ordered[len(ordered) // 2], ordered[len(ordered) * 99 // 100], ordered[-1])


def disk(folder: Path, count: int) -> MeasuredTimes:
    """Measure writing and syncing a page, `count` times. Raises OSError."""
    took = list[float]()
    with tempfile.NamedTemporaryFile(dir=folder, prefix=".tablectl-bench-") as file:
        for _ in range(count):
            began = time.perf_counter()
            os.write(file.fileno(), PATTERN)
            os.fdatasync(file.fileno())
            took.append(time.perf_counter() - began)
    return times(took)


def cards(folder: Path, count: int) -> MeasuredTimes:
    """Measure `count` cards of baccarat from the decision to the record on disk. Raises OSError, JournalError."""
    game = GAMES["baccarat"]
    house = House(game, game.settings(), terms=Terms(confirm="auto"), table="bench")
    with tempfile.TemporaryDirectory(dir=folder, prefix=".tablectl-bench-") as own:
        journal = Journal(Path(own) / "bench.journal")
        try:
            return times(_time_deals(Play(house, journal), count))
        finally:
            journal.close()


def _time_deals(play: Play, count: int) -> list[float]:
    took, dice, shoe = list[float](), random.Random(1), list[str]()  # noqa: S311 - cards of no game
    while len(took) < count:
        if len(shoe) < play.house.deck.change_below:
            shoe = shuffled_cards(FULL_DECK, play.house.deck.copies, dice.randrange(2**32))
            play.take(e.ChangeShoe("bench"))
            play.take(e.LoadShoe("bench"))
        for event in (e.Open(), e.Close()):
            play.take(event)
        while play.state.life not in RESTING:
            began = time.perf_counter()
            play.take(e.CardOut(shoe.pop()))
            took.append(time.perf_counter() - began)
    return took


async def line(count: int) -> MeasuredTimes:
    """Measure the time from writing a card's message to a pseudo-terminal until its event arrives, `count` times."""
    took, arrival = list[float](), asyncio.Event()

    def deliver(event: DeviceEvent) -> None:
        if not isinstance(event, CardRead):
            arrival.set()
            return
        took.append(time.perf_counter() - began)
        arrival.set()

    with tempfile.TemporaryDirectory() as folder:
        port = PtyPort(Path(folder) / "shoe")
        port.plug()
        link = SerialLink(OwnPort(str(port.link)), AngelEye(), deliver)
        link.start()
        try:
            for number in range(count):  # the first event says that the port was found
                await arrival.wait()
                arrival.clear()
                began = time.perf_counter()
                port.write(DrawReport(SEQUENCE[number % len(SEQUENCE)], "player", 1, "8S").encode())
            await arrival.wait()
        finally:
            await link.stop()
            port.unplug()
    return times(took)


async def wakes(count: int) -> MeasuredTimes:
    """Measure how late a sleeping program is woken."""
    late = list[float]()
    for _ in range(count):
        began = time.perf_counter()
        await asyncio.sleep(REST)
        late.append(max(0.0, time.perf_counter() - began - REST))
    return times(late)
