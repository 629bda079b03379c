"""HID-POS scanners of other makers: their report descriptors, and their reports of a code."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from drivers.emulators.hid_pos import UsbLine
from drivers.emulators.hid_pos_reports import DESCRIPTOR, IDENTITY, reports
from drivers.emulators.usb_bus import EmulatedUsbBus

COUNT = bytes.fromhex("05 01 09 3b 95 01 81 02")  # 8-bit byte count, in Honeywell's descriptor
CODE_ID = bytes.fromhex("06 66 ff 09 04 95 01 81 02 09 00 95 01 81 03")  # the vendor's code id and a reserved byte


@dataclass(frozen=True, slots=True)
class ReportForm:
    """Report that differs from Honeywell's in byte count, in the bytes after its data or in padding."""

    count: str  # descriptor items after the usage, in hex; empty: no byte count
    count_bytes: int = 0
    code_id: bool = True
    filled_to: int = 0  # length with zeros at the end, in bytes

    @property
    def descriptor(self) -> bytes:
        """Report descriptor of this form, as bytes."""
        count = bytes.fromhex(f"05 01 09 3b {self.count} 75 08") if self.count else b""
        data = DESCRIPTOR.replace(COUNT, count)
        return data if self.code_id else data.replace(CODE_ID, b"")

    def reports(self, code: bytes) -> list[bytes]:
        """Return all reports that a scanner sends for one code."""
        return [self._report(report) for report in reports(code)]

    def _report(self, usual: bytes) -> bytes:
        count = usual[1].to_bytes(self.count_bytes, "little") if self.count_bytes else b""
        end = usual[61:] if self.code_id else usual[63:]
        return (usual[:1] + count + usual[2:61] + end).ljust(self.filled_to, b"\0")


NO_COUNT = ReportForm("")
FORMS: Mapping[str, ReportForm] = MappingProxyType(
    {
        "no byte count": NO_COUNT,
        "16-bit count": ReportForm("75 10 95 01 81 02", 2),
        "62 bytes filled up to 64": ReportForm("95 01 81 02", 1, code_id=False, filled_to=64),
    }
)


class FormLine(UsbLine):
    """USB plug of a scanner that sends reports of another form."""

    def __init__(self, bus: EmulatedUsbBus, form: ReportForm) -> None:
        super().__init__(bus, replace(IDENTITY, report_descriptor=form.descriptor))
        self._form = form

    def write(self, data: bytes) -> None:
        """Send the reports of one code over the bus."""
        for report in self._form.reports(data):
            self._bus.report(self, report)
