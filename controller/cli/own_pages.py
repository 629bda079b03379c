"""Check whether the pages at a web address are those of a table."""

import json
import ssl
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from urllib.parse import urlsplit

PATIENCE = 3.0  # seconds for a connection, and for an answer


def serves_table(url: str, table: str) -> bool:
    """True if this table's pages answer at the URL, or pages without a table's name. Raises OSError if none answers."""
    place = urlsplit(url)
    host, port = place.hostname or "", place.port
    connection = (
        HTTPConnection(host, port, timeout=PATIENCE)
        if place.scheme == "http"
        else HTTPSConnection(host, port, timeout=PATIENCE, context=_any_certificate())
    )
    try:
        connection.request("GET", "/healthz")
        body = json.loads(connection.getresponse().read())
    except (HTTPException, ValueError):
        return False
    finally:
        connection.close()
    return isinstance(body, dict) and body.get("table", table) == table


def _any_certificate() -> ssl.SSLContext:
    """Context that accepts every certificate: the answer is compared with a name, nothing is sent."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context
