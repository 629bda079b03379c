"""How an answer goes out: as JSON, and where nothing could be done as a problem (RFC 9457) that says why.

The one rule: each reason for a problem stands in TITLES, from which the documents list them; what was wrong this time
is its `detail`, in one line.
"""

from collections.abc import Mapping
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType
from starlette.responses import Response

TITLES: Mapping[str, str] = {
    "bad_request": "the request is not as it has to be",
    "malformed": "what was sent is no command",
    "not_signed_in": "it is not known who asks",
    "forbidden": "this is not for who asks",
    "not_found": "there is no such thing",
    "wrong_method": "the address is asked by another method",
    "too_slow": "the body did not come in time",
    "beyond_the_end": "the record has not come that far",
    "too_long": "the body is too long",
    "wrong_host": "the table is asked under a name that is not its own",
    "too_often": "it was asked too often",
    "refused": "it is not answered",
    "bug": "something is wrong with the program",
    "record_unreadable": "the record cannot be read",
    "users_unreadable": "nobody can sign in",
}
Type = Annotated[str, Meta(extra_json_schema={"format": "uri"})]
Reason = Annotated[str, Meta(extra_json_schema={"enum": [*TITLES]})]


class Problem(Struct, frozen=True):
    """Nothing could be done: with status 400 and above, except for verdicts that come with 503."""

    type: Type  # urn:tablectl:problem:REASON
    title: str  # of every problem of this type
    status: int
    detail: str  # what is wrong, in one line
    reason: Reason
    position: str | UnsetType = UNSET  # where in what was sent, as `$[1].stake`


def as_json(content: object, status: int = 200, media_type: str = "application/json") -> Response:
    """An answer."""
    return Response(msgspec.json.encode(content), status, media_type=media_type)


def problem(status: int, reason: str, detail: str, position: str | UnsetType = UNSET) -> Response:
    """What is answered instead."""
    told = Problem(f"urn:tablectl:problem:{reason}", TITLES[reason], status, detail, reason, position)
    return as_json(told, status, "application/problem+json")
