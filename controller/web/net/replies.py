"""Build answers: JSON, and for failures a problem (RFC 9457) that says why.

Invariant: each reason for a problem is listed in Reason; the documents list them from there. `detail` says in one line
what was wrong this time.
"""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ...core.coded_message import CodedMessage
from ...text.coded import render
from ...text.problem_titles import PROBLEMS
from .page_language import refusal_text

AGAIN = 5  # seconds after which a client that found no place may try again

Reason = Literal[
    "bad_request",
    "malformed",
    "not_signed_in",
    "forbidden",
    "not_found",
    "wrong_method",
    "too_slow",
    "beyond_the_end",
    "epoch_lost",
    "epoch_unknown",
    "too_long",
    "wrong_host",
    "too_often",
    "too_many",
    "no_room",
    "refused",
    "bug",
    "record_unreadable",
    "users_unreadable",
    "halted",
    "round_on",
]
PROBLEM, SCHEMA = "application/problem+json", "application/schema+json"
Type = Annotated[str, Meta(extra_json_schema={"format": "uri"})]


class Problem(Struct, frozen=True):
    """Problem document (RFC 9457) of a request that was not carried out, with status 400 or above.

    An answer of status 503 to commands has verdicts instead.
    """

    type: Type  # urn:tablectl:problem:REASON
    title: str  # the same for every problem of this type
    status: int
    detail: str  # what is wrong, in one line
    reason: Reason
    position: str | UnsetType = UNSET  # place of the error in the request, such as `$[1].stake`
    epoch: str | UnsetType = UNSET  # with 409: the present epoch
    last: int | UnsetType = UNSET  # with 409: the last valid record of the epoch in the request
    message: CodedMessage | UnsetType = UNSET  # `detail` as a code with parts, where it has one


def as_json(content: object, status: int = 200, media_type: str = "application/json") -> Response:
    """Build an answer with this content as JSON."""
    return json_response(msgspec.json.encode(content), status, media_type)


def json_response(content: bytes, status: int = 200, media_type: str = "application/json") -> Response:
    """Build an answer from JSON bytes; long ones are encoded in pieces, between which the table runs."""
    return Response(content, status, media_type=media_type)


def problem(
    status: int,
    reason: Reason,
    detail: str,
    position: str | UnsetType = UNSET,
    epoch: str | UnsetType = UNSET,
    last: int | UnsetType = UNSET,
    message: CodedMessage | str = "",
) -> Response:
    """Build a problem answer (RFC 9457) with this status and reason. `message`: the one that `detail` was made of."""
    type_, title = f"urn:tablectl:problem:{reason}", PROBLEMS[reason]
    code = UNSET if isinstance(message, str) else message
    return as_json(Problem(type_, title, status, detail, reason, position, epoch, last, code), status, PROBLEM)


def problem_for(
    request: Request, status: int, reason: Reason, message: CodedMessage | str, position: str | UnsetType = UNSET
) -> Response:
    """Build a problem answer with a message in the language of the page that asks."""
    return problem(status, reason, refusal_text(request, message), position, message=message)


class RequestRefused(HTTPException):
    """Refusal of a request with a coded message, or a text that has no code; `detail` is its English sentence."""

    def __init__(self, status: int, message: CodedMessage | str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, render(message), headers)
        self.message = message


def closing_problem(status: int, error: Reason, message: CodedMessage | str, **headers: str) -> Response:
    """Build a problem after which the connection is closed."""
    answer = problem(status, error, render(message), message=message)
    answer.headers.update({"connection": "close", **headers})
    return answer


def encode_answer(answer: Response) -> bytes:
    """Encode an answer as it goes over the wire."""
    headers = (name + b": " + value for name, value in answer.raw_headers)
    return b"\r\n".join((b"HTTP/1.1 %d " % answer.status_code, *headers, b"", bytes(answer.body)))
