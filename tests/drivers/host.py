"""Serial link to an emulated shoe, in place of the table's PC."""

import asyncio

from drivers.emulators.pty_port import PtyPort
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.serial_port import SerialSettings
from drivers.shoes import ShoeCodec
from drivers.usb_link import Timing
from tests.patience import PATIENCE

FAST = Timing(write_ms=20, poll_s=0.005, longest_poll_s=0.02, patience_s=0.05, retry_s=0.002, join_s=PATIENCE)


class Host:
    """Serial link to an emulated shoe, with a queue of the events that it delivers."""

    def __init__(self, port: PtyPort, codec: ShoeCodec, settings: SerialSettings | None = None) -> None:
        self.codec = codec
        self._news = asyncio.Queue()
        self.link = SerialLink(OwnPort(str(port.link), settings), codec, self._news.put_nowait)

    async def __aenter__(self):
        self.link.start()
        return self

    async def __aexit__(self, *_):
        await self.link.stop()

    async def hears(self, *kinds):
        events = [await asyncio.wait_for(self._news.get(), PATIENCE) for _ in kinds]
        assert [type(event) for event in events] == list(kinds)
        return events
