"""Fixtures of the web tests: a TLS certificate, a clock, a table that a whole module uses."""

from collections.abc import Iterator

import pytest
import trustme

from tests.clocks import Clock
from tests.web.rig import Running

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
def clock() -> Clock:
    return Clock()


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[Running]:
    with Running(tmp_path_factory.mktemp("t")) as table:
        yield table
