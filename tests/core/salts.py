"""Helpers for salts: remove them from records; find by trial which card a record's hash gives away."""

from collections.abc import Sequence

from msgspec.structs import replace

from controller.core.encoding import encode, encode_input
from controller.core.records import Record
from controller.journal.file import NOTHING
from controller.journal.rows import row_hash
from controller.journal.writer import row_chain
from controller.rules.cards import FULL_DECK, JOKER, Card

CARDS = (*FULL_DECK, JOKER)


def unsalted(record: Record) -> Record:
    """Return the record without its salt and without the salt of its input."""
    given = record.input and replace(record.input, salt=None)
    return replace(record, salt=None, input=given)


def given_away(records: Sequence[Record], card: Card) -> list[str]:
    """Return the kinds of the records whose hash fits `card` and no other card."""
    kinds, before = list[str](), NOTHING.hash
    for record, (_, _, _, digest) in zip(records, row_chain(NOTHING, records), strict=True):
        if _fitting(record, card, before, digest) == [card]:
            kinds.append(record.kind)
        before = digest
    return kinds


def _fitting(record: Record, card: Card, before: bytes, digest: bytes) -> list[Card]:
    """Return the cards that give the record this hash: all cards, if the record contains no `card`."""
    bare = unsalted(record)
    line, given = encode(bare), bare.input and encode_input(bare.input)

    def hash_with(guess: Card) -> bytes:
        was, now = (b'"%b"' % one.encode() for one in (card, guess))
        return row_hash(before, line.replace(was, now), given and given.replace(was, now))

    return [guess for guess in CARDS if hash_with(guess) == digest]
