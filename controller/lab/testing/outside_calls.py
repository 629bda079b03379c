"""Search the source of a sheet or codec for calls to the outside: clock, chance, file, thread.

The source is searched because no number of test runs finds, for example, a clock that is read once a day.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from types import ModuleType

from .broken import Broken

WORLD = frozenset({
    "time", "random", "secrets", "uuid", "os", "sys", "socket", "select", "selectors", "threading", "asyncio", "signal",
    "subprocess", "multiprocessing", "tempfile", "shutil", "urllib", "sqlite3", "sched", "io",
})  # fmt: skip
ALWAYS_OTHER = frozenset({"time", "random", "secrets"})  # may not even be stored, as a later call could be hidden
NOW = frozenset({"now", "utcnow", "today"})  # methods of `datetime` and `date` that read the clock
BUILT_IN = frozenset({"open", "input", "print", "exec", "eval"})
PACKAGES = frozenset({"site-packages", "dist-packages"})
READS = frozenset({"read_text", "read_bytes", "write_text", "write_bytes"})  # methods of a path that use the disk


def check_codec_source(makes: Callable[[], object]) -> None:
    """Check that the source of a codec uses no clock, wait, chance or file. Raises Broken.

    Raises it also if `makes` returns the same codec twice.
    """
    codec, other = makes(), makes()
    if codec is other:
        raise Broken(
            "expected a new codec at each call, the same one came twice",
            change="pass the class, or a function that makes a codec at each call",
        )
    for kind in type(codec).__mro__[:-1]:
        module = inspect.getmodule(kind)
        for where, called in find_outside_calls(module, {kind.__name__}) if module is not None else ():
            raise Broken(
                f"expected a codec that uses only the bytes it gets, {where} uses {called}",
                change="leave it out: the table opens the device, keeps the time and waits",
            )


def find_outside_calls(module: ModuleType, roots: Collection[str] | None = None) -> Iterator[tuple[str, str]]:
    """Yield calls to the outside in a module and the author's modules beside it: place (`file.py:12`) and name.

    `roots`: names in the module to which, with all that they use, the search is limited; None: all functions.
    """
    for number, one in enumerate([module, *_own_modules(module)]):
        tree = ast.parse(inspect.getsource(one))
        looked_at = _reachable_definitions(tree, roots) if roots is not None and number == 0 else _functions(tree)
        for where, called in _calls(tree, looked_at):
            yield f"{Path(one.__file__ or one.__name__).name}:{where}", called


def _own_modules(module: ModuleType) -> list[ModuleType]:
    """Return the author's other modules: those in the same folder whose functions or classes this module imports."""
    folder = Path(module.__file__ or "").parent
    if folder.name in PACKAGES:  # a single-file package: the modules beside it belong to other authors
        return []
    names = {getattr(value, "__module__", None) for value in vars(module).values()} - {module.__name__, None}
    others = [sys.modules[name] for name in sorted(filter(None, names)) if name in sys.modules]
    return [one for one in others if Path(getattr(one, "__file__", None) or "/").parent == folder]


def _functions(tree: ast.Module) -> list[ast.AST]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Lambda)]


def _reachable_definitions(tree: ast.Module, roots: Collection[str]) -> list[ast.AST]:
    """Definitions of a module that are reachable from these names or from lambdas outside of definitions."""
    defined = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    loose = [node for node in tree.body if node not in defined.values()]
    lambdas = [node for one in loose for node in ast.walk(one) if isinstance(node, ast.Lambda)]
    used_by_them = {node.id for one in lambdas for node in ast.walk(one) if isinstance(node, ast.Name)}
    reached, open_ = dict[str, ast.AST](), [name for name in {*roots, *used_by_them} if name in defined]
    while open_:
        name = open_.pop()
        if name not in reached:
            reached[name] = defined[name]
            used = {node.id for node in ast.walk(defined[name]) if isinstance(node, ast.Name)}
            open_ += [one for one in used if one in defined]
    return [*reached.values(), *lambdas]


def _calls(tree: ast.Module, looked_at: Collection[ast.AST]) -> Iterator[tuple[int, str]]:
    """Yield line and name of each call to the outside.

    Also of each clock or chance that is stored for a later call.
    """
    names = _import_origins(tree)
    nodes = [node for one in looked_at for node in ast.walk(one)]
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if isinstance(node, ast.Name | ast.Attribute) and _asks(node, names, is_called=id(node) in called):
            yield node.lineno, ast.unparse(node)


def _asks(node: ast.Name | ast.Attribute, names: Mapping[str, str], *, is_called: bool) -> bool:
    """True if a name is a called function of the outside, or a stored clock or chance."""
    name = ast.unparse(node)
    head, last = name.partition(".")[0], name.rpartition(".")[2]
    origin = f"{names.get(head, '')}.{last}" if "." in name else names.get(head, "")
    module = origin.partition(".")[0]
    if not is_called:
        return module in ALWAYS_OTHER and "." in origin
    clock = last in NOW and (module == "datetime" or "date" in head.lower())
    return module in WORLD or clock or name in BUILT_IN or last in READS


def _import_origins(tree: ast.Module) -> dict[str, str]:
    """Origin of each name that is imported anywhere in the module, or assigned from an imported name."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.partition(".")[0]: alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Name | ast.Attribute):
            value = ast.unparse(node.value)
            origin = names.get(value.partition(".")[0])
            aliases = [target.id for target in node.targets if isinstance(target, ast.Name)]
            names |= dict.fromkeys(aliases if origin else (), f"{origin}.{value.rpartition('.')[2]}")
    return names
