"""Checks for the codec of any device on USB, tried on another author's.

A report is a complete message, never cut in two or joined to the next. Errors on USB: a report is lost, repeated, too
short, too long, or has wrong content; or another device is plugged in.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from drivers.usb_codec import UsbCodec

from .broken import Broken
from .feeds import Kinds, capture_texts, decode_all, decode_each
from .outside_calls import check_codec_source
from .watch import Progress, WatchedCodec, check_waits, run_watched

OneOfUsb = TypeVar("OneOfUsb", bound=UsbCodec)
Usb = tuple[int, int]  # vendor and product id
STRANGERS: tuple[Usb, ...] = ((0x046D, 0xC31C), (0x0403, 0x6001), (0x1D6B, 0x0002))  # a keyboard, an adapter, a hub
OTHER_ID = "of another id"
FLIPPED = 64  # first bytes of a report in which each bit is made wrong once
NOISES = 64  # random reports
CLEAR = "clear in connected() all that feed stores"


def connected_codec(makes: Callable[[], OneOfUsb]) -> OneOfUsb:
    """Create a codec as after a connect of its device. Raises Broken."""
    codec = makes()
    try:
        codec.connected()
    except Exception as error:  # noqa: BLE001 - anybody's codec
        what = f"expected connected never to raise, it raised {type(error).__name__}: {error}"
        raise Broken(what, change="return the reports to send first; [] if there are none") from None
    return codec


def damaged_reports(report: bytes, report_id: int | None) -> Iterator[tuple[str, bytes]]:
    """Yield damaged copies of a report, each with its error in length or id; with an empty text for a wrong bit."""
    yield "empty", b""
    yield from (("too short", report[:length]) for length in range(1, len(report)))
    yield from (("too long", report + end) for end in (b"\0", b"\xff", b"\1" * 8, report))
    if report_id is not None:
        yield from ((OTHER_ID, bytes([other]) + report[1:]) for other in range(256) if other != report_id)
    for bit in range(8 * min(len(report), FLIPPED)):
        turned = bytearray(report)
        turned[bit // 8] ^= 1 << bit % 8
        yield "", bytes(turned)


def noise(codec: UsbCodec, reports: Sequence[bytes]) -> Iterator[bytes]:
    """Random reports, up to twice as long as the longest."""
    dice, longest = random.Random(0), max(codec.report_bytes, *map(len, reports))
    return (dice.randbytes(dice.randrange(2 * longest)) for _ in range(NOISES))


def check_device(makes: Callable[[], UsbCodec], kind: str, usb: Usb) -> None:
    """Check the properties of a codec that the table uses before the device is plugged in. Raises Broken.

    `usb`: the device's own ids.
    """
    check_codec_source(makes)
    codec = makes()
    if not isinstance(codec.name, str) or not codec.name or codec.kind != kind:
        raise Broken(
            f'expected name to be a text and kind "{kind}", got {codec.name!r} and {codec.kind!r}',
            change="set `name` and `kind`",
        )
    if not isinstance(codec.report_bytes, int) or codec.report_bytes < 1:
        raise Broken(
            f"expected report_bytes to be the bytes of the longest report, got {codec.report_bytes!r}",
            change="correct `report_bytes`",
        )
    if not codec.matches(*usb):
        raise Broken(f"expected matches to be True for {_ids(usb)}, it is False", change="compare vendor and product")
    if strangers := [other for other in STRANGERS if other != usb and codec.matches(*other)]:
        raise Broken(
            f"expected matches to be True for this model alone, it is also True for {_ids(strangers[0])}",
            change="compare vendor and product with those of this model: another device would be opened and written to",
        )
    if (reason := codec.refusal(usb[1])) is not None:
        raise Broken(
            f"expected refusal to be None for {_ids(usb)}, got {reason!r:.60}",
            change="return a reason only for product ids that the codec cannot use",
        )


def check_sent(codec: UsbCodec, sent: Iterable[bytes]) -> None:
    """Check that `checked` accepts these reports and refuses others. Raises Broken."""
    first, again = (list(codec.connected()) for _ in range(2))
    if first != again:
        raise Broken(
            "expected connected to return the same reports each time, the second time they differ",
            change=CLEAR,
        )
    for report in (sent_ := [*first, *sent]):
        if not isinstance(report, bytes) or _is_refused(codec, report):
            raise Broken(
                "expected checked to return what the codec itself sends, it refuses",
                capture_texts(report) if isinstance(report, bytes) else [repr(report)[:60]],
                "have checked return these reports unchanged, and connected, backlight, picture and show return bytes",
            )
    lengths = sorted({len(report) for report in sent_})
    dice = random.Random(0)
    strange = [b"", *(bytes(length + 1) for length in lengths[-1:]), *(bytes(length - 1) for length in lengths[:1])]
    random_ = [dice.randbytes(lengths[0] if lengths else 8) for _ in range(NOISES)]
    let_through = [one for one in strange if not _is_refused(codec, one)]
    if let_through or not any(_is_refused(codec, one) for one in random_):
        raise Broken(
            "expected checked to raise ValueError for what is no report of this codec, it returned",
            capture_texts((let_through or random_)[0]),
            "compare with what the device accepts: a wrong report may wear out its memory or change its mode",
        )


def _is_refused(codec: UsbCodec, report: bytes) -> bool:
    try:
        return codec.checked(report) != report
    except ValueError:
        return True
    except Exception as error:  # noqa: BLE001 - anybody's codec
        what = f"expected checked to raise ValueError, it raised {type(error).__name__}: {error}"
        raise Broken(what, capture_texts(report), "raise ValueError with the reason") from None


def check_prompt(makes: Callable[[], OneOfUsb], reports: Sequence[bytes], kinds: Kinds) -> None:
    """Check that the codec answers every report quickly. Raises Broken."""
    run_watched(partial(_check_waits, makes, reports, kinds))


def _check_waits(makes: Callable[[], OneOfUsb], reports: Sequence[bytes], kinds: Kinds, progress: Progress) -> None:
    def events(codec: WatchedCodec[OneOfUsb], pieces: Iterable[bytes]) -> list[object]:
        return [event for piece in pieces for event in decode_all(codec, piece, kinds)]

    check_waits(lambda: WatchedCodec(connected_codec(makes), progress), events, reports)


def check_alone(makes: Callable[[], UsbCodec], reports: Sequence[bytes], kinds: Kinds) -> None:
    """Check that codecs of two devices do not affect each other. Raises Broken."""
    usual = decode_each(connected_codec(makes), reports, kinds)
    first, second = connected_codec(makes), connected_codec(makes)
    pairs = zip(reports, reports[::-1], strict=True)
    both = [(decode_all(first, one, kinds), decode_all(second, other, kinds))[0] for one, other in pairs]
    if both != usual:
        raise Broken(
            "expected two codecs to be independent, the events of one depend on the other",
            capture_texts(*reports[:2]),
            "store the state of a device in self, made by __init__, and not in the class or the module",
        )


def _ids(usb: Usb) -> str:
    return f"{usb[0]:04X}:{usb[1]:04X}"
