"""Description of an HTTP request for an ASGI application, the same for a connection and for the bus."""

from collections.abc import Mapping, Sequence
from urllib.parse import unquote

from starlette.types import Scope

ASGI = {"version": "3.0", "spec_version": "2.3"}
Headers = Sequence[tuple[bytes, bytes]]


def http_scope(
    method: str, path: str, query: bytes, headers: Headers, line: Mapping[str, object], version: str = "1.1"
) -> Scope:
    """Describe a request by ASGI. `path`: as it was sent; `line`: scheme, client, server and state."""
    return {
        "type": "http", "asgi": ASGI, "http_version": version, "root_path": "", "method": method,
        "path": unquote(path), "raw_path": path.encode(), "query_string": query, "headers": headers, **line,
    }  # fmt: skip
