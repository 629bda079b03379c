"""Server-sent events to one reader."""

from collections.abc import AsyncIterable

from starlette.responses import StreamingResponse


class EventStream(StreamingResponse):
    """An answer that does not end until the record's feed does, or its place is needed for somebody else."""

    def __init__(self, frames: AsyncIterable[bytes]) -> None:
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        super().__init__(frames, headers=headers, media_type="text/event-stream")
