"""Fixture that installs the packages of `examples/` once for all tests of a worker."""

import pytest

from .site import files, install


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Install the packages; return their folder. Asserts that no file is left beside their sources."""
    before = files()
    folder = install(tmp_path_factory.mktemp("site"))
    assert files() == before
    return folder
