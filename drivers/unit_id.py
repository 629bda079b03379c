"""Unit id: a number that people set on a device without a serial number, sent with each report.

It is asked for before anything else is written. So the panel of another table is released unchanged and never lit.
"""

from collections.abc import Iterable, Iterator
from typing import Protocol, runtime_checkable

from drivers.identity import Recognition
from drivers.models import guard_codec
from drivers.patience import DeviceCannotServe
from drivers.usb_codec import Described, UsbCodec
from drivers.usb_device import DeviceGone, UsbDevice

REPORTS = 8  # most reports that are read to find the unit id; reports of keys have it too


@runtime_checkable
class Numbered(Protocol):
    """Interface of a codec for devices with a unit id."""

    def unit_question(self) -> bytes:
        """Report that asks the device for its unit id."""

    def unit_of(self, report: bytes, /) -> int | None:
        """Unit id in this report; None if it has none."""


def first_reports(
    codec: UsbCodec, recognition: Recognition, device: UsbDevice, first: Iterable[bytes], ms: int
) -> Iterator[bytes]:
    """Yield the reports to write first to a device, which must have the configured unit id. Raises DeviceCannotServe.

    It raises NotOurs between the reports if the device has another unit id.
    """
    _describe(codec, device, ms)
    if recognition.wanted.unit is not None and isinstance(codec, Numbered):
        with guard_codec(codec):
            question = codec.unit_question()
        yield question
        recognition.check_unit(_answer(codec, device, ms), device.address)
    yield from first


def _describe(codec: UsbCodec, device: UsbDevice, ms: int) -> None:
    with guard_codec(codec):
        described = codec.described if isinstance(codec, Described) else None
    if described is None:
        return
    try:
        descriptor = device.report_descriptor(ms)
    except DeviceGone as gone:
        raise DeviceCannotServe(
            f"the {codec.kind} at {device.address} does not describe its reports ({gone})"
        ) from None
    with guard_codec(codec):
        reason = described(descriptor)
        device.report_bytes = int(codec.report_bytes)
    if reason is not None:
        raise DeviceCannotServe(f"the {codec.kind} at {device.address}: {reason}", passing=False)


def _answer(codec: Numbered, device: UsbDevice, ms: int) -> int | None:
    for _ in range(REPORTS):
        try:
            report = device.read(ms)
        except DeviceGone:
            return None
        with guard_codec(codec):
            unit = codec.unit_of(report)
        if unit is not None:
            return unit
    return None
