"""Message as a code with typed parts: the form of all defects and refusals until people read them.

Records, HTTP and the bus contain the same form. `controller.text` makes the sentence at the edge, in the reader's
language (`text.coded.render`).
"""

from typing import TypedDict, Unpack

from msgspec import Struct


class Parts(TypedDict, total=False):
    """Parts of coded messages by name; a part has the same type in every message."""

    after: int
    by: str
    bytes: int
    caller: str
    code: str
    command: "CodedMessage"
    count: int
    each: int
    epoch: str
    error: str
    example: str
    field: str
    first: int
    following: str
    format: int
    free: float
    floor: str
    host: str
    id: str
    key: str
    kind: str
    known: int
    last: int
    limit: float
    milliseconds: float
    minutes: int
    mode: str
    name: str
    names: str
    needed: "int | CodedMessage"
    number: int | str
    one: "CodedMessage"
    other: "CodedMessage"
    our: str
    ours: str
    path: str
    people: str
    place: str
    places: int
    reason: "str | CodedMessage"
    right: str
    role: "CodedMessage"
    roles: "CodedMessage"
    said: str
    says: "CodedMessage"
    seconds: float
    seq: int
    since: "int | CodedMessage"
    stands: int
    subject: str
    table: str
    their: str
    then: "CodedMessage"
    theirs: str
    traces: str
    what: "CodedMessage"
    where: "CodedMessage"


class CodedMessage(Struct, frozen=True, omit_defaults=True):
    """Code of a message and the parts that fill its sentence. A part of type `str` is not translated."""

    code: str
    parts: Parts = {}


def coded(code: str, /, **parts: Unpack[Parts]) -> CodedMessage:
    """Make a coded message of a code and its parts."""
    return CodedMessage(code, parts)
