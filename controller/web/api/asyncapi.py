"""What one audience meets at the table's door, as an AsyncAPI 3 document: what it may send, and what it is told.

Nothing is written down twice. Commands, answers, the state and every event come from the structs that
the program itself reads and writes; who may send what comes from MAY.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct

from ... import __version__
from ..net.replies import Problem
from .commands import MAY, Command, Commands, Role, word
from .messages import Schema, events, parts
from .state_message import Standing
from .verdicts import Answer

ADDRESS = "127.0.0.1:8032"
_SCHEMAS = "#/components/schemas/"
_REF = _SCHEMAS + "{name}"
_ABOUT = """\
What the {audience} may send to a table, and is told of it, over HTTP.

Events are server-sent events: `id` is the record's number, `data` is the message as JSON. Who comes back with the last
number they have, as `after` or as `Last-Event-ID`, misses nothing and gets nothing twice. Each record is exactly one
event: the numbers have no gap. Commands carry an id of the sender's own: the same again under it is answered as the
first time and not done again. Money is in minor units. A later version may tell more: pass over what is not known."""


@cache
def document(audience: Role) -> Mapping[str, Any]:
    """For this audience. Whoever gets it leaves it as it is."""
    words = [command for command in get_args(Command) if command in MAY[audience]]
    told = events(audience, _REF)
    made = {schema["title"]: schema for schema in told.values()}
    schemas = {**_sent(words), **_answered(told), **parts(audience, _REF), **made}
    return {
        "asyncapi": "3.0.0",
        "info": {"title": "tablectl", "version": __version__, "description": _ABOUT.format(audience=audience)},
        "defaultContentType": "application/json",
        "servers": {"table": _server(audience)},
        "channels": _channels(words, told),
        "operations": _operations(words, told),
        "components": {
            "schemas": _discriminated(schemas),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _discriminated(schema: Any) -> Any:  # noqa: ANN401 - any part of one
    """A schema as AsyncAPI has it: what tells the members of a union apart is named, and no more said of it."""
    match schema:
        case {"propertyName": str(name), "mapping": dict()}:
            return name
        case dict():
            return {key: _discriminated(part) for key, part in schema.items()}
        case list():
            return [_discriminated(part) for part in schema]
    return schema


def _server(audience: Role) -> Schema:
    address = {"default": ADDRESS, "description": "where the table's [web] section puts it"}
    server: Schema = {"host": "{address}", "protocol": "http", "variables": {"address": address}}
    return server | ({"security": [{"$ref": "#/components/securitySchemes/token"}]} if audience == "server" else {})


# ── where ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _channels(words: Iterable[type[Struct]], told: Mapping[str, Schema]) -> Schema:
    answers = {"answer": _message("Answer", "one verdict for each command, in their order")}
    problem = {"problem": _message("Problem", "nothing could be done")}
    commands = {word(command): _message(_name(command), _summary(command)) for command in words}
    if commands:
        commands["list"] = _message("Commands", "several commands, done one after the other")
    streamed = {kind: _message(schema["title"], schema["description"]) for kind, schema in told.items()}
    state = {"state": _message("Standing", "where the table stands")}
    channels: Schema = {
        "state": {"address": "/api/state", "messages": state | problem},
        "events": {"address": "/api/events", "messages": streamed | problem},
    }
    sending: Schema = {"commands": {"address": "/api/commands", "messages": commands | answers | problem}}
    return channels | sending if commands else channels


def _operations(words: Iterable[type[Struct]], told: Iterable[str]) -> Schema:
    """From the table's side: it receives commands and sends events."""
    after = {"type": "integer", "minimum": 0, "description": "the last record known; by default what comes next"}
    by_query = {"type": "object", "properties": {"after": after}}
    follow = _operation("send", "events", told, "every record from a place on", _http("GET", query=by_query))
    look = _operation("receive", "state", (), "where the table stands", _http("GET"), ("state", "problem"))
    commands = [word(command) for command in words]
    if not commands:
        return {"follow": follow, "look": look}
    summary = "one command, or a list of them"
    send = _operation("receive", "commands", (*commands, "list"), summary, _http("POST"), ("answer", "problem"))
    return {"send": send, "follow": follow, "look": look}


def _operation(
    action: Literal["send", "receive"],
    channel: str,
    messages: Iterable[str],
    summary: str,
    bindings: Schema,
    reply: Iterable[str] = (),
) -> Schema:
    where = {"channel": {"$ref": f"#/channels/{channel}"}}
    operation = {"action": action, **where, "summary": summary, "messages": _those(channel, messages)}
    answer = {"reply": {**where, "messages": _those(channel, reply)}} if reply else {}
    return {**operation, "bindings": bindings, **answer}


def _those(channel: str, messages: Iterable[str]) -> list[Schema]:
    return [{"$ref": f"#/channels/{channel}/messages/{name}"} for name in messages]


def _http(method: str, **more: Schema) -> Schema:
    return {"http": {"method": method, **more, "bindingVersion": "0.3.0"}}


# ── what ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _message(schema: str, summary: str) -> Schema:
    return {"title": schema, "summary": summary.partition("\n")[0], "payload": {"$ref": _SCHEMAS + schema}}


def _name(command: type[Struct]) -> str:
    """What a command's schema is called: an event may have the same name."""
    return f"{command.__name__}Command"


def _summary(command: type[Struct]) -> str:
    return command.__doc__ or ""


def _sent(words: Iterable[type[Struct]]) -> dict[str, Schema]:
    """The commands, and a list of them."""
    structs = tuple(words)
    if not structs:
        return {}
    parts = msgspec.json.schema_components(structs)[1]
    made = {_name(command): {**parts[command.__name__], "title": _name(command)} for command in structs}
    (several,), _ = msgspec.json.schema_components((Commands,))
    one_of = {"oneOf": [{"$ref": _SCHEMAS + name} for name in made]}
    return {**made, "Commands": {**several, "title": "Commands", "items": one_of}}


def _answered(told: Mapping[str, Schema]) -> dict[str, Schema]:
    """Answers and the state. A verdict repeats events."""
    _, parts = msgspec.json.schema_components((Answer, Standing, Problem), ref_template=_REF)
    records = parts["Verdict"]["properties"]["records"]
    records["items"] = {"oneOf": [{"$ref": _SCHEMAS + schema["title"]} for schema in told.values()]}
    return parts
