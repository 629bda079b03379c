"""Devices without a link: their driver cannot be made, or the config no longer names them."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import get_args

import structlog

from drivers.models import DriverFailed

from ..core.events import Device, FoundDevice, LostDevice
from ..core.records import DeviceTakenBack, Record
from ..table.loop import Table


class AbsentDevices:
    """Reports to one table which of its devices have no link."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._unmade: dict[Device, str] = {}  # devices whose driver cannot be made, and why
        table.subscribe(self._hear)

    @contextmanager
    def catch_driver_failure(self, device: Device) -> Iterator[None]:
        """Catch the failure of a driver while the link of its device is made."""
        try:
            yield
        except DriverFailed as failed:
            self._unmade[device] = str(failed)

    def start(self, configured: Collection[str]) -> None:
        """Report devices without a driver as lost, and lost devices that are not configured any more as found.

        A lost shoe keeps rounds from starting, and the loss of a device keeps its fault from being resumed.
        """
        self._find_removed(configured)
        for device in self._unmade:
            self._lose(device)

    def _find_removed(self, configured: Collection[str]) -> None:
        """Report lost devices that are not configured any more as found.

        Not a device that is cut off, which waits for its ruling, nor the game server (`ServerLine`).
        """
        state = self._table.state
        cut_off = {one.device for one in state.cut_off}
        for device in get_args(Device):
            if device in state.lost and device not in {"server", *configured, *cut_off}:
                structlog.get_logger().info("device_not_waited_for", table=self._table.house.table, device=device)
                self._table.take(FoundDevice(device))

    def _hear(self, _: Table, records: Sequence[Record]) -> None:
        """Report a device without a driver as lost again after a ruling has taken it back."""
        taken_back = {record.what.device for record in records if isinstance(record.what, DeviceTakenBack)}
        for device in self._unmade:
            if device in taken_back:
                self._lose(device)

    def _lose(self, device: Device) -> None:
        self._table.take(LostDevice(device, self._unmade[device]))
