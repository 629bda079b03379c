"""Words for people about a value that a table refused to read: the API names its place in the request, as `$.by`."""

import re

_AT = re.compile(r"(?s)(?P<reason>.*) - at `\$(?:\.\w+)*\.(?P<field>\w+)`")
_LENGTH = re.compile(r"expected `str` of length (?P<limit>>=|<=) (?P<number>\d+)")
_THINGS = {"because": "a reason"}  # by field; the others are names


def in_words(detail: str) -> str:
    """Name the field first, and say a text's limit in words; any other detail is returned unchanged."""
    found = _AT.fullmatch(detail)
    if found is None:
        return detail
    thing = _THINGS.get(found["field"], "a name")
    length = _LENGTH.fullmatch(found["reason"])
    if length is None:
        return f"{found['field']}: {found['reason']}"
    if length["limit"] == ">=":
        return f"{found['field']}: expected {thing}, got an empty text"
    return f"{found['field']}: expected {thing} of at most {length['number']} characters"
