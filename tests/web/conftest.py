"""A certificate for the network door, the authority that it is from, and a clock that a test sets."""

import pytest
import trustme

from tests.web.people import Clock

AUTHORITY = trustme.CA()
CERTIFICATE = AUTHORITY.issue_cert("127.0.0.1", "localhost")


@pytest.fixture
def files(tmp_path) -> dict[str, str]:
    """The certificate and its key, as the config names them."""
    certificate, key = tmp_path / "t.pem", tmp_path / "t.key"
    CERTIFICATE.private_key_pem.write_to_path(key)
    for part in CERTIFICATE.cert_chain_pems:
        part.write_to_path(certificate, append=True)
    return {"certificate": str(certificate), "key": str(key)}


@pytest.fixture
def clock() -> Clock:
    return Clock()
