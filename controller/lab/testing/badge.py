"""`check_badge_reader`: rules of our own badge readers, tried on another author's codec.

A reader's bytes are a stream, on a serial line or from a keyboard's node: cut and joined anywhere. A badge code signs a
dealer on, so no text may contain it, and a damaged code must never become another valid one.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from drivers.badge_readers import BADGE, BadgeCodec
from drivers.events import BadgeRead, DeviceEvent, Garbage
from drivers.keyboards.input_events import EVENT

from .broken import Broken
from .damage import flip_bits
from .endless_input import check_endless
from .feeds import Kinds, bytes_of_capture, capture_texts, decode_all
from .outside_calls import check_codec_source
from .streams import check_pieces, check_recovery
from .watch import Codec, Progress, WatchedCodec, check_waits, run_watched

KINDS: Kinds = (BadgeRead, Garbage)
PART = 5  # characters in a row of a badge code that no text may contain
Makes = Callable[[], BadgeCodec]


def check_badge_reader(
    makes: Makes, captures: Sequence[Path | str], *, keyboard: bool = False, check_sum: bool = False
) -> None:
    """Check a badge reader's codec. Raises Broken: what was expected, the bytes that show it, what to change.

    `makes`: returns a fresh codec at each call. `captures`: everything that the reader sent for some badges.
    `keyboard`: the reader types as a keyboard; then the input are the kernel's events, which are never cut.
    `check_sum`: each badge has a check that shows one wrong bit.
    """
    check_codec_source(makes)
    for path in captures:
        messages = bytes_of_capture(path)
        run_watched(partial(_check, makes, messages, str(path).rpartition("/")[2], EVENT.size if keyboard else 1))
        if check_sum:
            run_watched(partial(_check_damage, makes, messages))


def _check(makes: Makes, messages: Sequence[bytes], name: str, unit: int, progress: Progress) -> None:
    def fresh() -> WatchedCodec[Codec]:
        return WatchedCodec(makes(), progress)

    whole = b"".join(messages)
    check_waits(fresh, _badges, messages)
    usual = _badges(fresh(), [whole])
    _reads(usual, whole, name)
    check_pieces(fresh, _badges, messages)
    check_recovery(fresh, _badges, messages, unit)
    check_endless(fresh, _badges, messages)
    _check_no_leaks(makes, whole, usual)


def _check_damage(makes: Makes, messages: Sequence[bytes], progress: Progress) -> None:
    """Check that one wrong bit never gives another badge. Raises Broken."""
    dice = random.Random(0)
    for line in messages:
        usual = _badges(WatchedCodec(makes(), progress), [line])
        for damaged, what in flip_bits(line, dice):
            if set(_badges(WatchedCodec(makes(), progress), [damaged])) - set(usual):
                raise Broken(
                    f"expected no other badge from a damaged line, with {what} feed returned one",
                    capture_texts(line, damaged),
                    "compare the whole check before you return BadgeRead: another badge signs another person on",
                )


def _badges(codec: WatchedCodec[Codec], pieces: Iterable[bytes]) -> list[str]:
    return [event.code for piece in pieces for event in decode_all(codec, piece, KINDS) if isinstance(event, BadgeRead)]


def _reads(usual: Sequence[str], whole: bytes, name: str) -> None:
    if not usual:
        raise Broken(f"expected badges in {name}, feed returned no BadgeRead", capture_texts(whole), "record some")
    if wrong := [code for code in usual if not BADGE.fullmatch(code)]:
        other = next((sign for sign in wrong[0] if not "!" <= sign <= "~"), "")
        raise Broken(
            f"expected a badge of 8 to 64 letters, digits or signs, feed returned one of {len(wrong[0])} characters"
            f"{f' with {other!r}' if other else ''}",
            capture_texts(whole),
            'return Garbage(b"", reason) for any other code: a short one could be guessed',
        )


def _check_no_leaks(makes: Makes, whole: bytes, usual: Sequence[str]) -> None:
    """Check that garbage is reported only by its length, and that no text contains a badge code. Raises Broken."""
    for at in range(len(whole)):
        codec = makes()
        spoilt = whole[:at] + b"\xff" + whole[at + 1 :]
        garbage = [event for event in decode_all(codec, spoilt, KINDS) if isinstance(event, Garbage)]
        if leaks := [event for event in garbage if event.raw or _holds(event, usual)]:
            raise Broken(
                "expected Garbage without any of the bytes that came, it has some of them",
                [*capture_texts(spoilt), repr(leaks[0])[:80].replace(usual[0], "...")],
                'return Garbage(b"", reason), and name only the length in the reason: many people read the logs',
            )


def _holds(event: DeviceEvent, codes: Iterable[str]) -> bool:
    return any(code[at : at + PART] in repr(event) for code in codes for at in range(len(code) - PART + 1))
