"""Codecs with one mistake each in what they keep, share with others or wait for."""

import threading
import time
from datetime import datetime
from typing import ClassVar

from .numbered_codec import START, Right


class NoLimit(Right):
    longest = 10**9


class KeepsAllTelegrams(Right):
    def __init__(self):
        super().__init__()
        self.all = []

    def whole(self, raw):
        events = super().whole(raw)
        self.all.append((raw, events))
        return events


class SharesBytes(Right):
    """Keeps received bytes in the class, for all codecs."""

    shared: ClassVar = bytearray()

    def __init__(self):
        super().__init__()
        self.held = self.shared
        self.held.clear()


class OneNumber(Right):
    """Keeps the next number in the class, for all codecs."""

    last: ClassVar = [None]

    def __init__(self):
        super().__init__()
        self.last[0] = None

    def gap(self, number):
        self.due = self.last[0]
        lost = super().gap(number)
        self.last[0] = self.due
        return lost

    def reset(self):
        super().reset()
        self.last[0] = None


class SleepsAnHour(Right):
    """Sleeps for an hour, through an import that the check of the source does not see."""

    def whole(self, raw):
        __import__("time").sleep(3600)
        return super().whole(raw)


class WaitsABit(Right):
    """Waits 2 ms at each telegram, for an event that is never set."""

    def __init__(self):
        super().__init__()
        self.event = EVENT

    def whole(self, raw):
        self.event.wait(0.002)
        return super().whole(raw)


EVENT = threading.Event()


class DropsRepeatsByTime(Right):
    """Drops the same card if it is read again within half a second."""

    def __init__(self):
        super().__init__()
        self.at, self.last = 0.0, ""

    def card(self, card, raw):
        now = time.monotonic()
        again = card == self.last and now - self.at < 0.5
        self.at, self.last = now, card
        return [] if again else super().card(card, raw)


class Date(Right):
    def card(self, card, raw):
        return super().card(card, raw) if datetime.now().year < 2100 else []  # noqa: DTZ005 - the plant


class Busy(Right):
    """Takes millions of steps for one of the cards."""

    def card(self, card, raw):
        sum(range(10_000_000 if card == "AS" else 0))
        return super().card(card, raw)


class RoundAndRound(Right):
    """Removes bytes before a telegram one by one; without a telegram the loop never ends."""

    def whole(self, raw):
        while raw[0] != START:
            raw = raw[1:] or raw
        return super().whole(raw)


ONE = Right()


def always_the_same():
    return ONE
