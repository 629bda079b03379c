"""`check_codec`: what is true of our own codecs, tried on one that somebody else wrote, by captures of its device.

Bytes come as the line gives them: in any pieces, after noise, cut short, turned over, joined, or from another device. A
codec makes the same events of the same bytes, tells no card that was not sent, never raises and waits for nothing. It
holds back no more than a message, and finds back to the next whole one.
"""

import inspect
import random
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path

from drivers.captures import read_capture
from drivers.events import CardRead, CardUnreadable, DeviceEvent, Garbage

from .broken import Broken
from .damage import check_damage, check_foreign, check_gaps
from .endless import check_endless
from .outside import asked_of_the_world
from .watch import Codec, Fresh, Makes, Progress, WatchedCodec, check_waits, watched

NOISES = 40  # runs of bytes that chance makes
LONGEST = 600  # bytes of noise, more than any codec may hold back
CARDS = frozenset(rank + suit for rank in "23456789TJQKA" for suit in "CDHS") | {"JOKER"}


def check_codec(
    makes: Makes, captures: Sequence[Path | str], *, check_sum: bool = True, numbered: bool = False
) -> None:
    """Raises Broken: what was expected, the bytes that show it, what to change.

    `makes`: a fresh codec each time. `check_sum`: each telegram has a check that shows one wrong bit, or bytes lost.
    `numbered`: the device numbers its telegrams.
    """
    _check_source(makes)
    for path in captures:
        passed = [*read_capture(Path(path).read_text(encoding="utf-8"))]
        said = [one.data for one in passed if one.direction == "<" and one.data]
        sent = b"".join(one.data for one in passed if one.direction == ">")
        name = str(path).rpartition("/")[2]
        watched(partial(_check, makes, said, sent, name, check_sum=check_sum, numbered=numbered))


def _check_source(makes: Makes) -> None:
    """Raises Broken for a clock, a wait, chance or a file in the source of the codec, or for one codec given twice."""
    codec, other = makes(), makes()
    if codec is other:
        raise Broken(
            "expected a fresh codec each time, the same one came twice",
            change="make it in `makes`: a class, a function",
        )
    for kind in type(codec).__mro__[:-1]:
        module = inspect.getmodule(kind)
        for where, called in asked_of_the_world(module, {kind.__name__}) if module is not None else ():
            raise Broken(
                f"expected a codec that knows the bytes alone, {where} calls {called}(...)",
                change="leave it out: a codec opens nothing, keeps no clock and waits for nothing; the link does",
            )


def _check(
    makes: Makes, said: Sequence[bytes], sent: bytes, name: str, progress: Progress, *, check_sum: bool, numbered: bool
) -> None:
    whole = b"".join(said)

    def fresh() -> WatchedCodec:
        return WatchedCodec(makes(), progress)

    check_waits(fresh, told, said)
    usual = told(fresh(), [whole])
    _is_of_events(usual, whole)
    _tells_something(usual, whole, name)
    _torn(fresh, whole, usual)
    _apart(fresh, whole, usual)
    _two_at_once(fresh, said, usual)
    check_gaps(fresh, told, said, numbered=numbered)
    check_foreign(fresh, told, whole, sent)
    check_damage(fresh, told, said, check_sum=check_sum)
    _noisy(fresh, whole, usual)
    _reset(fresh, whole, usual)
    check_endless(fresh, told, said)


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


def _torn(makes: Fresh, whole: bytes, usual: Sequence[object]) -> None:
    """Cut in two at each byte."""
    for cut in range(1, len(whole)):
        if told(makes(), [whole[:cut], whole[cut:]]) != usual:
            raise Broken(
                f"expected the same events however the bytes are cut, cut after byte {cut} they are others",
                [whole[:cut].hex(" ").upper()[-120:], whole[cut:].hex(" ").upper()[:120]],
                "keep what is not whole yet until the next feed",
            )


def _apart(makes: Fresh, whole: bytes, usual: Sequence[object]) -> None:
    """Byte by byte."""
    if told(makes(), (bytes([byte]) for byte in whole)) != usual:
        raise Broken(
            "expected the same events however the bytes are cut, byte by byte they are others",
            [whole.hex(" ").upper()[:200]],
            "keep what is not whole yet until the next feed",
        )


def _two_at_once(makes: Fresh, said: Sequence[bytes], usual: Sequence[object]) -> None:
    """Two shoes at one PC, each with a codec of its own; and nothing new of no bytes."""
    one, other = makes(), makes()
    events: list[object] = []
    beside: list[object] = []
    for line in said:
        events += told(one, [line[: len(line) // 2], b""])
        beside += told(other, [line])
        events += told(one, [line[len(line) // 2 :], b""])
    if events != list(usual) or beside != list(usual):
        raise Broken(
            "expected the same events while a second codec is fed, they are others",
            [line.hex(" ").upper() for line in said[:3]],
            "keep all that feed keeps in self, made in __init__; nothing in the class or the module, nothing twice",
        )


def _noisy(makes: Fresh, whole: bytes, usual: Sequence[object]) -> None:
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


def _reset(makes: Fresh, whole: bytes, usual: Sequence[object]) -> None:
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
