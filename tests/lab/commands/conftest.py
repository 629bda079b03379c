"""The fixtures of the command line's tests."""

from tests.cli.conftest import tablectl

__all__ = ["tablectl"]
