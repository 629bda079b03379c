"""Correct codec of numbered telegrams with a check, from which the faulty ones are derived.

A telegram: 02, a number from 1 to 9, the card or `??`, the XOR of these as two hex digits, 03.
"""

from functools import reduce
from operator import xor

from controller.rules.cards import FULL_DECK
from drivers.events import CardRead, CardUnreadable, Garbage, TelegramLost

START, END = 0x02, 0x03
LONGEST = 32
CARDS = frozenset(FULL_DECK)
ROUND = ("4S", "TH", "??", "KC", "AS", "2D", "9H", "JC", "QD", "7S", "3C")


def telegram(number: int, card: str) -> bytes:
    body = f"{number % 9 + 1}{card}".encode()
    return bytes([START]) + body + b"%02X" % reduce(xor, body) + bytes([END])


CAPTURE = "".join(f"{telegram(number, card).hex(' ')}  # {card}\n" for number, card in enumerate(ROUND))


class Right:
    """Correct codec: takes bytes and returns events."""

    longest = LONGEST

    def __init__(self):
        self.held, self.due = bytearray(), None

    def feed(self, data):
        events = []
        for byte in data:
            if byte == START and self.held:
                events.append(Garbage(bytes(self.held), "no end"))
                self.held.clear()
            self.held.append(byte)
            if byte == END or len(self.held) == self.longest:
                raw = bytes(self.held)
                self.held.clear()
                events += self.whole(raw)
        return events

    def whole(self, raw):
        if len(raw) != 7 or raw[0] != START or not self.is_checked(raw):
            return [Garbage(raw, "no telegram")]
        number, card = raw[1] - 0x30, raw[2:4].decode("latin-1")
        return [*self.gap(number), *self.card(card, raw)]

    def is_checked(self, raw):
        return raw[4:6] == b"%02X" % reduce(xor, raw[1:4]) and 0x31 <= raw[1] <= 0x39

    def gap(self, number):
        due, self.due = self.due, number % 9 + 1
        return [TelegramLost(str(due), str(number))] if due not in (None, number) else []

    def card(self, card, raw):
        return [CardRead(card, raw=raw)] if card in CARDS else [CardUnreadable(raw)]

    def reset(self):
        self.held.clear()
        self.due = None
