"""What is answered where nothing could be done: {"error": a word, "says": what is wrong, in one line}.

The one rule: an answer tells nothing of the program's inside, whatever went wrong there.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ..journal import JournalError
from .commands import Forbidden, Malformed


def as_json(content: object, status: int = 200) -> Response:
    """An answer."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


def _problem(status: int, error: str, says: str) -> Response:
    return as_json({"error": error, "says": says}, status)


_ERRORS = {
    400: "bad_request",
    404: "not_found",
    405: "wrong_method",
    408: "too_slow",
    409: "beyond_the_end",
    413: "too_long",
}


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - that is what it is registered for
    return _problem(error.status_code, _ERRORS.get(error.status_code, "refused"), error.detail.lower())


async def _malformed(_: Request, error: Exception) -> Response:
    return _problem(400, "malformed", str(error))


async def _forbidden(_: Request, error: Exception) -> Response:
    return _problem(403, "forbidden", str(error))


async def _unreadable(_: Request, error: Exception) -> Response:
    return _problem(503, "record_unreadable", str(error))


async def _gone(_: Request, _error: Exception) -> Response:
    return Response(status_code=400)  # nobody is there to read it


async def _bug(_: Request, _error: Exception) -> Response:
    return _problem(500, "bug", "something is wrong with the program; its log says what")


PROBLEMS: Mapping[Any, Any] = {  # starlette's own types say no more
    HTTPException: _refused,
    Malformed: _malformed,
    Forbidden: _forbidden,
    JournalError: _unreadable,
    ClientDisconnect: _gone,
    Exception: _bug,
}
