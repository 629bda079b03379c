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
from .openapi_parts import ALWAYS, OR_ENGLISH, PROBLEMS, answers, document_of, get, json_of, query
from .schemas import TOGETHER, can_together, commands_of, ref, schemas
from .shift_paths import shift_paths

_ABOUT = """\
What the {audience} may ask of a table over HTTP. The events, one by one, are in the AsyncAPI document beside this one
(`asyncapi.json`); both are made of the same schemas. Money is in minor units. A later version may tell more: pass over
what is not known."""


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
    role = query("role", {"type": "string", "enum": [audience]}, "as whom, where one may be several")
    paths = {
        "/state": get("state", "Where the table stands.", json_of("TableState"), role),
        "/game": get("game", "What is played, under which rules and limits.", json_of("GameDescription"), role),
        "/events": _events(role),
        "/schema": get("schema", "JSON Schema (2020-12) of all that is sent and told.", document_of(SCHEMA), role),
        "/asyncapi.json": get("asyncapi", "All of it as AsyncAPI 3.", document_of(), role),
        "/openapi.json": get("openapi", "This document.", document_of(), role),
    }
    commands = commands_of(audience)
    rulings = {"/rulings": _rulings(role)} if RuleCommand in commands else {}
    return ({"/commands": _commands(commands, role)} if commands else {}) | rulings | paths


def _commands(commands: list[type[Struct]], role: Schema) -> Schema:
    several = ("CommandList", TOGETHER) if can_together(commands) else ("CommandList",)
    body = {"anyOf": [ref("Command"), *map(ref, several)]}
    about = "A command or a list of them, done one after the other; answered with a verdict for each, in their order."
    if TOGETHER in several:
        about += " Or several with `all`: all of them are done, or none; what is sent anew then has new ids."
    return _post("command", about, body, role)


def _rulings(role: Schema) -> Schema:
    about = "A ruling that two shift managers make, where so much is staked; answered as the command alone is."
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
                "200": {"description": "each was looked at", "content": verdicts},
                "503": {"description": f"{PROBLEMS[503]}; the verdicts say what was done", "content": halted},
            },
        }
    }


def _events(role: Schema) -> Schema:
    about = (
        "Every record from a place on, as server-sent events that do not end: `id` is the record's number, `data` an "
        "Event as JSON. Whoever comes back names the last number they have, as `after` or as `Last-Event-ID`."
    )
    number: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_NUMBER}
    last = {"name": "Last-Event-ID", "in": "header", "schema": number, "description": "the same, and before `after`"}
    after = query("after", number, "the last record known; by default what comes next")
    of = query("epoch", {"type": "string"}, "of which that is: where it does not count any more, 409")
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    operations = get("events", about, stream, role, after, of, last)
    operations["get"]["responses"] |= answers(409)
    return operations
