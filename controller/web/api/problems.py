"""Conversion of exceptions to answers: a problem (RFC 9457) with a reason code and one line of text.

Invariant: no answer contains a traceback or other internals of the program.
"""

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import structlog
from msgspec import UNSET
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ...config.mistakes import BadUsers
from ...core.coded_message import coded
from ...journal import JournalError
from ...text.coded import message_of
from ..net.page_language import refusal_text
from ..net.replies import Reason, RequestRefused, problem, problem_for
from .command_decoder import MalformedCommand
from .commands import Forbidden
from .request_parameters import ForeignRecords

_ERRORS: Mapping[int, Reason] = {
    400: "bad_request",
    401: "not_signed_in",
    403: "forbidden",
    404: "not_found",
    405: "wrong_method",
    408: "too_slow",
    409: "beyond_the_end",
    413: "too_long",
    421: "wrong_host",
    429: "too_often",
}
_AT = re.compile(r" - at `([^`]+)`$")  # position of an error, at the end of msgspec's message


async def _answer_refused(request: Request, error: HTTPException) -> Response:
    message = error.message if isinstance(error, RequestRefused) else _detail(error)
    answer = problem_for(request, error.status_code, _ERRORS.get(error.status_code, "refused"), message)
    answer.headers.update(error.headers or {})
    return answer


def _detail(error: HTTPException) -> str:
    """Text of an HTTP error; the status's own phrase in lower case if it has none."""
    return error.detail.lower() if error.detail == HTTPStatus(error.status_code).phrase else error.detail


async def _malformed(request: Request, error: Exception) -> Response:
    at = _AT.search(str(error))
    return problem_for(request, 400, "malformed", message_of(error), UNSET if at is None else at[1])


async def _foreign_records(request: Request, error: Exception) -> Response:
    if not isinstance(error, ForeignRecords):
        raise error
    said = refusal_text(request, error.message)
    return problem(409, error.reason, said, epoch=error.epoch, last=error.last, message=error.message)


async def _forbidden(request: Request, error: Exception) -> Response:
    return problem_for(request, 403, "forbidden", message_of(error))


async def _unreadable(request: Request, error: Exception) -> Response:
    structlog.get_logger().error("record_unreadable", reason=str(error))
    return problem_for(request, 503, "record_unreadable", coded("unreadable"))


async def _users_unreadable(request: Request, error: Exception) -> Response:
    structlog.get_logger().error("users_unreadable", reason=str(error))
    return problem_for(request, 503, "users_unreadable", coded("no_users"))


async def _disconnected(_: Request, _error: Exception) -> Response:
    return Response(status_code=400)  # nobody reads this: the client has disconnected


async def _bug(request: Request, _error: Exception) -> Response:
    return problem_for(request, 500, "bug", coded("bug"))


PROBLEMS: Mapping[Any, Any] = {  # Any, because starlette's own types are no more precise
    HTTPException: _answer_refused,
    MalformedCommand: _malformed,
    ForeignRecords: _foreign_records,
    Forbidden: _forbidden,
    JournalError: _unreadable,
    BadUsers: _users_unreadable,
    ClientDisconnect: _disconnected,
    Exception: _bug,
}
