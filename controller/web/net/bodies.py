"""The body of a request: whole, within its size and its time, or refused.

What comes is counted while it comes; nobody makes us keep more than was allowed.
"""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request

PATIENCE = 10.0  # seconds for a body to come


async def body_of(request: Request, largest: int) -> bytes:
    """Its bytes. Raises HTTPException."""
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > largest:
                    raise HTTPException(413, f"expected at most {largest} bytes: send it in parts")
    except TimeoutError:
        raise HTTPException(408, f"the body did not come within {PATIENCE:g} s") from None
    return bytes(body)
