"""`check_badge_reader`: what is true of our own badge readers, tried on a codec that somebody else wrote.

A reader's bytes are a stream, on a serial line or from a keyboard's node: cut and joined anywhere. What a badge says
opens a table, so it is in no text, and one that could be guessed is none.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from drivers.badge_readers import BADGE, BadgeCodec
from drivers.events import BadgeRead, DeviceEvent, Garbage
from drivers.keyboards.input_events import EVENT

from .broken import Broken
from .reports import Kinds, heard_in, shown, told

KINDS: Kinds = (BadgeRead, Garbage)
NOISES, LONGEST = 40, 600  # runs of bytes that chance makes, and bytes in one
PART = 5  # characters of a badge that are in no text
Makes = Callable[[], BadgeCodec]


def check_badge_reader(makes: Makes, captures: Sequence[Path | str], *, keyboard: bool = False) -> None:
    """Check a badge reader's codec. Raises Broken: what was expected, the bytes that show it, what to change.

    `makes`: a fresh codec each time. `captures`: badges that were read, each with all that the reader sends for it.
    `keyboard`: whether it types: what comes then is the kernel's events, of which none is ever lost in part.
    """
    for path in captures:
        whole = b"".join(heard_in(path))
        usual = _badges(makes(), [whole])
        _reads(usual, whole, str(path).rpartition("/")[2])
        _in_pieces(makes, whole, usual)
        _alone(makes, whole, usual)
        _after_noise(makes, whole, usual, EVENT.size if keyboard else 1)
        _says_nothing(makes, whole, usual)


def _badges(codec: BadgeCodec, pieces: Iterable[bytes]) -> list[str]:
    return [event.code for piece in pieces for event in told(codec, piece, KINDS) if isinstance(event, BadgeRead)]


def _reads(usual: Sequence[str], whole: bytes, name: str) -> None:
    if not usual:
        raise Broken(f"expected badges in {name}, feed told of none", shown(whole), "record some")
    if short := [code for code in usual if not BADGE.fullmatch(code)]:
        raise Broken(
            f"expected a badge of 8 to 64 letters, digits or signs, feed told of one with {len(short[0])}",
            shown(whole),
            "answer a shorter one with Garbage: it could be guessed",
        )


def _in_pieces(makes: Makes, whole: bytes, usual: Sequence[str]) -> None:
    """Cut anywhere, byte by byte, and after a reconnect in the middle. Raises Broken."""
    cuts = [[whole[:cut], whole[cut:]] for cut in range(1, len(whole))]
    for pieces in (*cuts, [bytes([byte]) for byte in whole]):
        if _badges(makes(), pieces) != usual:
            raise Broken(
                "expected the same badges however the bytes are cut, they are others",
                shown(*pieces[:2]),
                "keep what is not whole yet until the next feed",
            )
    for cut in range(1, len(whole)):
        codec = makes()
        _badges(codec, [whole[:cut]])
        codec.reset()
        if _badges(codec, [whole]) != usual:
            raise Broken(
                f"expected reset to forget what was half received, after {cut} bytes it does not",
                [*shown(whole[:cut]), "then reset, then all of the capture"],
                "clear in reset all that feed keeps",
            )


def _alone(makes: Makes, whole: bytes, usual: Sequence[str]) -> None:
    """Two readers at once, byte by byte in turns. Raises Broken."""
    first, second = makes(), makes()
    found: list[str] = []
    for byte in whole:
        found += _badges(first, [bytes([byte])])
        _badges(second, [bytes([byte])])
    if found != usual:
        raise Broken(
            "expected two readers at once to be told apart, what one says depends on the other",
            shown(whole),
            "keep what is known of a reader in self, made by __init__, and not in the class or the module",
        )


def _after_noise(makes: Makes, whole: bytes, usual: Sequence[str], unit: int) -> None:
    """After any noise the codec finds back, at the latest the second time. Raises Broken."""
    dice = random.Random(0)
    for _ in range(NOISES):
        noise = dice.randbytes(unit * dice.choice((1, 3, 24, LONGEST)))
        if _badges(makes(), [noise, whole, whole])[-len(usual) :] != usual:
            raise Broken(
                f"expected the codec to find back after {len(noise)} bytes of noise, what came after them is lost",
                [*shown(noise), "and then twice what the capture holds"],
                "drop what is longer than any badge, up to the next line's end",
            )


def _says_nothing(makes: Makes, whole: bytes, usual: Sequence[str]) -> None:
    """What is no badge is told by its length alone, and no text of a codec holds one. Raises Broken."""
    for at in range(len(whole)):
        codec = makes()
        spoilt = whole[:at] + b"\xff" + whole[at + 1 :]
        garbage = [event for event in told(codec, spoilt, KINDS) if isinstance(event, Garbage)]
        if said := [event for event in garbage if event.raw or _holds(event, usual)]:
            raise Broken(
                "expected garbage to say nothing of what came, it holds a part of it",
                [*shown(spoilt), repr(said[0])[:80].replace(usual[0], "...")],
                'give Garbage(b"", reason), and only the length in the reason: logs are read by many',
            )


def _holds(event: DeviceEvent, codes: Iterable[str]) -> bool:
    return any(code[at : at + PART] in repr(event) for code in codes for at in range(len(code) - PART + 1))
