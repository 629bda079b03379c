"""Reports and descriptors of an emulated HID-POS scanner. Nothing here needs pyusb."""

from drivers.emulators.usb_identity import UsbIdentity

VENDOR, PRODUCT = 0x0C2E, 0x0DB3
REPORT_BYTES, ROOM = 64, 56
CODE_128 = b"]C0"
DESCRIPTOR = bytes.fromhex(
    "05 8c 09 02 a1 01"  # bar-code scanner, an application
    "09 12 a1 02 85 02"  # scanned-data report, with the id 2
    "15 00 26 ff 00 75 08"  # bytes
    "05 01 09 3b 95 01 81 02"  # how many
    "05 8c 09 fb 09 fc 09 fd 95 03 81 02"  # AIM identifier
    "09 fe 95 38 82 02 01"  # decoded data
    "06 66 ff 09 04 95 01 81 02"  # the vendor's further code id
    "09 00 95 01 81 03"  # reserved
    "05 8c 09 ff 75 01 95 01 81 02 75 07 95 01 81 03"  # continued
    "c0 c0"
)
IDENTITY = UsbIdentity(
    VENDOR, PRODUCT, ("Honeywell", "1602g", "S2047A"), endpoint_out=None, report_descriptor=DESCRIPTOR
)


def reports(code: bytes, aim: bytes = CODE_128) -> list[bytes]:
    """Encode a code as one report or, if it is long, several."""
    parts = [code[at : at + ROOM] for at in range(0, len(code), ROOM)] or [b""]
    ends = [b"\x01"] * (len(parts) - 1) + [b"\x00"]
    return [
        b"\x02" + bytes([len(part)]) + aim + part.ljust(ROOM, b"\0") + b"\0\0" + end
        for part, end in zip(parts, ends, strict=True)
    ]
