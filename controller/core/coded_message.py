"""Message as a code with typed parts, from where something is found to where people read it.

What is wrong, refused, due or told is passed on like this, also in records and over HTTP and bus. `controller.text`
makes the sentence at the edge, in the reader's language (`text.coded.render`).
"""

from typing import TypedDict, Unpack

from msgspec import Struct


class Parts(TypedDict, total=False):
    """Parts of coded messages by name; a part has the same type in every message."""

    after: int
    count: int
    epoch: str
    error: str
    first: int
    floor: str
    host: str
    key: str
    last: int
    name: str
    our: str
    ours: str
    path: str
    people: str
    reason: "str | CodedMessage"
    says: "CodedMessage"
    seconds: float
    seq: int
    since: "int | CodedMessage"
    stands: int
    subject: str
    table: str
    their: str
    theirs: str
    what: "CodedMessage"
    where: "CodedMessage"


class CodedMessage(Struct, frozen=True, omit_defaults=True):
    """Code of a message and the parts that fill its sentence. A part of type `str` is not translated."""

    code: str
    parts: Parts = {}


def coded(code: str, **parts: Unpack[Parts]) -> CodedMessage:
    """Make a coded message of a code and its parts."""
    return CodedMessage(code, parts)
