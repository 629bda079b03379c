"""The same as an OpenAPI 3.1 document: the addresses that one audience asks over HTTP, and what is answered.

Nothing is written down twice. The schemas are those of `schemas`; who may send what comes from MAY.
"""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from msgspec import Struct

from ... import __version__
from ...rules.game import Game
from ..net.replies import PROBLEM, SCHEMA
from .addresses import HERE
from .asyncapi import ADDRESS
from .commands import Role, Rule
from .game_schemas import Schema
from .schemas import TOGETHER, can_together, ref, schemas, sent

_ABOUT = """\
What the {audience} may ask of a table over HTTP. The events, one by one, are in the AsyncAPI document beside this one
(`asyncapi.json`); both are made of the same schemas. Money is in minor units. A later version may tell more: pass over
what is not known."""
_PROBLEMS = {
    400: "not to be understood",
    401: "it is not known who asks",
    403: "not for this role",
    404: "there is no such thing",
    405: "asked by another method",
    408: "the body did not come in time",
    409: "the record has not come that far",
    413: "the body is too long",
    421: "asked under a name that is not the table's",
    429: "asked too often: come again after `Retry-After`",
    500: "something is wrong with the program",
    503: "the record cannot be read or written, the program ends, or there is no room: come again after `Retry-After`",
}
_ALWAYS = (400, 401, 403, 404, 405, 421, 429, 500, 503)


def document(audience: Role, games: tuple[Game, ...]) -> Mapping[str, Any]:
    """For this audience, at a table that plays one of these games."""
    components: Schema = {"schemas": schemas(audience, games)}
    if audience == "server":
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    about = {"title": "tablectl", "version": __version__, "description": _ABOUT.format(audience=audience)}
    return {
        "openapi": "3.1.0",
        "info": {**about, "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"}},
        "servers": [{"url": "http://{address}", "variables": {"address": {"default": ADDRESS}}}],
        "paths": {f"{HERE}{path}": _secured(audience, asked) for path, asked in _paths(audience).items()},
        "components": components,
    }


def _secured(audience: Role, asked: Schema) -> Schema:
    """The game server names its token. Whoever looks without one is told what players are."""
    needed: Schema = {"token": []} if audience == "server" else {}
    return {
        method: {**operation, "security": [needed] if method == "post" else [needed, {}]}
        for method, operation in asked.items()
    }


def _paths(audience: Role) -> dict[str, Schema]:
    role = _query("role", {"type": "string", "enum": [audience]}, "as whom, where one may be several")
    paths = {
        "/state": _get("state", "Where the table stands.", _json("Standing"), role),
        "/game": _get("game", "What is played, under which rules and limits.", _json("GameDescription"), role),
        "/events": _events(role),
        "/schema": _get("schema", "JSON Schema (2020-12) of all that is sent and told.", _document(SCHEMA), role),
        "/asyncapi.json": _get("asyncapi", "All of it as AsyncAPI 3.", _document(), role),
        "/openapi.json": _get("openapi", "This document.", _document(), role),
    }
    commands = sent(audience)
    rulings = {"/rulings": _rulings(role)} if Rule in commands else {}
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
    verdicts = _json("Answer")
    halted = {**_answers(503)["503"]["content"], **verdicts}
    return {
        "post": {
            "operationId": name,
            "summary": about,
            "parameters": [role],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": {
                **_answers(*_ALWAYS, 408, 413),
                "200": {"description": "each was looked at", "content": verdicts},
                "503": {"description": f"{_PROBLEMS[503]}; the verdicts say what was done", "content": halted},
            },
        }
    }


def _events(role: Schema) -> Schema:
    about = (
        "Every record from a place on, as server-sent events that do not end: `id` is the record's number, `data` an "
        "Event as JSON. Whoever comes back names the last number they have, as `after` or as `Last-Event-ID`."
    )
    number: Schema = {"type": "integer", "minimum": 0, "maximum": 2**53}
    last = {"name": "Last-Event-ID", "in": "header", "schema": number, "description": "the same, and before `after`"}
    after = _query("after", number, "the last record known; by default what comes next")
    stream = {"text/event-stream": {"schema": {"type": "string"}}}
    asked = _get("events", about, stream, role, after, last)
    asked["get"]["responses"] |= _answers(409)
    return asked


def _get(name: str, about: str, content: Schema, *parameters: Schema) -> Schema:
    responses = {"200": {"description": "as asked", "content": content}, **_answers(*_ALWAYS)}
    return {"get": {"operationId": name, "summary": about, "parameters": list(parameters), "responses": responses}}


def _query(name: str, schema: Schema, about: str) -> Schema:
    return {"name": name, "in": "query", "schema": schema, "description": about}


def _answers(*statuses: int) -> Schema:
    """Problems, by their status."""
    content = {PROBLEM: {"schema": ref("Problem")}}
    return {
        str(status): {"description": f"{HTTPStatus(status).phrase}: {_PROBLEMS[status]}", "content": content}
        for status in statuses
    }


def _json(name: str) -> Schema:
    return {"application/json": {"schema": ref(name)}}


def _document(media_type: str = "application/json") -> Schema:
    return {media_type: {"schema": {"type": "object"}}}
