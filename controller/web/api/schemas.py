"""JSON Schemas of all messages that one audience sends and receives, for all documents.

They use only features common to JSON Schema 2020-12, draft 7 (AsyncAPI's) and OpenAPI 3.1. The `discriminator` of a
union is in OpenAPI's form; the other documents convert it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, get_args

import msgspec
from msgspec import Struct

from ...core.movements import Movement
from ...core.records import LaterDifference
from ...games import GAMES
from ...rules.game import Game
from ..net.replies import Problem
from .commands import MAY, Command, CommandGroup, Commands, ResettleCommand, Role, RuleCommand, SecondedRule, word
from .game_message import GameDescription
from .game_schemas import Schema, game_schemas
from .hand_over_message import HandOverAsked, HandOverDone, OpenPoints
from .messages import events, facts
from .state_message import TableState
from .verdicts import VerdictsAnswer

REF = "#/components/schemas/{name}"
_IN_A_BUNDLE = "#/$defs/{name}"
TOGETHER = "CommandsTogether"


def ref(name: str) -> Schema:
    """Reference to a schema of a document."""
    return {"$ref": REF.format(name=name)}


def games_in_record(game: Game) -> tuple[Game, ...]:
    """Games that may be in the record of a table that plays this game: its family."""
    return tuple(one for one in GAMES.values() if one.family_name == game.family_name)


def commands_of(audience: Role) -> list[type[Struct]]:
    """Command types that this audience may send."""
    return [command for command in get_args(Command) if command in MAY[audience]]


def name_of(command: type[Struct]) -> str:
    """Name of a command's schema: the name of its class."""
    return f"{command.__name__}Command"


def schemas(audience: Role, games: Iterable[Game], template: str = REF) -> dict[str, Schema]:
    """Schemas of an audience by name. `template`: form of a reference."""
    event_schemas = events(audience, template)
    titled = {schema["title"]: schema for schema in event_schemas.values()}
    kinds = {kind: schema["title"] for kind, schema in event_schemas.items()}
    event = _one_of("Event", "Event of one of these kinds: the field `kind` says which.", "kind", kinds, template)
    return {
        **_commands(commands_of(audience), template),
        **_answers(audience, template),
        **titled,
        **game_schemas(games, template),
        "Event": event,
    }


def bundle(audience: Role, games: tuple[Game, ...]) -> Mapping[str, Any]:
    """One JSON Schema (2020-12) with all schemas, each under its name in `$defs`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:tablectl:v1:{audience}",
        "title": "tablectl",
        "description": f"Messages between a table and clients in the role {audience}, each under its name in $defs.",
        "$defs": with_discriminators(schemas(audience, games, _IN_A_BUNDLE), lambda _: {}),
    }


def with_discriminators(schema: Any, replacement: Callable[[str], Schema]) -> Any:  # noqa: ANN401 - any part of one
    """Copy of a schema with each union's `discriminator` replaced by what `replacement` returns for it."""
    match schema:
        case {"discriminator": {"propertyName": str(field)}, **rest}:
            return {**with_discriminators(rest, replacement), **replacement(field)}
        case dict():
            return {key: with_discriminators(part, replacement) for key, part in schema.items()}
        case list() | tuple():
            return [with_discriminators(part, replacement) for part in schema]
    return schema


def _one_of(title: str, about: str, field: str, names: Mapping[str, str], template: str) -> Schema:
    """Schema of a union whose members have different values in one field."""
    refs = {value: template.format(name=name) for value, name in names.items()}
    return {
        "title": title,
        "description": about,
        "type": "object",
        "required": [field],
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": field, "mapping": refs},
    }


def _commands(commands: list[type[Struct]], template: str) -> dict[str, Schema]:
    """Schemas of each command, of any command, of a list, and of an all-or-none list.

    The last only if the audience may send such a list.
    """
    if not commands:
        return {}
    parts = msgspec.json.schema_components(commands, ref_template=template)[1]
    components = {name_of(one): {**parts[one.__name__], "title": name_of(one)} for one in commands}
    components |= {name: schema for name, schema in parts.items() if name not in {one.__name__ for one in commands}}
    names = {word(one): name_of(one) for one in commands}
    any_of_them = {"items": {"$ref": template.format(name="Command")}}
    (several, _), parts = msgspec.json.schema_components((Commands, CommandGroup))
    described = {
        **components,
        "Command": _one_of(
            "Command", "One of these commands: the field `command` says which.", "command", names, template
        ),
        "CommandList": {**several, "title": "CommandList", **any_of_them},
    }
    if RuleCommand in commands:
        described |= _second_person_schema(template)
    if can_together(commands):
        together = parts["CommandGroup"]
        together["properties"]["commands"] |= any_of_them
        described[TOGETHER] = {**together, "title": TOGETHER}
    return described


def _second_person_schema(template: str) -> dict[str, Schema]:
    """Schema of a ruling that a second person confirms."""
    parts = msgspec.json.schema_components([SecondedRule], ref_template=template)[1]
    either = [{"$ref": template.format(name=name_of(one))} for one in (RuleCommand, ResettleCommand)]
    parts["SecondedRule"]["properties"]["ruling"] = {"anyOf": either}
    return {name: parts[name] for name in ("SecondedRule", "Credentials")}


def can_together(commands: Iterable[type[Struct]]) -> bool:
    """True if all of these commands are allowed in an all-or-none list."""
    return set(commands) == MAY["server"]


def _answers(audience: Role, template: str) -> dict[str, Schema]:
    """Schemas of answers, and of the parts of events and answers. A verdict repeats events."""
    fact_types = facts(audience)
    of_shift = (HandOverAsked, HandOverDone, OpenPoints) if audience == "manager" else ()
    types = (*fact_types, Movement, VerdictsAnswer, TableState, GameDescription, Problem, *of_shift)
    parts = msgspec.json.schema_components(types, ref_template=template)[1]
    own = {
        *(fact.__name__ for fact in fact_types),
        LaterDifference.__name__,
    }  # have a schema of their own, or are never sent
    components = {name: schema for name, schema in parts.items() if name not in own}
    components["Verdict"]["properties"]["records"]["items"] = {"$ref": template.format(name="Event")}
    components["TableState"]["properties"]["outcome"]["anyOf"][0] = {"$ref": template.format(name="Outcome")}
    components["GameDescription"]["properties"]["settings"] = {"$ref": template.format(name="Settings")}
    for one in _structs(kind for kind in types if kind is not HandOverAsked):
        if one.__name__ in components:
            components[one.__name__] = _written_schema(components[one.__name__], one)
    return components


def _written_schema(schema: Schema, struct: type[Struct]) -> Schema:
    """Schema in which always written fields are required and no default is named."""
    omits = struct.__struct_config__.omit_defaults
    fields = msgspec.structs.fields(struct)
    written = [one.encode_name for one in fields if one.required or not (omits or one.default is msgspec.UNSET)]
    properties = {
        name: {word: value for word, value in field.items() if word != "default"}
        for name, field in schema["properties"].items()
    }
    required = [*(name for name in schema.get("required", ()) if name not in written), *written]
    return {**schema, "properties": properties, "required": required}


def _structs(types: Iterable[Any]) -> set[type[Struct]]:
    """Struct types among these types and in their fields."""
    structs, left = set[type[Struct]](), [*msgspec.inspect.multi_type_info(types)]
    while left:
        match left.pop():
            case msgspec.inspect.StructType(cls=struct, fields=fields) if struct not in structs:
                structs.add(struct)
                left += [field.type for field in fields]
            case msgspec.inspect.UnionType(types=several) | msgspec.inspect.TupleType(item_types=several):
                left += several
            case msgspec.inspect.CollectionType(item_type=one) | msgspec.inspect.Metadata(type=one):
                left.append(one)
            case msgspec.inspect.DictType(value_type=one):
                left.append(one)
    return structs
