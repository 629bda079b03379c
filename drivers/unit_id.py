"""A unit id: a number that people set on a device which has no serial number, and that it says with each report.

It is asked for before anything else is written: another table's panel is given back as it was, and never lit.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from drivers.models import asking
from drivers.patience import Unusable
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Gone, UsbDevice

REPORTS = 8  # that are looked at for it: keys that are pressed meanwhile say it too


@runtime_checkable
class Numbered(Protocol):
    """What a codec has whose devices have a unit id."""

    def unit_question(self) -> bytes:
        """The report that has the device say it."""

    def unit_of(self, report: bytes, /) -> int | None:
        """The one in this report, where there is one."""


def introduced(
    codec: UsbCodec, unit: int | None, device: UsbDevice, first: Iterable[bytes], ms: int
) -> Iterator[bytes]:
    """The reports to write first, of a device that has to have this unit id. Raises Unusable in their midst."""
    if unit is not None and isinstance(codec, Numbered):
        with asking(codec):
            question = codec.unit_question()
        yield question
        found = _answer(codec, device, ms)
        if found != unit:
            raise Unusable(
                f"expected the {codec.kind} with unit id {unit}, found {'none' if found is None else found} at "
                f"{device.address}: plug in the right {codec.kind} or correct [{codec.kind}] unit"
            )
    yield from first


def _answer(codec: Numbered, device: UsbDevice, ms: int) -> int | None:
    for _ in range(REPORTS):
        try:
            report = device.read(ms)
        except Gone:
            return None
        with asking(codec):
            unit = codec.unit_of(report)
        if unit is not None:
            return unit
    return None
