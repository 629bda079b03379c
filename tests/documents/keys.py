"""Keys of a table's and of a floor's config: from the structs that check them, and example configs."""

import inspect as source
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import inspect

from controller.config.floor_file import FloorConfig
from controller.config.table_file import Config
from controller.games import GAMES
from drivers.shoes import SHOES, shoe_model

CONFIGS = Path(__file__).parent.parent.parent / "config"
EXAMPLES = [*sorted(CONFIGS.glob("*.toml")), *sorted((CONFIGS / "floor").glob("*.toml"))]
_KEY = re.compile(r"^(?:# )?(?P<key>[\w.]+) = .*?(?:\s{2,}|\s)# (?P<means>.+)$")
_FIELD = re.compile(r"^    (?P<key>\w+): .*?  # (?P<means>.+)$")
_SECTION = re.compile(r"^(?:# )?\[(?P<name>[\w.]+)\]")

_PLAIN = {inspect.StrType: "text", inspect.BoolType: "`true`, `false`"}


class ConfigKey(msgspec.Struct, frozen=True):
    """Key of a section of a config: allowed values, default and meaning."""

    section: str
    name: str
    takes: str
    default: str
    means: str


def keys() -> Iterator[ConfigKey]:
    """Yield all keys of a table's config: `[game]` for each game, `[shoe.settings]` for each shoe model."""
    meant = _explained()
    for section in inspect.type_info(Config).fields:
        if section.name == "game":
            for name, game in GAMES.items():
                of_game, posted = f'game] name = "{name}"', "posted_digest"
                yield ConfigKey(of_game, posted, "text", "", meant[f"game.{posted}"])
                yield from _of(inspect.type_info(game.settings), of_game, "game", meant)
        else:
            yield from _of(section.type, f"{section.name}]", section.name, meant)
        if section.name == "shoe":
            for model in SHOES:
                settings = inspect.type_info(shoe_model(model).settings)
                yield from _of(settings, f'shoe.settings] model = "{model}"', f"shoe.settings {model}", meant)


def floor_keys() -> Iterator[ConfigKey]:
    """Yield the keys of `[floor]`, which only a floor's config has."""
    own = next(section for section in inspect.type_info(FloorConfig).fields if section.name == "floor")
    yield from _of(own.type, "floor]", "floor", _explained())


def _of(kind: Any, section: str, path: str, meant: Mapping[str, str]) -> Iterator[ConfigKey]:
    if isinstance(kind, inspect.DictType):
        kind, section = kind.value_type, f"{section[:-1]}.NAME]"
    own = _commented(kind.cls)
    for field in kind.fields:
        name, below = field.encode_name, field.type
        if isinstance(below, inspect.StructType) or isinstance(getattr(below, "value_type", None), inspect.StructType):
            yield from _of(below, f"{section[:-1]}.{name}]", f"{path}.{name}", meant)
        else:
            means = meant.get(f"{path}.{name}") or own.get(name, "")
            yield ConfigKey(section, name, _takes(below), _default(field), means)


def _commented(cls: type) -> dict[str, str]:
    """Return the comments after the fields of a struct, by field name."""
    sections = (one for one in cls.__mro__ if one.__module__.startswith(("controller", "drivers")))
    lines = (line for one in sections for line in source.getsource(one).splitlines())
    return {found["key"]: found["means"] for line in lines if (found := _FIELD.match(line))}


def _explained() -> dict[str, str]:
    """Return the comments of the example configs by path of the key; the first example with one counts."""
    meant: dict[str, str] = {}
    for path in EXAMPLES:
        section = ""
        for line in path.read_text(encoding="utf-8").splitlines():
            if found := _SECTION.match(line):
                section = found["name"]
            elif found := _KEY.match(line):
                meant.setdefault(f"{section}.{found['key']}", found["means"])
    return meant


def _default(field: inspect.Field) -> str:
    if field.required:
        return "must be given"
    return f"`{json.dumps(field.default)}`" if field.default not in (None, msgspec.NODEFAULT) else ""


def _takes(kind: Any) -> str:
    match kind:
        case inspect.UnionType():
            return ", ".join(_takes(one) for one in kind.types if not isinstance(one, inspect.NoneType))
        case inspect.LiteralType():
            return ", ".join(f"`{json.dumps(value)}`" for value in kind.values)
        case inspect.VarTupleType():
            return f"a list of {_takes(kind.item_type)}"
        case inspect.DictType():
            return "keys of its own"
        case inspect.Metadata():
            return _takes(kind.type)
        case inspect.IntType() | inspect.FloatType():
            return _number(kind)
    return _PLAIN[type(kind)]


def _number(kind: Any) -> str:
    what = "a whole number" if isinstance(kind, inspect.IntType) else "a number"
    bounds = f"{kind.ge:,} to {kind.le:,}" if None not in (kind.ge, kind.le) else ""
    return f"{what}, {bounds}" if bounds else what if kind.ge is None else f"{what} from {kind.ge:,}"
