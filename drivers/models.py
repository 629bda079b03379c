"""The models of a kind of device: ours, and those that installed packages add.

The one rule: ours come first; a name that nobody knows is answered with those there are. A package adds a model by an
entry point in the group of its kind, `tablectl.shoes` and so on: name = model, value = what makes its codec.
"""

from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TypeVar

Factory = TypeVar("Factory")

UNKNOWN = (
    "unknown {kind} model {model!r}: expected one of {known}; correct [{kind}] model, "
    "or install the package that adds it (entry point group {group})"
)


class UnknownModel(LookupError):
    """No codec goes by the name of this model."""


def factory_of(kind: str, ours: Mapping[str, Factory], model: str, unknown: str = UNKNOWN) -> Factory:
    """What makes the codec of a model; UnknownModel if nobody knows it, in the words of `unknown`."""
    if model in ours:
        return ours[model]
    group = f"tablectl.{kind}s"
    added = entry_points(group=group)
    if model not in added.names:
        known = ", ".join(sorted({*ours, *added.names}))
        raise UnknownModel(unknown.format(kind=kind, model=model, known=known, group=group))
    factory: Factory = added[model].load()
    return factory
