"""Codecs with one mistake each in how they read: checks, card names, numbers, noise, resets."""

import re
from functools import reduce
from operator import xor

from drivers.events import CardRead, CardUnreadable, Garbage

from .numbered_codec import CARDS, END, START, Right


class NeverCompared(Right):
    def is_checked(self, raw):
        return 0x31 <= raw[1] <= 0x39


class HalfCompared(Right):
    """Compares only the second digit of the check."""

    def is_checked(self, raw):
        return raw[5:6] == (b"%02X" % reduce(xor, raw[1:4]))[1:] and 0x31 <= raw[1] <= 0x39


class TooEarly(Right):
    """Reports the card when its two characters are received, before the check."""

    def feed(self, data):
        events = []
        for byte in data:
            if byte == START:
                self.held.clear()
            self.held.append(byte)
            if len(self.held) == 4:
                events += self.gap(self.held[1] - 0x30)
                events += self.card(self.held[2:4].decode("latin-1"), bytes(self.held))
            if byte == END or len(self.held) == self.longest:
                self.held.clear()
        return events


class Torn(Right):
    def feed(self, data):
        self.held.clear()
        return super().feed(data)


class NoNumber(Right):
    """Converts the check to a number without testing that it is two hex digits."""

    def is_checked(self, raw):
        return int(raw[4:6], 16) == reduce(xor, raw[1:4]) and 0x31 <= raw[1] <= 0x39


class TopBit(Right):
    """Decodes received bytes as ASCII without testing them."""

    def whole(self, raw):
        raw.decode("ascii")
        return super().whole(raw)


class WaitsForTheNumber(Right):
    def whole(self, raw):
        if len(raw) == 7 and self.is_checked(raw) and self.due not in (None, raw[1] - 0x30):
            return [Garbage(raw, "out of order")]
        return super().whole(raw)


class GapUntold(Right):
    def gap(self, number):
        super().gap(number)
        return []


class GapRaises(Right):
    def gap(self, number):
        assert self.due in (None, number)
        return super().gap(number)


class KeepsHalf(Right):
    def reset(self):
        self.due = None


class KeepsNumber(Right):
    def reset(self):
        self.held.clear()


class Stuck(Right):
    """Reports nothing more after forty bytes of garbage."""

    def __init__(self):
        super().__init__()
        self.bad = 0

    def whole(self, raw):
        events = super().whole(raw)
        self.bad += len(raw) if isinstance(events[0], Garbage) else 0
        return events if self.bad < 40 else []


class Ten(Right):
    def card(self, card, raw):
        return [CardRead(card.replace("T", "10"), raw=raw)] if card in CARDS else [CardUnreadable(raw)]


class Text(Right):
    def card(self, card, raw):
        return [card]


class Anywhere(Right):
    """Reads a card from any line that contains the characters of a card."""

    def whole(self, raw):
        if raw[0] == START:
            return super().whole(raw)
        found = re.findall(rb"[2-9TJQKA][CDHS]", raw)
        return [CardRead(card.decode(), raw=raw) for card in found]


class Twice(Right):
    """Reports the last events again when it is fed no bytes."""

    def __init__(self):
        super().__init__()
        self.last = []

    def feed(self, data):
        self.last = super().feed(data) if data else self.last
        return self.last


class Joined(Right):
    """Takes any seven bytes as a telegram, without looking for its start."""

    def feed(self, data):
        events = []
        for byte in data:
            self.held.append(byte)
            if len(self.held) == 7:
                raw = bytes(self.held)
                self.held.clear()
                events += self.whole(raw)
        return events


class FromOne(Right):
    """Expects number 1 in the first telegram that it receives."""

    def __init__(self):
        super().__init__()
        self.due = 1
