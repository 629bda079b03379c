"""Paths of a shift in the OpenAPI document, for shift managers: its report and the hand-over."""

from ...text.problem_titles import PROBLEMS
from ..net.replies import PROBLEM
from .game_schemas import Schema
from .openapi_parts import ALWAYS, OR_ENGLISH, answers, get, json_of, query
from .schemas import ref

_LANGUAGE = query("lang", {"type": "string", "enum": ["en", "ro"]}, "language of the page; by default the table's")
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
    "title": PROBLEMS["forbidden"],
    "status": 403,
    "detail": "expected two persons, got Maria twice",
    "reason": "forbidden",
}


def shift_paths() -> dict[str, Schema]:
    """Path items of the report and the hand-over, by path."""
    return {"/report": _report(), "/session/hand-over": {**_open_points_path(), **_handed_over()}}


def _report() -> Schema:
    about = (
        "Return the report of a shift or a day as an HTML page that prints on two pages of A4; by default of the shift "
        "of the last record."
    )
    shift = query("shift", {"type": "string"}, "a time in the shift, local time of [shifts] `zone`: 2026-01-31T14:00")
    day = query("day", {"type": "string"}, "a date, for the report of that day instead of a shift: 2026-01-31")
    page: Schema = {"text/html": {"schema": {"type": "string"}}}
    operations = get("report", about, page, shift, day, _LANGUAGE)
    elsewhere: Schema = {"description": "redirect to the sign-in page, because the caller is no shift manager"}
    operations["get"]["responses"] |= {"303": elsewhere}
    return operations


def _open_points_path() -> Schema:
    about = "Return open points, and cancelled rounds and notes of two shifts, to show before a hand-over."
    return get("openPoints", about, json_of("OpenPoints", _POINTS), OR_ENGLISH)


def _handed_over() -> Schema:
    problems = answers(*ALWAYS, 408, 413)
    problems["403"] |= {"content": {PROBLEM: {"schema": ref("Problem"), "example": _TWICE}}}
    return {
        "post": {
            "operationId": "handOver",
            "summary": "Hand the table over to another shift manager. Both identify themselves, by PIN or badge.",
            "parameters": [OR_ENGLISH],
            "requestBody": {"required": True, "content": json_of("HandOverAsked", _ASKED)},
            "responses": {**problems, "200": {"description": "recorded", "content": json_of("HandOverDone", _DONE)}},
        }
    }
