"""Devices that come, go, are not heard or were not heard in full."""

from ..events import Device
from .fact import Fact


class DeviceLost(Fact, frozen=True, tag="device_lost"):
    """A device is gone."""

    device: str
    reason: str = ""


class DeviceCutOff(Fact, frozen=True, tag="device_cut_off"):
    """A device that said more than any that works is not heard any more."""

    device: Device
    heard: int  # telegrams
    seconds: int  # in which they came


class DeviceTakenBack(Fact, frozen=True, tag="device_taken_back"):
    """A device that was cut off is heard again."""

    device: str
    by: str


class TelegramsMissing(Fact, frozen=True, tag="telegrams_missing"):
    """A gap in the shoe's own numbering: something it said was not heard."""

    device: str
    expected: str
    got: str


class DeviceFound(Fact, frozen=True, tag="device_found"):
    """A device is there again."""

    device: str
    address: str = ""
    serial: str = ""  # its own number, where it has one
