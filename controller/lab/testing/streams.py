"""Checks for the codec of any stream device: a shoe, scanner or badge reader on a line.

A line cuts and joins bytes anywhere and adds noise; a PC may have two such devices; after a reconnect all starts anew.
"""

import random
from collections.abc import Sequence

from .broken import Broken
from .feeds import capture_texts
from .watch import Fresh, Tells

NOISES = 40  # random byte sequences
LONGEST = 600  # bytes of noise, more than any codec may store
KEEP = "store an incomplete message until the next feed"


def check_pieces(makes: Fresh, tells: Tells, messages: Sequence[bytes]) -> None:
    """Check that events depend neither on how bytes are cut nor on a second codec. Raises Broken.

    `messages`: messages of the device.
    """
    usual = tells(makes(), [b"".join(messages)])
    _check_cuts(makes, tells, b"".join(messages), usual)
    _check_two_at_once(makes, tells, messages, usual)


def check_recovery(makes: Fresh, tells: Tells, messages: Sequence[bytes], unit: int = 1) -> None:
    """Check that events depend neither on noise before them nor on bytes before a reset.

    Raises Broken.

    `unit`: the length of noise is a multiple of this.
    """
    whole = b"".join(messages)
    usual = tells(makes(), [whole])
    _check_noise(makes, tells, whole, usual, unit)
    _check_reset(makes, tells, whole, usual)


def _check_cuts(makes: Fresh, tells: Tells, whole: bytes, usual: Sequence[object]) -> None:
    """Check that events are the same if the bytes are cut in two at any place, and byte by byte. Raises Broken."""
    for cut in range(1, len(whole)):
        if tells(makes(), [whole[:cut], whole[cut:]]) != usual:
            raise Broken(
                f"expected the same events however the bytes are cut, cut after byte {cut} they differ",
                [whole[:cut].hex(" ").upper()[-120:], whole[cut:].hex(" ").upper()[:120]],
                KEEP,
            )
    if tells(makes(), (bytes([byte]) for byte in whole)) != usual:
        raise Broken(
            "expected the same events however the bytes are cut, byte by byte they differ",
            capture_texts(whole),
            KEEP,
        )


def _check_two_at_once(makes: Fresh, tells: Tells, messages: Sequence[bytes], usual: Sequence[object]) -> None:
    """Check two codecs fed in turns, with halves of messages and single bytes. Raises Broken."""
    by_halves = [
        turn
        for line in messages
        for turn in (([line[: len(line) // 2], b""], [line]), ([line[len(line) // 2 :], b""], []))
    ]
    by_bytes = [([bytes([byte])], [bytes([byte])]) for byte in b"".join(messages)]
    for turns in (by_halves, by_bytes):
        one, other = makes(), makes()
        pairs = [(tells(one, pieces), tells(other, other_pieces)) for pieces, other_pieces in turns]
        for output in zip(*pairs, strict=True):
            if [event for events in output for event in events] != list(usual):
                raise Broken(
                    "expected the same events while a second codec is fed, they differ",
                    capture_texts(*messages[:3]),
                    "store the state in self, made in __init__, not in the class or the module; return no event twice",
                )


def _check_noise(makes: Fresh, tells: Tells, whole: bytes, usual: Sequence[object], unit: int) -> None:
    """Check that the codec works again after noise, at the latest when everything is sent a second time."""
    dice = random.Random(0)
    tells(makes(), [whole[1:], whole[:-1]])
    for _ in range(NOISES):
        noise = dice.randbytes(unit * dice.choice((1, 3, 9, LONGEST)))
        events = tells(makes(), [noise, whole, whole])
        if list(events[-len(usual) :] if usual else []) != list(usual):
            raise Broken(
                f"expected the messages after {len(noise)} bytes of noise, feed did not return them",
                [noise.hex(" ").upper()[:120], "then the whole capture, twice"],
                "drop bytes that cannot begin a message, and store no more than one message",
            )


def _check_reset(makes: Fresh, tells: Tells, whole: bytes, usual: Sequence[object]) -> None:
    """Check that a reset forgets what was half received."""
    for cut in range(1, len(whole)):
        codec = makes()
        tells(codec, [whole[:cut]])
        codec.codec.reset()
        if tells(codec, [whole]) != usual:
            raise Broken(
                f"expected reset to clear the state, after {cut} bytes it does not",
                [whole[:cut].hex(" ").upper()[-120:], "then reset, then all of the capture"],
                "clear in reset all that feed stores",
            )
