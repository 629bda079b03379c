"""Fixture `image`: a folder in which a test lays out the files that a crash leaves."""

from tests.disk import image

__all__ = ["image"]
