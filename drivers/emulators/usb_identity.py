"""Descriptors of an emulated USB device, by USB 2.0, chapter 9.6.

The bytes are the original; the attributes that pyusb expects are unpacked from them.
"""

import struct
from dataclasses import dataclass
from types import SimpleNamespace

ENGLISH = b"\x04\x03\x09\x04"
DEVICE = struct.Struct("<BBHBBBBHHHBBBB")
CONFIGURATION = struct.Struct("<BBHBBBBB")
INTERFACE = struct.Struct("<9B")
ENDPOINT = struct.Struct("<BBBBHB")
_DEVICE_NAMES = (
    "bLength bDescriptorType bcdUSB bDeviceClass bDeviceSubClass bDeviceProtocol bMaxPacketSize0 idVendor idProduct "
    "bcdDevice iManufacturer iProduct iSerialNumber bNumConfigurations"
)
_CONFIGURATION_NAMES = (
    "bLength bDescriptorType wTotalLength bNumInterfaces bConfigurationValue iConfiguration bmAttributes bMaxPower"
)
_INTERFACE_NAMES = (
    "bLength bDescriptorType bInterfaceNumber bAlternateSetting bNumEndpoints bInterfaceClass bInterfaceSubClass "
    "bInterfaceProtocol iInterface"
)
_ENDPOINT_NAMES = "bLength bDescriptorType bEndpointAddress bmAttributes wMaxPacketSize bInterval"


@dataclass(frozen=True, slots=True)
class UsbIdentity:
    """A full-speed HID device with one interface and one or two interrupt endpoints."""

    vendor: int
    product: int
    strings: tuple[str | None, str | None, str | None] = (None, None, None)  # manufacturer, product, serial number
    endpoint_in: int = 0x81
    endpoint_out: int | None = 0x02
    packet_bytes: int = 64
    report_descriptor: bytes | None = None  # of HID 1.11, 6.2.2, where somebody asks for it
    features: tuple[tuple[int, bytes], ...] = ()  # feature reports that the host can read, by id
    feature_ids: tuple[int, ...] = ()  # ids of feature reports that the host may set

    def device(self) -> bytes:
        """Device descriptor, 18 bytes (USB 2.0, 9.6.1)."""
        indices = [index if text else 0 for index, text in enumerate(self.strings, 1)]
        return DEVICE.pack(18, 1, 0x0200, 0, 0, 0, 64, self.vendor, self.product, 0x0100, *indices, 1)

    def configuration(self, hid: bytes = b"") -> bytes:
        """Configuration descriptor with its interfaces (USB 2.0, 9.6.3). `hid`: HID class descriptor, if any."""
        rest = self.interface() + hid + b"".join(self.endpoints())
        return CONFIGURATION.pack(9, 2, 9 + len(rest), 1, 1, 0, 0x80, 50) + rest

    def interface(self) -> bytes:
        """Interface descriptor, 9 bytes (USB 2.0, 9.6.5): HID, no boot protocol."""
        return INTERFACE.pack(9, 4, 0, 0, len(self.endpoints()), 3, 0, 0, 0)

    def endpoints(self) -> list[bytes]:
        """Endpoint descriptors, 7 bytes each (USB 2.0, 9.6.6): interrupt, every 8 ms."""
        addresses = (self.endpoint_in, self.endpoint_out)
        return [ENDPOINT.pack(7, 5, each, 3, self.packet_bytes, 8) for each in addresses if each is not None]

    def string(self, index: int) -> bytes | None:
        """String descriptor (USB 2.0, 9.6.7); index 0 is the list of languages. None if there is none."""
        if index == 0:
            return ENGLISH if any(self.strings) else None
        text = self.strings[index - 1] if index <= len(self.strings) else None
        return bytes([2 + 2 * len(text), 3]) + text.encode("utf-16-le") if text else None


def device_fields(identity: UsbIdentity, bus: int, address: int, socket: int) -> SimpleNamespace:
    """The device descriptor with the place on the bus, as pyusb's backends give it."""
    fields = _fields(DEVICE, _DEVICE_NAMES, identity.device())
    fields.__dict__.update(bus=bus, address=address, port_number=socket, port_numbers=(socket,), speed=2)
    return fields


def configuration_fields(identity: UsbIdentity) -> SimpleNamespace:
    """The configuration descriptor as pyusb's backends give it."""
    return _fields(CONFIGURATION, _CONFIGURATION_NAMES, identity.configuration())


def interface_fields(identity: UsbIdentity) -> SimpleNamespace:
    """The interface descriptor as pyusb's backends give it."""
    return _fields(INTERFACE, _INTERFACE_NAMES, identity.interface())


def endpoint_fields(identity: UsbIdentity, index: int) -> SimpleNamespace:
    """An endpoint descriptor as pyusb's backends give it; raises IndexError."""
    fields = _fields(ENDPOINT, _ENDPOINT_NAMES, identity.endpoints()[index])
    fields.__dict__.update(bRefresh=0, bSynchAddress=0)
    return fields


def _fields(layout: struct.Struct, names: str, descriptor: bytes) -> SimpleNamespace:
    fields = SimpleNamespace(extra_descriptors=[])
    fields.__dict__.update(zip(names.split(), layout.unpack_from(descriptor), strict=True))
    return fields
