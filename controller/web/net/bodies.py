"""Reader of request bodies, with limits of size and time.

Bytes are counted as they arrive, so no client can make the program store more than the limit.
"""

import asyncio

from starlette.requests import Request

from ...core.coded_message import coded
from ...web.net.replies import RequestRefused

PATIENCE = 10.0  # seconds for a body to come


async def body_of(request: Request, largest: int) -> bytes:
    """Read the whole body of a request, at most `largest` bytes. Raises HTTPException."""
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > largest:
                    raise RequestRefused(413, coded("too_long", bytes=largest))
    except TimeoutError:
        raise RequestRefused(408, coded("too_slow", seconds=round(PATIENCE))) from None
    return bytes(body)
