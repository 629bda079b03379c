"""Fixtures for the tests of the lab's commands."""

from tests.cli.conftest import tablectl

__all__ = ["tablectl"]
