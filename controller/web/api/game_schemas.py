"""JSON Schemas that differ by game: the outcome of a round and the settings of the house.

A table's documents have the schemas of the games that its record may hold; documents for any table have all.
"""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec import Struct

from ...rules.game import Game
from ...rules.procedure import Outcome, Settings

Schema = dict[str, Any]
ONE_OF_ANY = ("Outcome", "Settings")  # schemas that combine those of every game


def game_schemas(games: Iterable[Game], template: str) -> dict[str, Schema]:
    """Schemas of these games' outcomes and settings, and one schema that stands for either of all games.

    `template`: how a schema is referred to by its `{name}`.
    """
    schemas: dict[str, Schema] = {}
    several: dict[str, list[str]] = {name: [] for name in ONE_OF_ANY}
    for game in games:
        own = _schema_prefix(game)
        kinds: tuple[type[Outcome], type[Settings]] = (game.outcome, game.settings)
        for whole, kind in zip(ONE_OF_ANY, kinds, strict=True):
            parts = _parts(kind, template.replace("{name}", f"{own}{{name}}"))
            schemas |= {f"{own}{name}": {**schema, "title": f"{own}{name}"} for name, schema in parts.items()}
            several[whole].append(template.format(name=f"{own}{kind.__name__}"))
    return schemas | {name: _union_schema(name, refs) for name, refs in several.items()}


def outcome_schema(game: Game) -> Schema:
    """JSON Schema of the outcome of one game's round, complete in itself."""
    parts = _parts(game.outcome, "#/$defs/{name}")
    whole = parts.pop(game.outcome.__name__)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, **({"$defs": parts} if parts else {})}


def _schema_prefix(game: Game) -> str:
    """Prefix of the names of a game's schemas: `CasinoHoldem` for `casino_holdem`."""
    return game.name.title().replace("_", "")


def _union_schema(name: str, refs: list[str]) -> Schema:
    about = f"{name} of a round: one schema for each game."
    return {"title": name, "description": about, "anyOf": [{"$ref": ref} for ref in refs]}


def _parts(kind: type[Struct], template: str) -> dict[str, Schema]:
    """Schemas of a struct and its parts: every field required, further fields allowed.

    A later version may add fields. Fields that are withheld from an outcome are left out.
    """
    parts = msgspec.json.schema_components((kind,), ref_template=template)[1]
    withheld = kind.kept if issubclass(kind, Outcome) else ()
    return {name: _schema_for(schema, withheld) for name, schema in parts.items()}


def _schema_for(schema: Schema, withheld: Iterable[str]) -> Schema:
    fields = {
        name: {word: value for word, value in field.items() if word != "default"}
        for name, field in schema["properties"].items()
        if name not in withheld
    }
    rest = {word: value for word, value in schema.items() if word != "additionalProperties"}
    return {**rest, "properties": fields, "required": list(fields)}
