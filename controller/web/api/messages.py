"""JSON Schemas of the events that an audience receives, made from the records' own structs.

A schema follows `view`: it lacks the fields that an audience does not receive, also those about a hidden card.
A later version may add fields: readers ignore the fields that they do not know.
"""

from collections.abc import Iterator, Mapping
from typing import Any, get_args

import msgspec

from ...core.causes import HiddenCard
from ...core.events import Origin
from ...core.movements import MOVING, Movement
from ...core.notation import WRITTEN, cause_text
from ...core.records import Checkpoint, Decided, Fact, What
from ...core.views import ANNOUNCED, ENVELOPE, PLAYER, STUDIOS_OWN, STUDIOS_RECORDS, Audience
from ...rules.cards import JOKER, RANKS, SUITS

Schema = dict[str, Any]

INTERNAL = "internal"  # stands for all kinds of events that an audience does not receive
_ALWAYS = ("seq", "at", "kind", "table")
_TEXT: Schema = {"type": "string"}
_NULL: Schema = {"type": "null"}
_CARD: Schema = {"type": "string", "pattern": f"^([{RANKS}][{SUITS}]|{JOKER})$"}
_CARD_OR_NULL: Schema = {"anyOf": [_CARD, _NULL]}
_TIME = "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z$"
_ABOUT: Mapping[str, Schema] = {
    "seq": {"type": "integer", "minimum": 1, "description": "number of the record, and id of the event"},
    "at": {"type": "string", "format": "date-time", "pattern": _TIME},
    "kind": _TEXT,
    "table": _TEXT,
    "round": {"type": "integer", "minimum": 1},
    "shoe": _TEXT,
    "dealer": _TEXT,
    "person": {"type": "string", "description": "id of the person whose name is in `by`"},
    "training": {
        "const": True,
        "description": "the record belongs to a training round, which is hidden from game server and viewers",
    },
    "command": {"type": "string", "description": "id of the command that led to this record"},
    "origin": msgspec.json.schema_components((Origin,))[1]["Origin"],
}
_BY_GAME: Mapping[str, str] = {"outcome": "Outcome", "settings": "Settings"}  # schemas of fields that differ by game
_NOT_SENT = frozenset({"kind", "rest"})  # fields of a record that are not in its event; `rest` is in the later parts
_HIDES: Mapping[str, bool] = {"face_up": False, "hidden": True}  # field and value that mean: the card is hidden
_INSTEAD: Mapping[str, Schema] = {
    "card": _NULL,
    "came": {"const": msgspec.to_builtins(HiddenCard())},
    "got": {"const": cause_text(HiddenCard())},
}


def events(audience: Audience, template: str) -> dict[str, Schema]:
    """Schemas of each kind of event for this audience, and of the one that stands for all other kinds.

    `template`: how a schema is referred to by its `{name}`.
    """
    internal: Schema = {
        "title": "InternalEvent",
        "description": "Record without content for this role. It keeps the numbers without a gap.",
        "type": "object",
        "properties": {"seq": _ABOUT["seq"], "kind": {"const": INTERNAL}},
        "required": ["seq", "kind"],
    }
    return {kind: _event(kind, fact, audience, template) for kind, fact in _kinds_for(audience)} | {INTERNAL: internal}


def facts(audience: Audience) -> tuple[type[Fact], ...]:
    """Record types that this audience receives as events."""
    return tuple(fact for _, fact in _kinds_for(audience))


def _kinds_for(audience: Audience) -> Iterator[tuple[str, type[Fact]]]:
    for fact in get_args(What):
        kind = str(fact.__struct_config__.tag)
        hidden = kind not in PLAYER if audience == "player" else kind in STUDIOS_RECORDS and audience != "manager"
        if fact is not Checkpoint and not hidden:
            yield kind, fact


def _event(kind: str, fact: type[Fact], audience: Audience, template: str) -> Schema:
    component = msgspec.json.schema_components((fact,), ref_template=template)[1][fact.__name__]
    fields = {
        name: _field(name, schema, template)
        for name, schema in component["properties"].items()
        if name not in _NOT_SENT
    }
    fields |= dict.fromkeys(WRITTEN.get(fact, ()), _TEXT) | _movement_schema(fact, template)
    if audience == "player":
        fields = {name: fields[name] for name in PLAYER[kind]}
    elif audience != "manager":
        fields = {name: schema for name, schema in fields.items() if name not in STUDIOS_OWN}
    about = {name: schema for name, schema in _ABOUT.items() if _receives_field(name, audience)}
    condition = _condition(fields)
    card = {"card": _CARD_OR_NULL} if condition and "card" in fields else {}
    return {
        "title": f"{fact.__name__}Event",
        "description": component["description"],
        "type": "object",
        "properties": {**about, "kind": {"const": kind}, **fields, **card},
        "required": [*_ALWAYS, *(name for name in fields if name not in _optional_fields(fact))],
        **condition,
    }


def _optional_fields(fact: type[Fact]) -> frozenset[str]:
    """Names of optional fields: not written if empty, or absent from records of earlier versions."""
    fields = msgspec.structs.fields(fact)
    if not fact.__struct_config__.omit_defaults:
        return frozenset(field.name for field in fields if field.default is msgspec.UNSET)
    return frozenset(field.name for field in fields if not field.required)


def _movement_schema(fact: type[Fact], template: str) -> dict[str, Schema]:
    """Schema of `movement` if this record moves money; null is allowed for a decision without a stake."""
    moved = {"$ref": template.format(name=Movement.__name__)}
    return {"movement": {"anyOf": [moved, _NULL]} if fact is Decided else moved} if fact in MOVING else {}


def _receives_field(name: str, audience: Audience) -> bool:
    """True if this audience receives the common field `name` of records."""
    if audience == "player":
        return name in ENVELOPE
    about = {"training": audience not in ANNOUNCED, "command": audience in ("manager", "server")}
    about |= dict.fromkeys(("origin", "person"), audience == "manager")
    return about.get(name, True)


def _field(name: str, schema: Schema, template: str) -> Schema:
    """Schema of a field as its struct has it, without the default: every field is sent."""
    if name in _BY_GAME:
        return {"$ref": template.format(name=_BY_GAME[name])}
    if name == "card":
        return _CARD_OR_NULL if "anyOf" in schema else _CARD
    if name == "cards" and schema["type"] == "array":
        return {"type": "array", "items": _CARD}
    return {word: value for word, value in schema.items() if word != "default"}


def _condition(fields: Mapping[str, Schema]) -> Schema:
    """Schema condition for records that may hide a card: the fields of a hidden card, and those of an open one.

    Empty if the record never hides a card.
    """
    says = next((name for name in _HIDES if name in fields), None)
    secret = [name for name in _INSTEAD if name in fields]
    if says is None or not secret:
        return {}
    return {
        "if": {"properties": {says: {"const": _HIDES[says]}}},
        "then": {"properties": {name: _INSTEAD[name] for name in secret}},
        "else": {"properties": {name: fields[name] for name in secret}},
    }
