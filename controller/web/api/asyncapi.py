"""AsyncAPI 3 document of a table's API for one audience: the messages it may send and receives.

The schemas come from `schemas`, the permissions from MAY.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from msgspec import Struct

from ... import __version__
from ...rules.game import Game
from ..net.replies import PROBLEM
from . import asyncapi_bus
from .addresses import HERE
from .commands import Role, word
from .game_schemas import Schema
from .messages import events
from .openapi_parts import AFTER, EPOCH
from .schemas import REF, TOGETHER, can_together, commands_of, name_of, ref, schemas, with_discriminators

ADDRESS = "127.0.0.1:8032"
_ABOUT = """\
Messages between a table and its clients in the role `{audience}`, over HTTP and over the studio's bus (NATS).

The table keeps a journal of numbered records. Each record becomes exactly one event for each role, so the numbers
(`seq`) have no gap. Over HTTP events are server-sent events: `id` is the record's number, `data` is the event as JSON.
Store the number of the last event that you have processed. After a lost connection send it as the query parameter
`after` or as the header `Last-Event-ID`: the stream continues with the next event.

Amounts are integers in minor units of the table's currency: 2500 is 25.00 EUR. Later versions may add fields, kinds of
events and codes: ignore those that you do not know."""
_ABOUT_COMMANDS = """

Each command has an `id` that its sender chooses. If a command is sent again under its id, in its round or the next, the
table does not carry it out again and repeats the first answer."""
_GAME, _STATE = "the game of the table, its rules, limits and odds", "the present state of the table"
_ANY_COMMANDS = "one command, or a list of commands"
_ALL_OR_NONE = "several commands, all of which are carried out, or none"


def document(audience: Role, games: tuple[Game, ...]) -> Mapping[str, Any]:
    """Build the document for this audience, at a table that plays one of these games."""
    words, event_schemas = commands_of(audience), events(audience, REF)
    channels, operations = _channels(words, event_schemas), _operations(words, event_schemas)
    on_the_bus = asyncapi_bus.channels(audience, channels)
    about = _ABOUT.format(audience=audience) + (_ABOUT_COMMANDS if words else "")
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "tablectl", "version": __version__, "description": about},
        "defaultContentType": "application/json",
        "servers": {"table": _server(audience), asyncapi_bus.SERVER: asyncapi_bus.server()},
        "channels": channels | on_the_bus,
        "operations": operations | asyncapi_bus.operations(on_the_bus, operations),
        "components": {
            "messages": _messages(words, event_schemas) | asyncapi_bus.messages(audience),
            "schemas": with_discriminators(schemas(audience, games), lambda field: {"discriminator": field})
            | asyncapi_bus.schemas(audience),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}, **asyncapi_bus.security()},
        },
    }


def _server(audience: Role) -> Schema:
    address = {"default": ADDRESS, "description": "host and port of the table's web server: [web] `listen`"}
    server: Schema = {"host": "{address}", "protocol": "http", "variables": {"address": address}}
    return server | ({"security": [{"$ref": "#/components/securitySchemes/token"}]} if audience == "server" else {})


# ── channels ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _channels(words: Iterable[type[Struct]], event_schemas: Mapping[str, Schema]) -> Schema:
    places = {
        "game": {"game": "GameDescription"},
        "state": {"state": "TableState"},
        "events": {kind: schema["title"] for kind, schema in event_schemas.items()},
    }
    if words:
        commands = {word(command): name_of(command) for command in words}
        several = {"commandList": "CommandList"} | ({"commandsTogether": TOGETHER} if can_together(words) else {})
        places["commands"] = {**commands, **several, "answer": "VerdictsAnswer"}
    return {
        place: {
            "address": f"{HERE}/{place}",
            "servers": [{"$ref": "#/servers/table"}],
            "messages": {key: _ref_message(name) for key, name in {**names, "problem": "Problem"}.items()},
        }
        for place, names in places.items()
    }


def _ref_message(name: str) -> Schema:
    return {"$ref": f"#/components/messages/{name}"}


def _operations(words: Iterable[type[Struct]], kinds: Iterable[str]) -> Schema:
    """Operations of the document, from the table's side: it receives commands, sends events."""
    after = {"type": "integer", "minimum": 0, "description": AFTER}
    epoch = {"type": "string", "description": EPOCH}
    by_query = {"type": "object", "properties": {"after": after, "epoch": epoch}}
    follow = _operation("send", "events", kinds, "all events after a given record", _http("GET", query=by_query))
    look = _operation("receive", "state", (), _STATE, _http("GET"), ("state", "problem"))
    read = _operation("receive", "game", (), _GAME, _http("GET"), ("game", "problem"))
    looking = {"follow": follow, "look": look, "readRules": read}
    commands = [word(command) for command in words]
    if not commands:
        return looking
    summary, several = _ANY_COMMANDS, ["commandList"]
    if can_together(words):
        summary, several = f"{summary}; or {_ALL_OR_NONE}", [*several, "commandsTogether"]
    send = _operation("receive", "commands", (*commands, *several), summary, _http("POST"), ("answer", "problem"))
    return {"send": send, **looking}


def _operation(
    action: Literal["send", "receive"],
    channel: str,
    messages: Iterable[str],
    summary: str,
    bindings: Schema,
    reply: Iterable[str] = (),
) -> Schema:
    where = {"channel": {"$ref": f"#/channels/{channel}"}}
    operation = {"action": action, **where, "summary": summary, "messages": _message_refs(channel, messages)}
    answer = {"reply": {**where, "messages": _message_refs(channel, reply)}} if reply else {}
    return {**operation, "bindings": bindings, **answer}


def _message_refs(channel: str, messages: Iterable[str]) -> list[Schema]:
    return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in messages]


def _http(method: str, **more: Schema) -> Schema:
    return {"http": {"method": method, **more, "bindingVersion": "0.3.0"}}


# ── messages ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _messages(words: Iterable[type[Struct]], event_schemas: Mapping[str, Schema]) -> Schema:
    """AsyncAPI messages, each under the name of its schema."""
    about = {
        "GameDescription": _GAME,
        "TableState": _STATE,
        **{schema["title"]: schema["description"] for schema in event_schemas.values()},
        **{name_of(command): command.__doc__ or "" for command in words},
    }
    if words:
        about["CommandList"] = "several commands, carried out one after the other"
        about["VerdictsAnswer"] = "one verdict for each command, in the same order"
    if can_together(words):
        about[TOGETHER] = _ALL_OR_NONE
    messages = {name: _message(name, summary) for name, summary in about.items()}
    problem = _message("Problem", "the request was not carried out; `reason` says why")
    return {**messages, "Problem": {**problem, "contentType": PROBLEM}}


def _message(name: str, summary: str) -> Schema:
    return {"name": name, "title": name, "summary": " ".join(summary.split()), "payload": ref(name)}
