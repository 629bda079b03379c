"""Paths of a shift in the OpenAPI document, for shift managers: its report and the hand-over."""

from ..net.replies import PROBLEM
from .game_schemas import Schema
from .openapi_parts import ALWAYS, OR_ENGLISH, answers, get, json_of, query
from .schemas import ref

_LANGUAGE = query("lang", {"type": "string", "enum": ["en", "ro"]}, "the language; by default that of the table")
_POINTS = {"shown": 8338, "points": ["Not connected: Panel", "Cancelled rounds: 308, 424"]}
_ASKED = {
    "from": {"name": "103", "pin": "2580"},
    "to": {"name": "102", "pin": "1379"},
    "shown": 8338,
    "note": "panel key FINISH sticks",
}
_DONE = {"table": "table1", "by": "Maria", "to": "Sandu"}
_TWICE = {
    "type": "urn:tablectl:problem:forbidden",
    "title": "this is not for who asks",
    "status": 403,
    "detail": "expected two persons, got Maria twice",
    "reason": "forbidden",
}


def shift_paths() -> dict[str, Schema]:
    """Path items of the report and the hand-over, by path."""
    return {"/report": _report(), "/session/hand-over": {**_open_points_path(), **_handed_over()}}


def _report() -> Schema:
    about = "The report of a shift or a day as a page that prints to two pages of A4; by default the shift that is on."
    shift = query("shift", {"type": "string"}, "a time in it, by the clocks of the studio: 2026-01-31T14:00")
    day = query("day", {"type": "string"}, "a day instead: 2026-01-31")
    page: Schema = {"text/html": {"schema": {"type": "string"}}}
    operations = get("report", about, page, shift, day, _LANGUAGE)
    elsewhere: Schema = {"description": "who is no shift manager is sent to where one signs in"}
    operations["get"]["responses"] |= {"303": elsewhere}
    return operations


def _open_points_path() -> Schema:
    about = "What is open, which rounds of the shift are cancelled, its notes: to be read before the hand-over."
    return get("openPoints", about, json_of("OpenPoints", _POINTS), OR_ENGLISH)


def _handed_over() -> Schema:
    problems = answers(*ALWAYS, 408, 413)
    problems["403"] |= {"content": {PROBLEM: {"schema": ref("Problem"), "example": _TWICE}}}
    return {
        "post": {
            "operationId": "handOver",
            "summary": "One shift manager hands the table over to the next: both say who they are, with their PINs.",
            "parameters": [OR_ENGLISH],
            "requestBody": {"required": True, "content": json_of("HandOverAsked", _ASKED)},
            "responses": {**problems, "200": {"description": "recorded", "content": json_of("HandOverDone", _DONE)}},
        }
    }
