"""Measure the bus alone, in the same run: publish a message and receive it at another server.

The message has the size of an event.
"""

import asyncio
import threading
import time
from contextlib import AsyncExitStack

from nats.aio.msg import Msg

from tests.bus.cluster import Cluster
from tests.bus.rig import heard_by_server

SUBJECT = "bench.bare"
SIZE = 600
EVERY = 0.05  # seconds


class BusRoundTrips:
    """Context manager that publishes in a thread of its own inside the block. `times`: milliseconds."""

    def __init__(self, cluster: Cluster) -> None:
        self.times: list[float] = []
        self._cluster = cluster
        self._ends = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._go()))

    def __enter__(self) -> "BusRoundTrips":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        self._thread.join()

    async def _go(self) -> None:
        async with AsyncExitStack() as stack:
            says, hears = [await stack.enter_async_context(self._cluster.client("admin")) for _ in range(2)]
            while hears.connected_url == says.connected_url:
                hears = await stack.enter_async_context(self._cluster.client("admin"))
            await hears.subscribe(SUBJECT, cb=self._heard)
            await heard_by_server(hears)
            while not self._ends.is_set():
                await says.publish(SUBJECT, str(time.perf_counter_ns()).encode().ljust(SIZE))
                await asyncio.sleep(EVERY)

    async def _heard(self, message: Msg) -> None:
        self.times.append((time.perf_counter_ns() - int(message.data)) / 1e6)
