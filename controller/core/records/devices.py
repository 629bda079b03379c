"""Records of devices: lost, found, cut off, taken back, and gaps in their messages."""

from ..events import Device
from .fact import Fact


class DeviceLost(Fact, frozen=True, tag="device_lost"):
    """The table has lost a device."""

    device: str
    reason: str = ""


class DeviceCutOff(Fact, frozen=True, tag="device_cut_off"):
    """A device is cut off: it sent more than a working device does, so the table ignores it."""

    device: Device
    heard: int  # number of messages received; without a time, of cards
    seconds: int  # time in which they were received; 0: no time is measured, as in a shoe change


class DeviceTakenBack(Fact, frozen=True, tag="device_taken_back"):
    """The table accepts a device again that was cut off."""

    device: str
    by: str


class TelegramsMissing(Fact, frozen=True, tag="telegrams_missing"):
    """A gap in the shoe's numbering of its messages: at least one was not received."""

    device: str
    expected: str
    got: str


class DeviceFound(Fact, frozen=True, tag="device_found"):
    """The table has found a device again."""

    device: str
    address: str = ""
    serial: str = ""  # serial number of the device, if it has one
