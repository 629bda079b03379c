"""The library that reaches USB devices.

Debian's libusb is preferred to the bundled one: it waits for udev, so it never meets a device before its group and mode
are set.
"""

import contextlib
import importlib
from typing import TypeAlias

import usb.backend
import usb.backend.libusb1

from drivers.patience import DeviceCannotServe

Backend: TypeAlias = usb.backend.IBackend


def libusb() -> Backend:
    """pyusb backend of the system's libusb-1.0, else of the package libusb_package. Raises DeviceCannotServe."""
    backend = usb.backend.libusb1.get_backend(find_library=lambda _: "libusb-1.0.so.0")
    if backend is None:
        with contextlib.suppress(ImportError):
            backend = importlib.import_module("libusb_package").get_libusb1_backend()
    if backend is None:
        raise DeviceCannotServe(
            "libusb-1.0 is missing, without it no USB device is found: apt install libusb-1.0-0, "
            "or pip install 'tablectl[usb]'",
            passing=False,
        )
    return backend
