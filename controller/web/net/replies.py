"""How an answer goes out: as JSON, and where nothing could be done with a word and a line that say why."""

import msgspec
from msgspec import Struct
from starlette.responses import Response

AGAIN = 5  # seconds after which to come again, where there was no room


def as_json(content: object, status: int = 200) -> Response:
    """An answer."""
    return Response(msgspec.json.encode(content), status, media_type="application/json")


class Problem(Struct, frozen=True):
    """Nothing could be done: with status 400 and above, except for verdicts that come with 503."""

    error: str  # a word
    says: str  # what is wrong, in one line


def problem(status: int, error: str, says: str) -> Response:
    """What is answered instead."""
    return as_json(Problem(error, says), status)
