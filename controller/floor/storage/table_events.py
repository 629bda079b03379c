"""Events of tables as shift managers get them, on their way into the floor's store."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from ...bus.names import EPOCH, LARGE, SEQ
from ...core.bounds import YEARS, Number, Whole
from ...core.clock import from_text
from ...core.coded_message import coded
from ...text.coded import WithMessage
from ...text.errors import quote

LONGEST_EPOCH = 200  # characters of an epoch


class TableEvent(NamedTuple):
    """Event of a table.

    `at`: ISO text, empty if it has none; `round`: 0 if none; `body`: JSON as received.
    """

    table: str
    epoch: str
    seq: int
    at: str
    kind: str
    round: int
    body: bytes


class InvalidEvent(WithMessage):
    """Bytes that are no valid event of that table; the message says why."""


class Unanswered(WithMessage):
    """Table did not answer; the message says what to do."""


# Requests the events of a table's epoch behind a number; empty if the table no longer has them. Raises Unanswered.
Asking = Callable[[str, str, int], Awaitable[list[bytes]]]


class _Envelope(Struct):
    seq: Number
    kind: str
    at: str = ""
    table: str | None = None
    round: Whole = 0


class EpochBegin(Struct):
    """Fields of an event that begins an epoch."""

    epoch: str = ""
    before: Any = None
    lost: Any = None


_envelope, _began = msgspec.json.Decoder(_Envelope).decode, msgspec.json.Decoder(EpochBegin).decode


def decode_event(table: str, epoch: str, body: bytes) -> TableEvent:
    """Event in a JSON body. Raises InvalidEvent."""
    try:
        envelope = _envelope(body)
    except msgspec.MsgspecError as error:
        raise InvalidEvent(coded("no_event", error=str(error))) from None
    if envelope.table not in (table, None):
        raise InvalidEvent(coded("event_of_another", table=table, said=quote(envelope.table)))
    if envelope.at and not is_time(envelope.at):
        raise InvalidEvent(coded("event_without_time", said=quote(envelope.at)))
    return TableEvent(table, epoch, envelope.seq, envelope.at, envelope.kind, envelope.round, body)


def is_time(text: str) -> bool:
    """True if the text is a time within YEARS, valid in every time zone."""
    try:
        from_text(text)
    except ValueError:
        return False
    return int(text[:4]) in YEARS


def event_of_message(subject: str, headers: Mapping[str, str] | None, body: bytes) -> TableEvent:
    """Event in a message of the stream. Raises InvalidEvent."""
    epoch, seq = (headers or {}).get(EPOCH, ""), (headers or {}).get(SEQ, "")
    if not 0 < len(epoch) <= LONGEST_EPOCH:
        raise InvalidEvent(coded("header_absent", name=EPOCH))
    if headers and LARGE in headers:
        raise InvalidEvent(coded("event_too_large", said=quote(seq)))
    one = decode_event(subject.split(".")[2], epoch, body)
    if str(one.seq) != seq:
        raise InvalidEvent(coded("event_misnumbered", said=quote(seq), name=SEQ, seq=one.seq))
    return one


def epoch_begin(one: TableEvent) -> EpochBegin:
    """Epoch fields of an event that continues another epoch; defaults if it has none."""
    try:
        return _began(one.body)
    except msgspec.MsgspecError:
        return EpochBegin()
