"""Fixtures of the web tests: a TLS certificate, a clock, a table that a whole module uses."""

from collections.abc import Iterator

import pytest
import trustme

from tests.clocks import ManualClock
from tests.web.rig import ThreadedTable

AUTHORITY = trustme.CA()
CERTIFICATE = AUTHORITY.issue_cert("127.0.0.1", "localhost")


@pytest.fixture
def files(tmp_path) -> dict[str, str]:
    """Paths of a certificate and its key, under the names of their config fields."""
    certificate, key = tmp_path / "t.pem", tmp_path / "t.key"
    CERTIFICATE.private_key_pem.write_to_path(key)
    for part in CERTIFICATE.cert_chain_pems:
        part.write_to_path(certificate, append=True)
    return {"certificate": str(certificate), "key": str(key)}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[ThreadedTable]:
    with ThreadedTable(tmp_path_factory.mktemp("t")) as table:
        yield table
