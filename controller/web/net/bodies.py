"""The body of a request: whole, within its size and its time, or refused.

What comes is counted while it comes; nobody makes us keep more than was allowed.
"""

import asyncio

from starlette.requests import Request

from ...core.coded_message import coded
from ...web.net.replies import RequestRefused

PATIENCE = 10.0  # seconds for a body to come


async def body_of(request: Request, largest: int) -> bytes:
    """Read the body of a request, up to a size. Raises HTTPException."""
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
