"""Building blocks of the OpenAPI document: operations, parameters, responses.

All return parts of a 3.1 document.
"""

from http import HTTPStatus

from ..net.replies import PROBLEM
from .game_schemas import Schema
from .schemas import ref

AFTER = "number of the last record that you have: the events after it follow; by default only new events"
EPOCH = "epoch of record `after`, by default the present one; if that record is no longer valid, the answer is 409"
PROBLEMS = {
    400: "the request is not valid; `detail` says what was expected, `position` names the place in the body",
    401: "no sign-in or token, or a wrong token or PIN",
    403: "the caller may not send this request",
    404: "no such address, or nothing is recorded for it",
    405: "the address does not accept this method",
    408: "the body was not received in time",
    409: "the record `after` is not valid in this journal. `reason` is `beyond_the_end`: the journal ends before it; "
    "`epoch_lost`: records after `last` were lost, so undo their effects; `epoch_unknown`: it is another journal. "
    "`epoch` is the present epoch",
    413: "the body is too long",
    421: "the Host header does not name this table",
    429: "too many requests: try again after the seconds in `Retry-After`",
    500: "internal error of the table's program",
    503: "the record cannot be read or written, the program is ending, or too many callers are connected: try again, "
    "after the seconds in `Retry-After` if the answer has that header",
}
ALWAYS = (400, 401, 403, 404, 405, 421, 429, 500, 503)


def get(name: str, about: str, content: Schema, *parameters: Schema) -> Schema:
    """Return a GET operation with id `name`, summary `about` and its response content."""
    responses = {"200": {"description": "requested data", "content": content}, **answers(*ALWAYS)}
    return {"get": {"operationId": name, "summary": about, "parameters": list(parameters), "responses": responses}}


def query(name: str, schema: Schema, about: str) -> Schema:
    """Return an optional query parameter."""
    return {"name": name, "in": "query", "schema": schema, "description": about}


def answers(*statuses: int) -> Schema:
    """Return the error responses for these HTTP statuses, each with a `Problem` body."""
    content = {PROBLEM: {"schema": ref("Problem")}}
    return {
        str(status): {"description": f"{HTTPStatus(status).phrase}: {PROBLEMS[status]}", "content": content}
        for status in statuses
    }


def json_of(name: str, example: Schema | None = None) -> Schema:
    """Return JSON content of the named schema."""
    return {"application/json": {"schema": ref(name)} | ({} if example is None else {"example": example})}


def document_of(media_type: str = "application/json") -> Schema:
    """Return content that is any JSON object, for documents that describe themselves."""
    return {media_type: {"schema": {"type": "object"}}}


OR_ENGLISH = query(
    "lang", {"type": "string"}, "language of the texts for people: `ro` is Romanian, all other values are English"
)
