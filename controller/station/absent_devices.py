"""Devices without a link, because their driver cannot be made."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from drivers.models import DriverFailed

from ..core.events import Device, LostDevice
from ..core.records import DeviceTakenBack, Record
from ..table.loop import Table


class AbsentDevices:
    """Reports to one table which of its devices have no link."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._unmade: dict[Device, str] = {}  # devices whose driver cannot be made, and why
        table.subscribe(self._hear)

    @contextmanager
    def or_unmade(self, device: Device) -> Iterator[None]:
        """Catch the failure of a driver while the link of its device is made."""
        try:
            yield
        except DriverFailed as failed:
            self._unmade[device] = str(failed)

    def start(self) -> None:
        """Report devices without a driver as lost."""
        for device in self._unmade:
            self._lose(device)

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        """Report a device without a driver as lost again after a ruling has taken it back."""
        taken_back = {record.what.device for record in records if isinstance(record.what, DeviceTakenBack)}
        for device in self._unmade:
            if device in taken_back:
                self._lose(device)

    def _lose(self, device: Device) -> None:
        self._table.take(LostDevice(device, self._unmade[device]))
