"""Badge reader at the table: each badge goes to the current listener, and nowhere else."""

from collections.abc import Callable

from drivers import events as d
from drivers.own_port import OwnPort
from drivers.serial_link import LineCodec, SerialLink

from ..core import events as e
from .device_events import Take, fields_of
from .guard import Guard
from .notices import Notices

DEVICE: e.Device = "badge_reader"
Hear = Callable[[str], None]


class BadgeReader:
    """One badge reader. `hears`: called with each badge; by default it does nothing."""

    def __init__(self, port: OwnPort, codec: LineCodec, take: Take, table: str, guard: Guard) -> None:
        self._take, self._guard = take, guard
        self._notices = Notices(DEVICE, table)
        self._link = SerialLink(port, codec, self._forward, guard.weigh)
        guard.watch(self._link)
        self.hears: Hear = lambda _: None

    def _forward(self, event: d.DeviceEvent) -> None:
        match event:
            case d.BadgeRead(code=code):
                self.hears(code)
            case d.Lost(reason=reason):
                self._take(e.LostDevice(DEVICE, reason))
            case d.Found(address=address, serial=serial):
                self._take(e.FoundDevice(DEVICE, address, serial or ""))
            case _:
                self._notices.tell(type(event).__name__, **fields_of(event))

    def start(self) -> None:
        """Start to look for the device."""
        self._link.start()

    async def stop(self) -> None:
        """Close the link to the device."""
        await self._link.stop()
