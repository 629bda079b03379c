"""Addresses of the programs' API: `/api/v1/...`, and the same under `/api/...`.

docs/game-server.md says what may change within a version, and how long an old version is answered.
"""

from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

VERSION = "v1"
HERE = f"/api/{VERSION}"  # the prefix in the documents
_PREFIXES = (HERE, "/api")  # a path without a version means the first version

Answer = Callable[[Request], Awaitable[Response]]


def routes(*endpoints: tuple[str, str, Answer]) -> list[BaseRoute]:
    """Routes for each method and path, under every address of the API."""
    return [
        Route(f"{prefix}{path}", answer, methods=[method]) for prefix in _PREFIXES for method, path, answer in endpoints
    ]
