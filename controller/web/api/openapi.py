"""OpenAPI 3.1 document of a table's API for one audience: its addresses and their answers over HTTP.

The schemas come from `schemas`, the permissions from MAY.
"""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from ... import __version__
from ...core.bounds import MOST_NUMBER
from ...rules.game import Game
from ..net.replies import SCHEMA
from .addresses import HERE
from .asyncapi import ADDRESS
from .commands import Role, RuleCommand
from .game_schemas import Schema
from .openapi_parts import AFTER, ALWAYS, EPOCH, OR_ENGLISH, PROBLEMS, answers, document_of, get, json_of, query
from .schemas import TOGETHER, can_together, commands_of, ref, schemas
from .shift_paths import shift_paths

_ABOUT = """\
HTTP requests that a client in the role `{audience}` may send to a table. The AsyncAPI document beside this one
(`asyncapi.json`) describes each kind of event, with the same schemas. Amounts are integers in minor units of the
table's currency: 2500 is 25.00 EUR. Later versions may add addresses, fields and codes: ignore those that you do not
know."""
_ROLE = "role in which to answer; needed only by a caller who may act in several, as at the table's Unix socket"


def document(audience: Role, games: tuple[Game, ...]) -> Mapping[str, Any]:
    """Build the document for this audience, at a table that plays one of these games."""
    components: Schema = {"schemas": schemas(audience, games)}
    if audience == "server":
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    about = {"title": "tablectl", "version": __version__, "description": _ABOUT.format(audience=audience)}
    return {
        "openapi": "3.1.0",
        "info": {**about, "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "servers": [{"url": "http://{address}", "variables": {"address": {"default": ADDRESS}}}],
        "paths": {path: _add_security(audience, operations) for path, operations in _all_paths(audience).items()},
        "components": components,
    }


def _add_security(audience: Role, operations: Schema) -> Schema:
    """Add the security of each operation: the server's token; GET works without it, in a player's view."""
    needed: Schema = {"token": []} if audience == "server" else {}
    return {
        method: {**operation, "security": [needed] if method == "post" else [needed, {}]}
        for method, operation in operations.items()
    }


def _all_paths(audience: Role) -> dict[str, Schema]:
    """Paths of the API; for managers also the paths of a shift, without a version in their address."""
    paths = {f"{HERE}{path}": operations for path, operations in _paths(audience).items()}
    return {**paths, **shift_paths()} if audience == "manager" else paths


def _paths(audience: Role) -> dict[str, Schema]:
    role = query("role", {"type": "string", "enum": [audience]}, _ROLE)
    paths = {
        "/state": get("state", "Return the present state of the table.", json_of("TableState"), role),
        "/game": get("game", "Return the game, its rules, limits and odds.", json_of("GameDescription"), role),
        "/events": _events(role),
        "/schema": get("schema", "Return one JSON Schema (2020-12) of all messages.", document_of(SCHEMA), role),
        "/asyncapi.json": get(
            "asyncapi", "Return all messages, over HTTP and bus, as AsyncAPI 3.", document_of(), role
        ),
        "/openapi.json": get("openapi", "This document.", document_of(), role),
    }
    commands = commands_of(audience)
    rulings = {"/rulings": _rulings(role)} if RuleCommand in commands else {}
    return ({"/commands": _commands(commands, role)} if commands else {}) | rulings | paths


def _commands(commands: list[type[Struct]], role: Schema) -> Schema:
    several = ("CommandList", TOGETHER) if can_together(commands) else ("CommandList",)
    body = {"anyOf": [ref("Command"), *map(ref, several)]}
    about = "Carry out one command, or a list of commands one after the other; returns one verdict for each, in order."
    if TOGETHER in several:
        about += " With `all`, all commands are carried out or none; after a refusal, a changed list needs new ids."
    return _post("command", about, body, role)


def _rulings(role: Schema) -> Schema:
    about = "Carry out a ruling that two shift managers make together; the second one confirms it by PIN or badge."
    return _post("seconded_rule", about, ref("SecondedRule"), role)


def _post(name: str, about: str, body: Schema, role: Schema) -> Schema:
    verdicts = json_of("VerdictsAnswer")
    halted = {**answers(503)["503"]["content"], **verdicts}
    return {
        "post": {
            "operationId": name,
            "summary": about,
            "parameters": [role, OR_ENGLISH],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                **answers(*ALWAYS, 408, 413),
                "200": {"description": "one verdict for each command", "content": verdicts},
                "503": {"description": f"{PROBLEMS[503]}; the verdicts say what was carried out", "content": halted},
            },
        }
    }


def _events(role: Schema) -> Schema:
    about = (
        "Stream the events after a given record as server-sent events, without end: `id` is the record's number, "
        "`data` the Event as JSON. After a lost connection send the last number as `after` or as `Last-Event-ID`."
    )
    number: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_NUMBER}
    as_after = "as `after`; used if both are sent"
    last = {"name": "Last-Event-ID", "in": "header", "schema": number, "description": as_after}
    after = query("after", number, AFTER)
    of = query("epoch", {"type": "string"}, EPOCH)
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    operations = get("events", about, stream, role, after, of, last)
    operations["get"]["responses"] |= answers(409)
    return operations
