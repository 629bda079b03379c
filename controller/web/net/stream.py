"""Server-sent events to one reader.

A reader who takes nothing is dropped. What is on its way to them is bounded by the connection's own
buffer; there is no other.
"""

import asyncio
from collections.abc import AsyncIterable, Callable

from starlette.responses import StreamingResponse
from starlette.types import Message, Send

PATIENCE = 10.0  # seconds for a reader to make room


class EventStream(StreamingResponse):
    """An answer that does not end until the record's feed does. `drop` cuts the connection."""

    def __init__(self, frames: AsyncIterable[bytes], drop: Callable[[], None]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(frames, headers=headers, media_type="text/event-stream")
        self._drop = drop

    async def stream_response(self, send: Send) -> None:
        """Send portion after portion, each within the time a reader has."""

        async def in_time(message: Message) -> None:
            async with asyncio.timeout(PATIENCE):
                await send(message)

        try:
            await super().stream_response(in_time)
        except TimeoutError:
            self._drop()
            await asyncio.sleep(0)  # the connection hears of it before we say that we are done
