"""State and figures of a table's devices over HTTP.

    GET /api/devices      each device with its figures, and the last frames of the shoe

The record is counted in a thread, and once for everybody who asks.
"""

import asyncio

from msgspec import Struct
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...station.device_figures import ConfiguredDevice, Health, HealthBook, TableDevices
from ...station.frames import Frame
from ...table.loop import Table
from ...text.faults import Words
from ..net.page_language import language
from ..net.replies import as_json
from .callers import manager_of


class DeviceState(Struct, frozen=True):
    """State and figures of one device. `present`: None if the device has not been seen yet."""

    device: ConfiguredDevice
    present: bool | None
    health: Health


class Devices(Struct, frozen=True):
    """Every device with its figures. `since`: time from which they are counted."""

    devices: tuple[DeviceState, ...]
    since: str | None
    frames: tuple[Frame, ...]


class KnownDevices:
    """Devices of one table and what is known of them, shared by all its doors."""

    def __init__(self, table: Table, gear: TableDevices, book: HealthBook) -> None:
        self._table, self._gear, self._book = table, gear, book
        self._reading = asyncio.Lock()

    async def devices(self, words: Words) -> Devices:
        """Return each device's state and figures, and the last frames of the shoe. Raises JournalError."""
        async with self._reading:
            await asyncio.to_thread(self._book.read)
        state, frames = self._table.state, self._gear.frames
        return Devices(
            tuple(self._device_state(device, words) for device in self._gear.devices),
            self._book.since,
            () if frames is None else tuple(frames.shown_frames(state)),
        )

    def _device_state(self, device: ConfiguredDevice, words: Words) -> DeviceState:
        health = self._book.health_of(device.name)
        health = replace(health, reason=words.tell(health.reason))
        present = None if health.since is None else device.name not in self._table.state.lost
        return DeviceState(device, present, health)


class DeviceRoutes:
    """Route of the devices."""

    def __init__(self, devices: KnownDevices) -> None:
        self._devices = devices
        self.routes = [Route("/api/devices", self.devices)]

    async def devices(self, request: Request) -> Response:
        """GET /api/devices: the devices and the last frames, for shift managers."""
        manager_of(request)
        return as_json(await self._devices.devices(Words(language(request))))
