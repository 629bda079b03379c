"""Compare constants, default arguments, options and struct settings of all modules with kept lists.

No other test checks most of them to the digit. A change of one shows here as a changed line.
"""

import ast
import inspect
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path
from types import FunctionType, ModuleType

import click
import msgspec

from controller.cli import main
from tests.kept_files import is_kept, of_any_version
from tests.project.test_kept_facts import HERE, kinds, modules

LONGEST = 60  # characters of a word; longer texts and queries have other tests
MOST = 2000  # characters of a line: tables of cards and of handlers have tests of their own
COMPUTED = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda


class Unkept(Exception):
    """The value is no number, no word and no collection of them: it is not kept."""


def value_text(value: object) -> str:
    """Return a value as text for the kept list. Raises Unkept."""
    match value:
        case bool() | int() | float() | bytes() | range() | Enum() | None:
            return repr(value)
        case str() if len(value) <= LONGEST and " " not in value.strip():
            return repr(value)
        case type() | FunctionType():
            return value.__qualname__
        case msgspec.Struct():
            return f"{type(value).__name__}({value_text(msgspec.structs.asdict(value))})"
        case Mapping():
            return f"{{{_listed(sorted(f'{value_text(name)}: {value_text(one)}' for name, one in value.items()))}}}"
        case set() | frozenset():
            return f"{{{_listed(sorted(map(value_text, value)))}}}"
        case list() | tuple():
            return f"({_listed(map(value_text, value))})"
    raise Unkept(type(value).__name__)


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(parts)


def value_line(name: str, value: object) -> Iterator[str]:
    """Yield the line of a value, or of its keys alone if its values are sentences or functions."""
    try:
        line = f"{name} = {value_text(value)}"
    except Unkept:
        if not isinstance(value, dict):  # an environment differs by PC
            return
        with suppress(Unkept):
            yield from value_line(f"{name}: keys", tuple(value))
        return
    if len(line) <= MOST:
        yield line


def constants(module: ModuleType) -> Iterator[str]:
    """Yield a line for each constant of a module: names in capitals, with values that are not computed."""
    tree = ast.parse(Path(inspect.getfile(module)).read_text(encoding="utf-8"))
    written = [node for node in tree.body if isinstance(node, ast.Assign | ast.AnnAssign)]
    names = [name for node in written if not _is_computed(node) for name in _names(node)]
    for name in dict.fromkeys(names):
        if name.isupper() and hasattr(module, name):
            yield from value_line(f"{module.__name__}.{name}", getattr(module, name))


def _is_computed(node: ast.AST) -> bool:
    """Return whether a value is a comprehension or lambda, or comes from a call of a method."""
    nodes = list(ast.walk(node))
    callees = (one.func for one in nodes if isinstance(one, ast.Call))
    return any(isinstance(one, COMPUTED) for one in nodes) or any(isinstance(one, ast.Attribute) for one in callees)


def _names(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    yield from (one.id for target in targets for one in ast.walk(target) if isinstance(one, ast.Name))


def functions(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    """Yield the functions of a module and the methods of its classes, with their names."""
    for name, one in sorted(vars(module).items()):
        if getattr(one, "__module__", None) != module.__name__:
            continue
        if inspect.isfunction(one):
            yield name, one
        elif isinstance(one, type):
            below = ((f"{name}.{method}", each) for method, each in sorted(vars(one).items()))
            yield from ((path, each) for path, each in below if inspect.isfunction(each))


def unlisted_values(module: ModuleType) -> Iterator[str]:
    """Yield a line for each default argument of a module's functions, except None."""
    for name, function in functions(module):
        if function.__module__ == module.__name__:
            for parameter in inspect.signature(function).parameters.values():
                if parameter.default not in (parameter.empty, None):
                    yield from value_line(f"{module.__name__}.{name}({parameter.name})", parameter.default)


def options(command: click.Command, path: str) -> Iterator[str]:
    """Yield a line for each default of a command's and its subcommands' options, except None and False."""
    for parameter in command.params:
        if (default := parameter.to_info_dict()["default"]) not in (None, False):
            yield from value_line(f"{path} {parameter.opts[0]}", default)
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            yield from options(command.get_command(context, name), f"{path} {name}")


SWITCHES = ("order", "array_like", "omit_defaults", "forbid_unknown_fields", "cache_hash")  # off by default


def forms(module: ModuleType) -> Iterator[str]:
    """Yield a line for each struct and dataclass: whether it is frozen, and how it is encoded."""
    for kind in kinds(module):
        if issubclass(kind, msgspec.Struct):
            config = kind.__struct_config__
            words = ["frozen" if config.frozen else "open", *(one for one in SWITCHES if getattr(config, one))]
            words += [] if config.eq else ["by identity"]
            words += [] if config.gc else ["untracked"]
            words += [] if config.tag is None else [f"{config.tag_field}={config.tag}"]
            yield f"{module.__name__}.{kind.__name__}: {' '.join(words)}"
        elif is_dataclass(kind):
            frozen, slots = kind.__dataclass_params__.frozen, "__slots__" in vars(kind)
            yield f"{module.__name__}.{kind.__name__}: {'frozen' if frozen else 'open'}{' slots' if slots else ''}"


def page(lines: Collection[str]) -> str:
    return of_any_version("\n".join(lines))


def test_every_limit_and_word_is_as_it_was_kept():
    assert is_kept(HERE / "limits.txt", page([line for module in modules() for line in constants(module)]))


def test_every_default_argument_is_as_it_was_kept():
    assert is_kept(HERE / "left_out.txt", page([line for module in modules() for line in unlisted_values(module)]))


def test_every_default_of_an_option_is_as_it_was_kept():
    assert is_kept(HERE / "options.txt", page(list(options(main, "tablectl"))))


def test_the_settings_of_every_struct_are_as_kept():
    assert is_kept(HERE / "structs.txt", page([line for module in modules() for line in forms(module)]))
