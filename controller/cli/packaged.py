"""Files that come with the program and are no code: examples of configs, the documents."""

from importlib.resources import files
from importlib.resources.abc import Traversable


def folder(inside: str, beside: str) -> Traversable:
    """Of the package, or, where it runs from its source, beside it."""
    package = files("controller")
    packed = package / inside
    return packed if packed.is_dir() else package / ".." / beside
