"""The packages of `examples/`, installed once for all tests of a worker."""

import pytest

from .site import files, install


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Folder in which the packages are installed, which has left nothing beside their sources."""
    before = files()
    folder = install(tmp_path_factory.mktemp("site"))
    assert files() == before
    return folder
