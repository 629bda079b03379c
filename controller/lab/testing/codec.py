"""`check_codec`: rules of our own codecs, tried on another author's by captures.

Bytes arrive as on a real line: in any pieces, after noise, cut short, with wrong bits, joined, or from another device.
A codec makes the same events of the same bytes, reports no card that was not sent, never raises and never waits. It
stores at most one message, and after an error it finds the next complete one.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import get_args

from drivers.captures import read_capture
from drivers.events import CardUnreadable, Garbage, ShoeEvent

from .broken import Broken
from .damage import check_damage, check_foreign, check_gaps
from .endless_input import check_endless
from .feeds import Kinds, capture_texts, decode_all
from .outside_calls import check_codec_source
from .read_cards import check_cards
from .streams import check_pieces, check_recovery
from .watch import Codec, Progress, WatchedCodec, check_waits, run_watched

KINDS: Kinds = get_args(ShoeEvent)
Makes = Callable[[], Codec]


def check_codec(
    makes: Makes,
    captures: Sequence[Path | str],
    *,
    check_sum: bool = True,
    numbered: bool = False,
    cards: Sequence[str] | None = None,
) -> None:
    """Check a codec of a stream device. Raises Broken: the rule, the bytes, what to change.

    `makes`: returns a fresh codec at each call. `check_sum`: each message has a check for one wrong bit or lost bytes.
    `numbered`: the device numbers its messages. `cards`: the cards in all captures, in order.
    """
    check_codec_source(makes)
    events: list[object] = []
    for path in captures:
        passed = [*read_capture(Path(path).read_text(encoding="utf-8"))]
        lines = [one.data for one in passed if one.direction == "<" and one.data]
        sent = b"".join(one.data for one in passed if one.direction == ">")
        name = str(path).rpartition("/")[2]
        run_watched(partial(_check, makes, lines, sent, name, check_sum=check_sum, numbered=numbered))
        events += _events(WatchedCodec(makes(), Progress()), lines)
    if cards is not None:
        check_cards(events, cards)


def _check(
    makes: Makes, lines: Sequence[bytes], sent: bytes, name: str, progress: Progress, *, check_sum: bool, numbered: bool
) -> None:
    whole = b"".join(lines)

    def fresh() -> WatchedCodec[Codec]:
        return WatchedCodec(makes(), progress)

    check_waits(fresh, _events, lines)
    _check_news(_events(fresh(), [whole]), whole, name)
    check_pieces(fresh, _events, lines)
    check_gaps(fresh, _events, lines, numbered=numbered)
    check_foreign(fresh, _events, whole, sent)
    check_damage(fresh, _events, lines, check_sum=check_sum)
    check_recovery(fresh, _events, lines)
    check_endless(fresh, _events, lines)


def _events(codec: WatchedCodec[Codec], pieces: Iterable[bytes]) -> list[object]:
    return [event for piece in pieces for event in decode_all(codec, piece, KINDS)]


def _check_news(events: Sequence[object], whole: bytes, name: str) -> None:
    if all(isinstance(event, Garbage | CardUnreadable) for event in events):
        raise Broken(
            f"expected events for the messages of {name}, feed returned {_describe(events)}",
            capture_texts(whole),
            "see that the capture is of this device, that its lines are whole, and that feed returns events",
        )


def _describe(events: Sequence[object]) -> str:
    return f"only Garbage or CardUnreadable ({len(events)})" if events else "none"
