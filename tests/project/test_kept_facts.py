"""Limits and waits of all rooms, facts of the devices, and defaults of every message, each on one page.

A default is what an older record, config or message that lacks the field is read as: another one changes the past.
"""

import ast
import importlib
import pkgutil
import re
import struct
from collections.abc import Iterator
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from pathlib import Path
from types import ModuleType

import msgspec

import controller
import drivers
from controller.config.panel_keys import USUAL
from tests.kept import is_kept, of_any_version

HERE = Path(__file__).parent / "kept"
NUMBERS = (int, float)
MOMENTS = ("controller.table.beats.ORIGIN",)  # when the module was imported
FACTS = (*NUMBERS, str, bytes, frozenset, tuple, range, re.Pattern, struct.Struct)


@cache
def modules() -> tuple[ModuleType, ...]:
    """All modules but those that run when they are imported."""
    packages = ((one.__path__, f"{one.__name__}.") for one in (controller, drivers))
    found = {one.name for path, name in packages for one in pkgutil.walk_packages(path, name)}
    return tuple(importlib.import_module(name) for name in sorted(found) if not name.endswith("__main__"))


def constants(module: ModuleType) -> Iterator[tuple[str, object]]:
    """Constants that a module defines, by their names, which are in capitals."""
    body = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body
    stored = (node for one in body if isinstance(one, ast.Assign | ast.AnnAssign) for node in ast.walk(one))
    names = {node.id for node in stored if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    yield from ((name, vars(module)[name]) for name in sorted(names) if name.isupper() and name in vars(module))


def is_number(value: object) -> bool:
    """A number, or several of them."""
    if isinstance(value, tuple):
        return bool(value) and all(map(is_number, value))
    return isinstance(value, NUMBERS) and not isinstance(value, bool)


def plain(value: object) -> str:
    if isinstance(value, frozenset):
        return f"{{{', '.join(sorted(map(repr, value)))}}}"
    if isinstance(value, re.Pattern):
        return repr(value.pattern)
    return value.format if isinstance(value, struct.Struct) else repr(value)


def limits() -> Iterator[str]:
    for module in modules():
        if module.__name__.startswith("controller."):
            facts = {f"{module.__name__}.{name}": value for name, value in constants(module) if is_number(value)}
            yield from (f"{name} = {value}" for name, value in facts.items() if name not in MOMENTS)


def devices() -> Iterator[str]:
    for module in modules():
        if module.__name__.startswith("drivers."):
            facts = ((name, value) for name, value in constants(module) if isinstance(value, FACTS))
            yield from (f"{module.__name__}.{name} = {plain(value)}" for name, value in facts)


def usual_keys() -> Iterator[str]:
    """Meanings of the keys of each panel model, by their numbers."""
    for model, keys in USUAL.items():
        yield f"usual keys of {model}: {' '.join(f'{act}={key}' for act, key in keys.items())}"


def defaults_of(kind: type) -> dict[str, object]:
    """Defaults of a class that has fields, by field."""
    if issubclass(kind, msgspec.Struct):
        names, known = kind.__struct_fields__, kind.__struct_defaults__
        said = zip(names[len(names) - len(known) :], known, strict=True)
        return {name: value for name, value in said if value is not msgspec.NODEFAULT}
    if is_dataclass(kind):
        return {one.name: one.default for one in fields(kind) if one.default is not MISSING}
    return getattr(kind, "_field_defaults", {})


def kinds(module: ModuleType) -> Iterator[type]:
    """Classes that a module defines, by their names."""
    own = (one for _, one in sorted(vars(module).items()) if isinstance(one, type))
    yield from (one for one in own if one.__module__ == module.__name__)


def defaults() -> Iterator[str]:
    for module in modules():
        for kind in kinds(module):
            known = {name: plain(value) for name, value in defaults_of(kind).items()}
            said = (f"{name}={value}" for name, value in known.items() if " at 0x" not in value)
            if line := " ".join(said):
                yield f"{module.__name__}.{kind.__name__}: {line}"


def test_limits_and_waits_are_as_they_were_kept():
    assert is_kept(HERE / "limits.txt", "\n".join(limits()))


def test_the_facts_of_the_devices_are_as_they_were_kept():
    assert is_kept(HERE / "devices.txt", "\n".join((*devices(), *usual_keys())))


def test_the_default_of_every_field_is_as_it_was_kept():
    assert is_kept(HERE / "defaults.txt", of_any_version("\n".join(defaults())))
