"""Sender of an emulated Angel Eye: telegrams are numbered, repeated, and damaged on request."""

from typing import Protocol

from drivers.emulators.port import EmulatedPort
from drivers.shoes.angel_eye_decoder import Report


class Unnumbered(Protocol):
    """Report that waits for its sequence character."""

    def __call__(self, seq: str, /) -> Report:
        """Build the report with this sequence character."""


class TelegramVoice:
    """Sender of the shoe's telegrams.

    `copies`: how often each telegram is sent; `sequence`: the characters that number them.
    """

    def __init__(self, port: EmulatedPort, copies: int, sequence: str) -> None:
        self._port, self._copies, self._sequence = port, copies, sequence
        self._sent = 0  # since the numbering began
        self._garbled, self._torn = 0, False

    def restart(self) -> None:
        """Begin the numbering anew."""
        self._sent = 0

    def garble(self, copies: int, *, torn: bool) -> None:
        """Damage the first copies of the next telegram: one bit each, or with `torn` half is missing."""
        self._garbled, self._torn = copies, torn

    def say(self, report: Unnumbered) -> None:
        """Send a telegram in its copies, damaged where asked."""
        frame = report(self._sequence[self._sent % len(self._sequence)]).encode()
        self._sent += 1
        bad = min(self._garbled, self._copies)
        damaged = frame[: len(frame) // 2] if self._torn else frame[:-4] + bytes([frame[-4] ^ 1]) + frame[-3:]
        self._garbled, self._torn = 0, False
        self._port.write(damaged * bad + frame * (self._copies - bad))
