"""`check_codec`: what is true of our own codecs, tried on one that somebody else wrote, by captures of its device.

Bytes come as the line gives them: in any pieces, after noise, and cut short. A codec makes the same events of them,
never raises, and finds back to the next whole message.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

from drivers.captures import read_capture
from drivers.events import CardRead, CardUnreadable, DeviceEvent, Garbage

from .broken import Broken

NOISES = 40  # runs of bytes that chance makes
LONGEST = 600  # bytes of noise, more than any codec may hold back
CARDS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "CDHS") | {"JOKER"}


class Codec(Protocol):
    """What is tried."""

    def feed(self, data: bytes, /) -> Iterable[object]:
        """The events that these bytes complete."""

    def reset(self) -> None:
        """Forget what was half received."""


Makes = Callable[[], Codec]


def check_codec(makes: Makes, captures: Sequence[Path | str]) -> None:
    """Raises Broken: what was expected, the bytes that show it, what to change. `makes`: a fresh codec each time."""
    for path in captures:
        said = [one.data for one in read_capture(Path(path).read_text(encoding="utf-8")) if one.direction == "<"]
        _check(makes, said, str(path).rpartition("/")[2])


def _check(makes: Makes, said: Sequence[bytes], name: str) -> None:
    whole = b"".join(said)
    usual = told(makes(), [whole])
    _is_of_events(usual, whole)
    _tells_something(usual, whole, name)
    _torn(makes, whole, usual)
    _apart(makes, whole, usual)
    _noisy(makes, whole, usual)
    _reset(makes, whole, usual)


def told(codec: Codec, pieces: Iterable[bytes]) -> list[object]:
    """What it says of these. Raises Broken where it raises."""
    events: list[object] = []
    for piece in pieces:
        try:
            events += codec.feed(piece)
        except Exception as error:  # noqa: BLE001 - anybody's codec
            raise Broken(
                f"expected feed never to raise, it raised {type(error).__name__}: {error}",
                [piece.hex(" ").upper()[:200]],
                "answer what is no message with Garbage(raw, reason)",
            ) from None
    return events


def _is_of_events(events: Sequence[object], whole: bytes) -> None:
    for event in events:
        if not isinstance(event, DeviceEvent):
            raise Broken(
                f"expected events of drivers.events, feed gave {event!r:.60}",
                [whole.hex(" ").upper()[:200]],
                "give CardRead, CardUnreadable, Garbage ...",
            )
        if isinstance(event, CardRead) and event.card not in CARDS:
            raise Broken(
                f"expected a card such as AS, TD or 9H, feed gave {event.card!r:.20}",
                [event.raw.hex(" ").upper()],
                "name the rank first, ten as T, then the suit as C, D, H or S",
            )


def _tells_something(events: Sequence[object], whole: bytes, name: str) -> None:
    if all(isinstance(event, Garbage | CardUnreadable) for event in events):
        raise Broken(
            f"expected news of what {name} holds, feed made {len(events)} events of it and all of them are garbage",
            [whole.hex(" ").upper()[:200]],
            "see that the capture is of this device, that its lines are whole, and that feed gives what it has read",
        )


def _torn(makes: Makes, whole: bytes, usual: Sequence[object]) -> None:
    """Cut in two at each byte."""
    for cut in range(1, len(whole)):
        if told(makes(), [whole[:cut], whole[cut:]]) != usual:
            raise Broken(
                f"expected the same events however the bytes are cut, cut after byte {cut} they are others",
                [whole[:cut].hex(" ").upper()[-120:], whole[cut:].hex(" ").upper()[:120]],
                "keep what is not whole yet until the next feed",
            )


def _apart(makes: Makes, whole: bytes, usual: Sequence[object]) -> None:
    """Byte by byte."""
    if told(makes(), (bytes([byte]) for byte in whole)) != usual:
        raise Broken(
            "expected the same events however the bytes are cut, byte by byte they are others",
            [whole.hex(" ").upper()[:200]],
            "keep what is not whole yet until the next feed",
        )


def _noisy(makes: Makes, whole: bytes, usual: Sequence[object]) -> None:
    """After any noise the codec finds back: at the latest the second time that the device says it all."""
    dice = random.Random(0)
    for number in range(NOISES):
        noise = dice.randbytes(dice.choice((1, 3, 9, LONGEST)))
        events = told(makes(), [noise, whole, whole])
        _is_of_events(events, noise)
        if list(events[-len(usual) :] if usual else []) != list(usual):
            raise Broken(
                f"expected the codec to find back after {len(noise)} bytes of noise, what came after them is lost",
                [noise.hex(" ").upper()[:120], "and then twice what the capture holds"],
                "drop what cannot begin a message, up to the next one that can, and hold back no more than a message",
            )
        if number == 0 and len(whole) > 1:
            told(makes(), [whole[1:], whole[:-1]])


def _reset(makes: Makes, whole: bytes, usual: Sequence[object]) -> None:
    """After a reconnect nothing is left of what was half received."""
    for cut in range(1, len(whole)):
        codec = makes()
        told(codec, [whole[:cut]])
        codec.reset()
        if told(codec, [whole]) != usual:
            raise Broken(
                f"expected reset to forget what was half received, after {cut} bytes it does not",
                [whole[:cut].hex(" ").upper()[-120:], "then reset, then all of the capture"],
                "clear in reset all that feed keeps",
            )
