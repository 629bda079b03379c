"""Error texts for a config in one line: path of the key, expected value, found value.

This module knows no keys; it describes the allowed values by the annotations of the sections.
"""

import re
from collections.abc import Mapping
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

from .. import Unusable
from ..core.bounds import MOST_NUMBER, find_too_large
from ..text.errors import as_key, did_you_mean, listing, quote

_T = TypeVar("_T")


class BadConfig(Unusable, ValueError):
    """A config that cannot be used: one line, with the path of the key."""


class BadUsers(Unusable, ValueError):
    """Error: a users file or registry cannot be read, or cannot be changed as asked; one line."""


def convert_part(raw: object, kind: type[_T], prefix: str) -> _T:
    """Convert a part of a config to the type `kind`; `prefix` names it in errors. Raises BadConfig."""
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise BadConfig(explain(str(error), raw, kind, prefix)) from None


def check_numbers(raw: object) -> None:
    """Refuse whole numbers that no record can hold. Raises BadConfig.

    The settings of a game or a driver may allow any number.
    """
    for path, number in find_too_large(raw):
        where = ".".join(as_key(str(part)) for part in path)
        most = f"a whole number from -{MOST_NUMBER} to {MOST_NUMBER}"
        raise BadConfig(f"{where}: expected {most}, got {quote(number)}")


def explain(message: str, raw: object, kind: type, prefix: str) -> str:
    """Error text in one line: path of the key, expected value, found value."""
    text, _, at = (
        message.rpartition(" - at `$") if message.endswith("`") and " - at `$" in message else (message, "", "")
    )
    hint: object = kind
    value: Any = raw
    path = []
    for step in re.findall(r"\.\.\.|[^.\[\]`]+", at):
        # a section among several of one kind, which the message does not name
        part = _misfit(value, get_args(hint)[1]) if step == "..." else step
        path.append(part)
        hint, value = _part_annotation(hint, part), _item(value, part)
    unknown = re.search(r"unknown field `(.*)`", text, re.DOTALL)
    where = ".".join([*filter(None, [prefix]), *map(as_key, [*path, *([unknown[1]] if unknown else [])])])
    if unknown:
        fields = get_type_hints(hint)
        return f"{where}: no such key{did_you_mean(unknown[1], fields)}; there are {listing(fields)}"
    return f"{where}: expected {_allowed_values(hint)}, got {quote(value)}"


def _part_annotation(hint: object, part: str) -> object:
    """Annotation of the value under a name or a number."""
    hint = _without_optional(hint)
    if get_origin(hint) in (dict, Mapping, tuple):
        return get_args(hint)[0 if get_origin(hint) is tuple else 1]
    return get_type_hints(hint, include_extras=True)[part]


def _misfit(values: dict[str, Any], kind: type) -> str:
    """Key of the first value that is not of this type."""
    for name, value in values.items():
        try:
            msgspec.convert(value, kind)
        except msgspec.ValidationError:
            return name
    raise KeyError(kind)


def _item(values: list[object] | dict[str, object], part: str) -> object:
    """Value under a key or an index, in a dict or a list.

    A name may be a number too.
    """
    return values[int(part)] if isinstance(values, list) else values[part]


def _without_optional(hint: object) -> object:
    """The annotation without its `| None`."""
    if get_origin(hint) in (Union, UnionType):
        parts = tuple(part for part in get_args(hint) if part is not NoneType)
        return Union[parts]  # noqa: UP007 - of parts that are known only now
    return hint


def _allowed_values(hint: object) -> str:
    """Description of the values that an annotation allows."""
    hint = _without_optional(hint)
    if get_origin(hint) is Union:
        return " or ".join(map(_allowed_values, get_args(hint)))
    if get_origin(hint) is Literal and len(get_args(hint)) == 1:
        return f'"{get_args(hint)[0]}"'
    if get_origin(hint) is Literal:
        return "one of " + ", ".join(str(choice) for choice in get_args(hint))
    if get_origin(hint) is tuple:
        return f"a list, each {_allowed_values(get_args(hint)[0])}"
    if get_origin(hint) is Annotated:
        kind, limits = get_args(hint)
        return limits.description or _WORDS[kind] + _limits(limits)
    return _WORDS.get(hint, "a section of its own, [like.this]")


_WORDS: Mapping[object, str] = {
    int: "a whole number",
    float: "a number",
    str: "text in quotes",
    bool: "true or false",
}


def _limits(meta: Meta) -> str:
    if meta.max_length is not None:
        return f" of {meta.min_length or 0} to {meta.max_length} characters"
    if meta.pattern is not None:
        return f" like {meta.pattern}"
    return f" of at least {meta.ge}" if meta.le is None else f" from {meta.ge} to {meta.le}"
