"""Network line between a client and a table, which a test can cut; runs in a thread of its own."""

import asyncio
import threading

from tests.web.relay import CuttingRelay


class CuttableLine:
    """Line to the port of a table or a bus, open inside the block."""

    def __init__(self, end: int, seed: int) -> None:
        self._relay = CuttingRelay(end, 0, seed)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self):
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._relay.__aenter__(), self._loop).result()
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._relay.__aexit__(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def port(self) -> int:
        return self._relay.port

    @property
    def cuts(self) -> int:
        return self._relay.cuts

    def cut(self) -> None:
        """Cut all present connections."""
        self._loop.call_soon_threadsafe(self._relay.cut)
