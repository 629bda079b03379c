"""Fixtures of these tests: a folder for what a crash leaves."""

from tests.disk import image

__all__ = ["image"]
