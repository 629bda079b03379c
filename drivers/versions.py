"""The version of a device's firmware, which is asked for once it is open."""

import contextlib

from drivers.models import asking
from drivers.usb_codec import UsbCodec, Versioned
from drivers.usb_device import Gone, UsbDevice


def version_of(codec: UsbCodec, device: UsbDevice, ms: int) -> str:
    """What it says; nothing where it has no answer. Raises DriverFailed."""
    with asking(codec):
        versioned = codec if isinstance(codec, Versioned) else None
    if versioned is None:
        return ""
    with contextlib.suppress(Gone):
        with asking(codec):
            number, length = versioned.version_report
        report = device.feature(number, length, ms)
        with asking(codec):
            return versioned.version(report)
    return ""
