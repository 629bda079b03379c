"""Decoder of commands in a request body; errors name the position in the body.

Decoding takes 3 ms at most. Checking the names of thousands of commands takes longer, so it is done in pieces, between
which the event loop serves others.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from math import isfinite
from typing import NamedTuple, NoReturn, TypeVar

import msgspec
from msgspec import Struct

from ...core.bounds import MOST_NUMBER
from ...core.coded_message import coded
from ...rules.cards import BadCard, parse_card
from ...text.coded import WithMessage, message_of, render
from ...text.errors import shorten_to_line
from ...text.spelling import Misspelt, check_name, check_reason
from .commands import Command, CommandGroup, Commands, ResettleCommand, SecondedRule


class MalformedCommand(WithMessage, ValueError):
    """Body that is no valid command: path in the body, expected and received value."""


PIECE = 250  # commands whose names are checked in one go


class SentCommands(NamedTuple):
    """Commands that were found in a body."""

    commands: Sequence[Command]
    together: bool = False


class _Peek(Struct):
    """Field `all` of a body, decoded alone to choose the decoder for the rest."""

    all: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET


_list = msgspec.json.Decoder(Commands)
_one = msgspec.json.Decoder(Command)
_together = msgspec.json.Decoder(CommandGroup)
_peek = msgspec.json.Decoder(_Peek)
_seconded = msgspec.json.Decoder(SecondedRule)
T = TypeVar("T")


def read(body: bytes) -> SentCommands:
    """Decode a body: one command, a list, or an all-or-none list. Raises MalformedCommand."""
    sent, pieces = read_in_pieces(body)
    for _ in pieces:
        pass
    return sent


def read_in_pieces(body: bytes) -> tuple[SentCommands, Iterator[Sequence[Command]]]:
    """Read the commands of a body; names are checked while the pieces are iterated.

    Both raise MalformedCommand.
    """
    sent, at = _read(body, _decode)
    return sent, _check_pieces(sent.commands, at)


def read_seconded(body: bytes) -> SecondedRule:
    """Decode a ruling with a second person from a body. Raises MalformedCommand."""
    seconded_rule = _read(body, _seconded.decode)
    _check(seconded_rule.ruling, "$.ruling")
    return seconded_rule


def _read(body: bytes, decode: Callable[[bytes], T]) -> T:
    try:
        try:
            return decode(body)
        except msgspec.ValidationError as error:
            return _decode_whole_numbers(body, decode, error)
    except RecursionError:
        raise MalformedCommand(coded("nested_deep")) from None
    except (msgspec.MsgspecError, ValueError) as error:
        raise MalformedCommand(shorten_to_line(str(error))) from None


def _decode_whole_numbers(body: bytes, decode: Callable[[bytes], T], error: msgspec.ValidationError) -> T:
    """Decode again and read `1000.0` as 1000, which JSON Schema counts as an integer. Raises `error` if this fails."""
    try:
        return decode(msgspec.json.encode(json.loads(body, parse_float=_number, parse_constant=_no_number)))
    except (msgspec.MsgspecError, ValueError):
        raise error from None


def _number(text: str) -> int | float:
    """Read a number of JSON. Raises ValueError if it overflows to infinity, which would be written as null."""
    value = float(text)
    if not isfinite(value):
        _no_number(text)
    return int(value) if value.is_integer() and abs(value) <= MOST_NUMBER else value


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def _decode(body: bytes) -> tuple[SentCommands, str]:
    """Decode a body, and return the pattern of the commands' positions in it."""
    if body.lstrip()[:1] == b"[":
        return SentCommands(_list.decode(body)), "$[{}]"
    if b'"all"' in body and _peek.decode(body).all is not msgspec.UNSET:
        together = _together.decode(body)
        if not together.all:
            raise ValueError(render(coded("expected_all")))
        return SentCommands(together.commands, together=True), "$.commands[{}]"
    return SentCommands([_one.decode(body)]), "$"


def _check_pieces(commands: Sequence[Command], at: str) -> Iterator[Sequence[Command]]:
    for start in range(0, len(commands), PIECE):
        piece = commands[start : start + PIECE]
        for place, command in enumerate(piece, start):
            _check(command, at.format(place))
        yield piece


def _check(command: Command, at: str) -> None:
    for field, value in _texts(command):
        try:
            _check_spelling(field, value)
        except (BadCard, Misspelt) as error:
            raise MalformedCommand(coded("at", reason=message_of(error), place=f"{at}.{field}")) from None


def _texts(command: Command) -> Iterator[tuple[str, object]]:
    """Fields of a command with their values, also those of its amendments."""
    for field in command.__struct_fields__:
        yield field, getattr(command, field)
    for one in command.amendments if isinstance(command, ResettleCommand) else ():
        yield from (("card", one.card), ("place", one.place))


def _check_spelling(field: str, value: object) -> None:
    """Check the spelling of a card, name or text. Raises BadCard, Misspelt."""
    if not isinstance(value, str):
        return
    if field == "card":
        parse_card(value)
    elif field == "because":
        check_reason(value)
    else:
        check_name(value)
