"""`check_scanner`: rules of our own scanners on USB, tried on another author's codec.

A wrong card costs money: a report that is cut, lost or unknown must give no card, and half a code must be forgotten
when the scanner is disconnected. Use `check_codec` for a scanner on a serial line, which is a shoe like any other.
"""

from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from typing import get_args

from drivers.events import CardRead, DeviceEvent, ShoeEvent
from drivers.usb_codec import Described, UsbCodec

from .broken import Broken
from .feeds import Kinds, bytes_of_capture, capture_texts, decode_all, decode_each
from .read_cards import check_cards
from .reports import (
    CLEAR,
    Usb,
    check_alone,
    check_device,
    check_prompt,
    check_sent,
    connected_codec,
    damaged_reports,
    noise,
)

KINDS: Kinds = get_args(ShoeEvent)
KEYBOARD = bytes.fromhex("05 01 09 06 a1 01 05 07 19 e0 29 e7 75 01 95 08 81 02 c0")  # a keyboard's report descriptor
Makes = Callable[[], UsbCodec]


def check_scanner(
    makes: Makes,
    captures: Sequence[Path | str],
    usb: Usb,
    descriptor: bytes | None = None,
    report_id: int | None = None,
    cards: Sequence[str] | None = None,
) -> None:
    """Check the codec of a scanner on USB. Raises Broken: what was expected, the reports, what to change.

    `makes`: returns a fresh codec at each call. `captures`: reports of cards. `usb`: the scanner's vendor and product
    id. `descriptor`: its report descriptor, if the codec asks for it. `report_id`: the first byte of each report, if
    that is its id. `cards`: the cards that were scanned in all captures, in order.
    """
    ready = _check_descriptors(makes, descriptor)
    check_device(ready, "shoe", usb)
    check_sent(ready(), ())
    for path in captures:
        check_prompt(ready, bytes_of_capture(path), KINDS)
        _reads(ready, bytes_of_capture(path), str(path).rpartition("/")[2])
    if cards is not None:
        batches = (
            events for path in captures for events in decode_each(connected_codec(ready), bytes_of_capture(path), KINDS)
        )
        check_cards(chain.from_iterable(batches), cards)
    for reports in map(bytes_of_capture, captures):
        check_alone(ready, reports, KINDS)
        _parts(ready, reports)
        _check_damaged(ready, reports, report_id)


def _check_descriptors(makes: Makes, descriptor: bytes | None) -> Makes:
    """Check a codec's use of report descriptors; return a function that makes codecs with the right one.

    Raises Broken.
    """
    if not isinstance(makes(), Described):
        return makes
    for other in (b"", KEYBOARD, b"\xfe"):
        if not _reason(makes(), other):
            raise Broken(
                "expected described to return why it refuses another report descriptor, it accepted",
                capture_texts(other),
                "return the reason, and what to set on the scanner: otherwise any keyboard could type cards",
            )
    if descriptor is None or (reason := _reason(makes(), descriptor)):
        problem = "none was given" if descriptor is None else f"it returned {reason!r}"
        raise Broken(
            f"expected described to accept the scanner's own report descriptor, {problem}",
            change="give `descriptor`" if descriptor is None else "return `None` for it",
        )

    def ready() -> UsbCodec:
        codec = makes()
        _reason(codec, descriptor)
        return codec

    return ready


def _reason(codec: UsbCodec, descriptor: bytes) -> str | None:
    assert isinstance(codec, Described)
    try:
        return codec.described(descriptor)
    except Exception as error:  # noqa: BLE001 - anybody's codec
        what = f"expected described never to raise, it raised {type(error).__name__}: {error}"
        raise Broken(what, capture_texts(descriptor), "return the reason, for people") from None


def _reads(makes: Makes, reports: Sequence[bytes], name: str) -> None:
    cards = _cards(decode_each(connected_codec(makes), reports, KINDS))
    if not cards:
        raise Broken(f"expected cards in {name}, feed returned no CardRead", capture_texts(*reports[:3]), "record some")


def _parts(makes: Makes, reports: Sequence[bytes]) -> None:
    """Check that a lost report gives no other card, and that a reconnect drops half a code.

    Raises Broken.
    """
    usual = _cards(decode_each(connected_codec(makes), reports, KINDS))
    for gone in range(len(reports)):
        codec = connected_codec(makes)
        left = _cards(decode_each(codec, [*reports[:gone], *reports[gone + 1 :]], KINDS))
        if len(left) > len(usual) or any(left.count(card) > usual.count(card) for card in left):
            raise Broken(
                "expected no other cards after a report was lost, feed returned some",
                [*capture_texts(reports[gone]), "is lost", f"cards: {' '.join(left)}"],
                "return CardRead only for a whole code, and CardUnreadable for a part of one",
            )
        codec = connected_codec(makes)
        decode_each(codec, reports[: gone + 1], KINDS)
        codec.connected()
        if _cards(decode_each(codec, reports, KINDS)) != usual:
            raise Broken(
                "expected connected() to drop half a code and what was read before, it does not",
                [*capture_texts(reports[gone]), "then connected, then all of the capture"],
                CLEAR,
            )


def _check_damaged(makes: Makes, reports: Sequence[bytes], report_id: int | None) -> None:
    """Check that damaged reports give no other card. Raises Broken."""
    usual = decode_each(connected_codec(makes), reports, KINDS)
    for number, report in enumerate(reports):
        for how, other in damaged_reports(report, report_id):
            codec = connected_codec(makes)
            decode_each(codec, reports[:number], KINDS)
            cards = _cards([decode_all(codec, other, KINDS)])
            if how and not set(cards) <= set(_cards([usual[number]])):
                raise Broken(
                    f"expected a report that is {how} to be no card, feed read {' '.join(cards)}",
                    capture_texts(other),
                    "return Garbage(report, reason) for it, and CardUnreadable too if a card may have passed",
                )
    codec = connected_codec(makes)
    for report in noise(codec, reports):
        decode_all(codec, report, KINDS)


def _cards(batches: Iterable[Iterable[DeviceEvent]]) -> list[str]:
    return [event.card for events in batches for event in events if isinstance(event, CardRead)]
