"""Response that streams server-sent events to one reader."""

from collections.abc import AsyncIterable
from contextlib import AbstractContextManager, nullcontext

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send


class EventStream(StreamingResponse):
    """Stream that ends with the record's feed, or when its place is needed for another caller.

    `during`: context that is open while the reader is connected.
    """

    def __init__(self, frames: AsyncIterable[bytes], during: AbstractContextManager[None] | None = None) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(frames, headers=headers, media_type="text/event-stream")
        self._during = during or nullcontext()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the events until the stream ends or the reader disconnects."""
        with self._during:
            await super().__call__(scope, receive, send)
