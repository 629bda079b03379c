"""Tests that imports between rooms, and the code of sheets, core and drivers, follow the architecture."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from controller.config.paths import CONFIGS, RUNTIMES, SOCKETS, STATES, pc_folder
from controller.games import GAMES

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "controller").rglob("*.py")) + sorted((ROOT / "drivers").rglob("*.py"))
SHEETS = sorted(path for path in (ROOT / "controller" / "games").glob("*.py") if path.name != "__init__.py")
CORE = sorted((ROOT / "controller" / "core").rglob("*.py"))
RULES = sorted((ROOT / "controller" / "rules").glob("*.py"))
DRIVERS = sorted((ROOT / "drivers").rglob("*.py"))


@cache
def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements within a node; walking all expressions would take as long as parsing."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        for one in getattr(node, field, ()):
            yield one
            yield from statements(one)


@cache
def imports(path: Path) -> set[str]:
    """Return the absolute names of all modules that a file imports, in functions, too."""
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    found = set()
    for node in statements(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            module = ".".join(filter(None, [base, node.module]))
            found.add(module)
            found |= {f"{module}.{alias.name}" for alias in node.names}
    return found


def uses(path: Path, *packages: str) -> list[str]:
    return sorted(name for name in imports(path) if any(name == one or name.startswith(f"{one}.") for one in packages))


def by_path(paths: list[Path]):
    return pytest.mark.parametrize("path", paths, ids=[str(path.relative_to(ROOT)) for path in paths])


def test_the_lists_of_checked_files_are_not_empty():
    assert {path.stem for path in SHEETS} >= {"baccarat", "casino_holdem"}
    assert len(CORE) > 5
    assert len(DRIVERS) > 5


# ── the order of rooms ───────────────────────────────────────────────────────────────────────────────────────────

# Rooms by level, lowest first: only rooms of higher levels, and the room itself, may import from a room.
LEVELS = """
rules
games core
accounts
text
journal
config
table reports
script outputs
station
web
bus
floor
cli
lab
testing
"""
FLOOR_LEVELS = """
storage
history
shared_state
live
people
consoles
site
process
"""
LAB_LEVELS = """
rtp catalogue
testing measures
demo
commands
"""
WEB_LEVELS = """
pages
net
screens
api
access
site
listeners
"""


def test_every_module_of_the_controller_is_in_a_room():
    assert [path.name for path in (ROOT / "controller").glob("*.py")] == ["__init__.py"]


def test_every_room_has_a_level():
    folders = {path.name for path in (ROOT / "controller").iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(rooms(LEVELS))


def rooms(plan: str) -> dict[str, int]:
    """Return the level of each room of a plan."""
    return {room: level for level, row in enumerate(plan.split("\n")) for room in row.split()}


def climbs(folder: Path, plan: str) -> list[str]:
    """Return the imports that a room makes from other rooms of its own level or of a higher one."""
    level, depth = rooms(plan), len(folder.relative_to(ROOT).parts)
    package = ".".join(folder.relative_to(ROOT).parts)
    found = []
    for path in sorted(folder.rglob("*.py")):
        room = path.relative_to(folder).with_suffix("").parts[0]
        for name in imports(path) if room != "__init__" else ():
            other = name.split(".")[depth] if name.startswith(f"{package}.") else room
            if other != room and other in level and level[other] >= level[room]:
                found.append(f"{path.relative_to(ROOT)} -> {name}")
    return found


def test_every_room_of_the_controller_imports_only_rooms_below_it():
    assert climbs(ROOT / "controller", LEVELS) == []


def test_every_room_of_the_web_imports_only_rooms_below_it():
    assert climbs(ROOT / "controller" / "web", WEB_LEVELS) == []


def test_every_room_of_the_floor_imports_only_rooms_below_it():
    assert climbs(ROOT / "controller" / "floor", FLOOR_LEVELS) == []
    names = {path.stem for path in (ROOT / "controller" / "floor").iterdir() if path.name[0] != "_"}
    assert names == set(rooms(FLOOR_LEVELS))


def test_every_room_of_the_lab_imports_only_rooms_below_it():
    assert climbs(ROOT / "controller" / "lab", LAB_LEVELS) == []


# ── the folders of the PC ────────────────────────────────────────────────────────────────────────────────────────

PC = (CONFIGS, STATES, SOCKETS, RUNTIMES)


def test_only_one_module_names_the_folders_of_the_pc():
    """A second module could lead a test, or a program that it starts, to the real tables of this PC."""
    spoken = [path for path in SOURCES if any(folder in path.read_text(encoding="utf-8") for folder in PC)]
    named = {path.relative_to(ROOT).as_posix() for path in spoken if any(text.startswith(PC) for text in texts(path))}
    assert named == {"controller/config/paths.py"}


def texts(path: Path) -> Iterator[str]:
    """Yield the texts in a file, except docstrings."""
    docs = {id(node.value) for node in ast.walk(tree(path)) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_pc_folders_are_placed_below_the_configured_root(own_pc):
    for folder in PC:
        assert pc_folder(folder) == own_pc / folder[1:]
        assert pc_folder(folder, {}) == pc_folder(folder, {"TABLECTL_ROOT": ""}) == Path(folder)


# ── rule sheets ──────────────────────────────────────────────────────────────────────────────────────────────────

GENERATORS = {"deal", "ask", "reveal", "bets"}


@by_path(SHEETS)
def test_a_rule_sheet_writes_yield_from_before_every_step(path):
    """`deal(hand)` without `yield from` only makes a generator, so that no card would be dealt."""
    module = tree(path)
    parts = GENERATORS | generator_functions(module)
    driven = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.YieldFrom)}
    forgotten = [
        f"{path.name}:{node.lineno}: {node.func.id}"
        for node in ast.walk(module)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in parts
        and id(node) not in driven
    ]
    assert forgotten == []


def generator_functions(module: ast.Module) -> set[str]:
    return {
        node.name
        for node in ast.walk(module)
        if isinstance(node, ast.FunctionDef)
        and any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node))
    }


@by_path(SHEETS)
def test_a_rule_sheet_yields_only_through_the_vocabulary(path):
    assert [node.lineno for node in ast.walk(tree(path)) if isinstance(node, ast.Yield)] == []


VOCABULARY = {
    f"controller.rules.{name}" for name in ("cards", "baccarat_odds", "face", "game", "poker", "procedure", "returns")
}
OWN = ("controller.games.strategies.{}", "controller.games.reasons.{}")  # its strategy and its reasons
PURE = {"msgspec", "decimal", "fractions", "collections", "itertools", "typing"}


@by_path(SHEETS)
def test_a_rule_sheet_imports_the_vocabulary_and_nothing_else(path):
    strange = {
        name
        for name in imports(path)
        if name.split(".")[0] not in PURE
        and not any(
            name == word or name.startswith(f"{word}.")
            for word in {*VOCABULARY, *(own.format(path.stem) for own in OWN)}
        )
    }
    assert strange <= {"controller.games.strategies", "controller.games.reasons"}


@by_path(SHEETS)
def test_a_rule_sheet_knows_no_clock_chance_files_or_exceptions(path):
    banned = ast.Try | ast.TryStar | ast.With | ast.Global | ast.Nonlocal | ast.AsyncFunctionDef | ast.Raise
    assert [node.lineno for node in ast.walk(tree(path)) if isinstance(node, banned)] == []
    calls = {
        node.func.id for node in ast.walk(tree(path)) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert calls & {"open", "print", "input", "eval", "exec", "hash", "id", "__import__"} == set()


@by_path(SHEETS)
def test_a_rule_sheet_exports_one_game_named_as_its_file(path):
    module = tree(path)
    games = [
        node
        for node in module.body
        if isinstance(node, ast.Assign) and [one.id for one in node.targets if isinstance(one, ast.Name)] == ["GAME"]
    ]
    assert len(games) == 1
    assert GAMES[path.stem].name == path.stem


@by_path(SHEETS)
def test_a_rule_sheet_with_pay_tables_is_under_150_lines(path):
    """The lines before the function `describe`, which begins the sheet's texts, are counted."""
    sheet, texts, _ = path.read_text(encoding="utf-8").partition("def describe(")
    assert texts
    assert len(sheet.splitlines()) < 150


# ── the core ─────────────────────────────────────────────────────────────────────────────────────────────────────

IMPURE = (
    "asyncio", "os", "io", "pathlib", "socket", "sqlite3", "subprocess", "threading", "time", "random", "secrets",
    "uuid", "structlog", "logging", "serial", "usb", "click", "rich", "sys", "signal", "tempfile",
)  # fmt: skip


@by_path(CORE)
def test_the_core_does_no_io_and_has_no_clock(path):
    assert uses(path, *IMPURE) == []
    called = {node.attr for node in ast.walk(tree(path)) if isinstance(node, ast.Attribute)}
    assert called & {"now", "utcnow", "today", "monotonic"} == set()


@by_path(RULES)
def test_the_vocabulary_does_no_io(path):
    assert uses(path, *IMPURE) == []


# ── drivers ──────────────────────────────────────────────────────────────────────────────────────────────────────


@by_path(DRIVERS)
def test_a_driver_imports_nothing_from_the_controller(path):
    assert uses(path, "controller") == []


def test_pyserial_is_imported_by_the_serial_port_only():
    users = {str(path.relative_to(ROOT)) for path in SOURCES if uses(path, "serial")}
    assert users == {"drivers/serial_port.py"}


def test_only_usb_device_and_emulated_bus_import_pyusb():
    users = [path.relative_to(ROOT) for path in SOURCES if uses(path, "usb", "libusb_package")]
    strange = {
        str(path)
        for path in users
        if str(path) not in ("drivers/usb_device.py", "drivers/libusb.py")
        and not (path.parent.name == "emulators" and path.name.startswith("usb_"))
    }
    assert strange == set()


def test_apprise_is_imported_by_alert_delivery_only():
    assert [str(path.relative_to(ROOT)) for path in SOURCES if uses(path, "apprise")] == [
        "controller/outputs/delivery.py"
    ]


def test_pillow_is_imported_for_key_faces_only():
    users = {str(path.relative_to(ROOT)) for path in SOURCES if uses(path, "PIL")}
    assert users == {"controller/outputs/faces.py", "controller/outputs/symbols.py"}
    script = "import sys, controller.station.station, controller.cli; sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], cwd=ROOT, check=False).returncode == 0


CODECS = ("shoes", "panels", "beacons", "badge_readers")


@by_path([path for kind in CODECS for path in (ROOT / "drivers" / kind).glob("*.py")])
def test_a_codec_does_no_io(path):
    assert uses(path, *(name for name in IMPURE if name != "sys")) == []


# ── the API ──────────────────────────────────────────────────────────────────────────────────────────────────────

WEB, CLI = ROOT / "controller" / "web", ROOT / "controller" / "cli"
SAID = (
    "commands", "command_events", "verdicts", "answered_commands", "table_state", "messages", "game_message",
    "game_schemas", "schemas", "asyncapi", "asyncapi_bus", "openapi",
)  # fmt: skip


@by_path([WEB / "api" / f"{name}.py" for name in SAID])
def test_modules_of_api_messages_import_no_server_journal_or_table(path):
    assert uses(path, *IMPURE, "starlette", "httptools", "controller.journal", "controller.table") == []


def test_the_command_line_asks_a_table_without_web_server():
    serving = ("net.server", "net.stream", "access", "api.api", "api.record_feed", "api.problems", "screens", "site")
    for path in (CLI / f"{name}.py" for name in ("client", "command_sender", "live", "status", "state_lines")):
        assert uses(path, "starlette", "httptools", *(f"controller.web.{name}" for name in serving)) == []


# ── everywhere ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_every_import_is_of_the_project_or_a_declared_library():
    declared = {
        "apprise", "click", "msgspec", "serial", "usb", "rich", "structlog", "transitions", "libusb_package",
    }  # fmt: skip
    declared |= {"PIL", "argon2", "nacl", "nats", "nkeys", "prometheus_client", "starlette", "httptools"}
    packages = {"", "controller", "drivers", *sys.stdlib_module_names, *declared}
    tops = ((path, name.split(".")[0]) for path in SOURCES for name in imports(path))
    assert [f"{path}: {top}" for path, top in tops if top not in packages] == []


def test_no_function_is_longer_than_30_lines():
    long = ((path, *one) for path in SOURCES for one in functions(path))
    assert [f"{path}: {name} at {line}: {length}" for path, name, line, length in long if length > 30] == []


def functions(path: Path) -> Iterator[tuple[str, int, int]]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, node.lineno, (node.end_lineno or 0) - node.lineno + 1


def test_every_module_has_a_docstring():
    assert [str(path) for path in SOURCES if not ast.get_docstring(tree(path))] == []
