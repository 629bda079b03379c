"""Find files that come with the program and are no code: example configs and documents."""

from importlib.resources import files
from importlib.resources.abc import Traversable


def folder(inside: str, beside: str) -> Traversable:
    """Folder inside the package; if the program runs from its source, the folder beside the package."""
    package = files("controller")
    packed = package / inside
    return packed if packed.is_dir() else package / ".." / beside
