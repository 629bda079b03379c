"""Compare the defaults of all fields, and the usual keys of all panels, with kept lists.

Older records, configs and messages that lack a field are read with its default: a new default changes their meaning.
"""

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import msgspec

import controller
import drivers
from controller.config.panel_keys import USUAL
from tests.kept_files import is_kept, of_any_version

HERE = Path(__file__).parent / "kept"


@cache
def modules() -> tuple[ModuleType, ...]:
    """Return all modules, except `__main__` modules, which run when they are imported."""
    packages = ((one.__path__, f"{one.__name__}.") for one in (controller, drivers))
    found = {one.name for path, name in packages for one in pkgutil.walk_packages(path, name)}
    return tuple(importlib.import_module(name) for name in sorted(found) if not name.endswith("__main__"))


def plain(value: object) -> str:
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(repr, value)))}}}"
    return repr(value)


def usual_keys() -> Iterator[str]:
    """Yield a line for each panel model: its usual keys and their numbers."""
    for model, keys in USUAL.items():
        yield f"usual keys of {model}: {' '.join(f'{act}={key}' for act, key in keys.items())}"


def defaults_of(kind: type) -> dict[str, object]:
    """Return the defaults of a struct, dataclass or named tuple, by field; of another class nothing."""
    if issubclass(kind, msgspec.Struct):
        names, values = kind.__struct_fields__, kind.__struct_defaults__
        pairs = zip(names[len(names) - len(values) :], values, strict=True)
        return {name: value for name, value in pairs if value is not msgspec.NODEFAULT}
    if is_dataclass(kind):
        return {one.name: one.default for one in fields(kind) if one.default is not MISSING}
    return getattr(kind, "_field_defaults", {})


def kinds(module: ModuleType) -> Iterator[type]:
    """Yield the classes that a module defines, sorted by name."""
    own = (one for _, one in sorted(vars(module).items()) if isinstance(one, type))
    yield from (one for one in own if one.__module__ == module.__name__)


def defaults() -> Iterator[str]:
    for module in modules():
        for kind in kinds(module):
            values = {name: plain(value) for name, value in defaults_of(kind).items()}
            texts = (f"{name}={value}" for name, value in values.items() if " at 0x" not in value)
            if line := " ".join(texts):
                yield f"{module.__name__}.{kind.__name__}: {line}"


def test_the_usual_keys_of_each_panel_are_as_kept():
    assert is_kept(HERE / "keys.txt", "\n".join(usual_keys()))


def test_the_default_of_every_field_is_as_it_was_kept():
    assert is_kept(HERE / "defaults.txt", of_any_version("\n".join(defaults())))
