"""Advice for a missing device: similar devices of its vendor that are plugged in."""

from drivers.models import guard_codec
from drivers.usb_codec import UsbCodec
from drivers.usb_device import Backend, relatives


def describe_similar(codec: UsbCodec, backend: Backend | None = None) -> str | None:
    """Sentence with similar devices and what to do; None if there are none. Raises DeviceCannotServe."""
    with guard_codec(codec):
        name, kind = codec.name, codec.kind
    others = [f"{what} ({device.kind}) at {device.address}" for device, what in relatives(codec, backend)]
    if not others:
        return None
    return f"no {name} is plugged in, but {' and '.join(others)}: plug in an {name}, or correct [{kind}] model"
