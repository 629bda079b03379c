"""The commands in a body: read, each of their names looked at, or refused with where it is not as it has to be."""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
from msgspec import Struct

from ...rules.cards import BadCard, parse_card
from ...text.errors import within_a_line
from ...text.spelling import Misspelt, check_name, check_text
from .commands import Command, Commands, Together


class Malformed(ValueError):
    """What was sent is no command: with its path, what was expected there, and what came."""


class Sent(NamedTuple):
    """What was in a body."""

    commands: Sequence[Command]
    together: bool = False


class _Peek(Struct):
    """Whether an object is commands that belong together."""

    all: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_list = msgspec.json.Decoder(Commands)
_one = msgspec.json.Decoder(Command)
_together = msgspec.json.Decoder(Together)
_peek = msgspec.json.Decoder(_Peek)


def read(body: bytes) -> Sent:
    """The commands in a body: one object, a list of them, or those that belong together. Raises Malformed."""
    try:
        sent, at = _decoded(body)
    except RecursionError:
        raise Malformed("nested too deep") from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise Malformed(within_a_line(str(error))) from None
    for place, command in enumerate(sent.commands):
        for field in command.__struct_fields__:
            try:
                _check_spelling(field, getattr(command, field))
            except (BadCard, Misspelt) as error:
                raise Malformed(f"{error} - at `{at.format(place)}.{field}`") from None
    return sent


def _decoded(body: bytes) -> tuple[Sent, str]:
    """What was sent, and as a pattern where each command stands in it."""
    if body.lstrip()[:1] == b"[":
        return Sent(_list.decode(body)), "$[{}]"
    if b'"all"' in body and _peek.decode(body).all is not msgspec.UNSET:
        together = _together.decode(body)
        if not together.all:
            raise ValueError("expected `true`, or a list of commands - at `$.all`")
        return Sent(together.commands, together=True), "$.commands[{}]"
    return Sent([_one.decode(body)]), "$"


def _check_spelling(field: str, value: object) -> None:
    """What no type tells. Raises BadCard, Misspelt."""
    if not isinstance(value, str):
        return
    if field == "card":
        parse_card(value)
    elif field == "because":
        check_text(value)
    else:
        check_name(value)
