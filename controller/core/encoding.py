"""JSON encoding and decoding of records; a record is one flat object, the envelope first.

Invariant: decoding an encoded record gives the same record.
"""

from typing import Any

import msgspec
from msgspec import Struct

from .clock import from_text, to_text
from .coded_message import CodedMessage, coded
from .events import Event, Input, Origin
from .records import Checkpoint, Record, What, kind_of


class BadRecord(ValueError):
    """Bytes that are no record of this journal; `message` says why."""

    def __init__(self, message: CodedMessage) -> None:
        super().__init__(message)
        self.message = message


class _Envelope(Struct, frozen=True, omit_defaults=True):
    seq: int
    at: str
    kind: str
    table: str
    round: int | None = None
    shoe: str | None = None
    dealer: str | None = None
    person: str | None = None
    training: bool = False
    salt: str | None = None


class _Input(Struct, frozen=True, omit_defaults=True):
    at: str
    event: Event
    origin: Origin | None = None
    salt: str | None = None


_encode = msgspec.json.Encoder().encode
_envelope = msgspec.json.Decoder(_Envelope).decode
_what = msgspec.json.Decoder(What).decode
_input = msgspec.json.Decoder(_Input).decode


def encode(record: Record) -> bytes:
    """Encode a record as one flat JSON object, without its input."""
    what, kind = record.what, kind_of(record.what)
    about = (record.table, record.round, record.shoe, record.dealer, record.person, record.training, record.salt)
    envelope = _encode(_Envelope(record.seq, to_text(record.at), kind, *about))
    fields = _encode(what)[len(kind) + len('{"kind":""') : -1]  # fields after the kind, with the comma before them
    return envelope[:-1] + fields + b"}"


def encode_input(input_: Input) -> bytes:
    """Encode an input as a JSON object."""
    return _encode(_input_as_written(input_))


def _input_as_written(input_: Input) -> _Input:
    return _Input(to_text(input_.at), input_.event, input_.origin, input_.salt)


def decode(line: bytes, input_line: bytes | None = None) -> Record:
    """Decode a record that `encode` wrote, with its input. Raises BadRecord."""
    input_ = None if input_line is None else decode_input(input_line)
    try:
        envelope, what = _envelope(line), _what(line)
        at = from_text(envelope.at)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadRecord(coded("no_record", error=str(error))) from None
    about = (envelope.round, envelope.shoe, envelope.dealer, envelope.person, envelope.training, input_, envelope.salt)
    return Record(envelope.seq, at, envelope.table, what, *about)


def decode_input(line: bytes) -> Input:
    """Decode an input that `encode_input` wrote. Raises BadRecord."""
    try:
        envelope = _input(line)
        return Input(envelope.event, from_text(envelope.at), envelope.origin, envelope.salt)
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadRecord(coded("no_input", error=str(error))) from None


def for_auditor(record: Record) -> dict[str, Any]:
    """Return the salt and the input of a record, as written; an empty dict if it has neither."""
    input_ = record.input
    salt = {} if record.salt is None else {"salt": record.salt}
    return salt if input_ is None else {**salt, "input": msgspec.to_builtins(_input_as_written(input_))}


def to_dict(record: Record) -> dict[str, Any]:
    """Convert a record to the flat object that `encode` writes, without its salt."""
    what = record.what
    fields: dict[str, Any]
    if isinstance(what, Checkpoint):
        fields = {"kind": "checkpoint", "state": msgspec.json.decode(what.state)}
    else:
        fields = msgspec.to_builtins(what)
    about = {"round": record.round, "shoe": record.shoe, "dealer": record.dealer}
    about |= {"person": record.person, "training": record.training or None}
    return {
        "seq": record.seq,
        "at": to_text(record.at),
        "kind": fields.pop("kind"),
        "table": record.table,
        **{name: value for name, value in about.items() if value is not None},
        **fields,
    }
