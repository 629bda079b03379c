"""Query for the version of a device's firmware, made once the device is open."""

import contextlib

from drivers.models import guard_codec
from drivers.usb_codec import UsbCodec, Versioned
from drivers.usb_device import DeviceGone, UsbDevice


def version_of(codec: UsbCodec, device: UsbDevice, ms: int) -> str:
    """Firmware version of the device; empty if it does not answer. Raises DriverFailed."""
    with guard_codec(codec):
        versioned = codec if isinstance(codec, Versioned) else None
    if versioned is None:
        return ""
    with contextlib.suppress(DeviceGone):
        with guard_codec(codec):
            number, length = versioned.version_report
        report = device.feature(number, length, ms)
        with guard_codec(codec):
            return versioned.version(report)
    return ""
