"""Building blocks of the OpenAPI document: operations, parameters, responses.

All return parts of a 3.1 document.
"""

from http import HTTPStatus

from ..net.replies import PROBLEM
from .game_schemas import Schema
from .schemas import ref

PROBLEMS = {
    400: "not to be understood",
    401: "it is not known who asks",
    403: "not for this role",
    404: "there is no such thing",
    405: "asked by another method",
    408: "the body did not come in time",
    409: "the record has not come that far (`beyond_the_end`), goes on without it (`epoch_lost`: undo what came after "
    "`last`), or is another (`epoch_unknown`); `epoch` is the one that counts",
    413: "the body is too long",
    421: "asked under a name that is not the table's",
    429: "asked too often: come again after `Retry-After`",
    500: "something is wrong with the program",
    503: "the record cannot be read or written, the program ends, or there is no room: come again after `Retry-After`",
}
ALWAYS = (400, 401, 403, 404, 405, 421, 429, 500, 503)


def get(name: str, about: str, content: Schema, *parameters: Schema) -> Schema:
    """Return a GET operation with id `name`, summary `about` and its response content."""
    responses = {"200": {"description": "as asked", "content": content}, **answers(*ALWAYS)}
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


OR_ENGLISH = query("lang", {"type": "string"}, "the language of what is said: ro, else it is English")
