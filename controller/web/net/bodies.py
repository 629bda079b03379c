"""The body of a request: whole, within its size and its time, or refused.

What comes is counted while it comes; nobody makes us keep more than was allowed.
"""

import asyncio

from starlette.exceptions import HTTPException
from starlette.requests import Request

from ...text.caller_texts import TOO_LONG, TOO_SLOW
from ...text.sentence import Sentence

PATIENCE = 10.0  # seconds for a body to come


async def body_of(request: Request, largest: int) -> bytes:
    """Read the body of a request, up to a size. Raises HTTPException."""
    body = bytearray()
    try:
        async with asyncio.timeout(PATIENCE):
            async for part in request.stream():
                body += part
                if len(body) > largest:
                    raise HTTPException(413, Sentence(TOO_LONG, bytes=largest))
    except TimeoutError:
        raise HTTPException(408, Sentence(TOO_SLOW, seconds=f"{PATIENCE:g}")) from None
    return bytes(body)
