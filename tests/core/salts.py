"""Salts: records without them, and what somebody finds out by trying every card who knows all else and every hash."""

from collections.abc import Sequence

from msgspec.structs import replace

from controller.core.encoding import encode, encode_input
from controller.core.records import Record
from controller.journal.file import NOTHING
from controller.journal.rows import chained
from controller.journal.writer import row_chain
from controller.rules.cards import FULL_DECK, JOKER, Card

CARDS = (*FULL_DECK, JOKER)


def unsalted(record: Record) -> Record:
    """The same record without its salt, and its input without it."""
    given = record.input and replace(record.input, salt=None)
    return replace(record, salt=None, input=given)


def given_away(records: Sequence[Record], card: Card) -> list[str]:
    """The kinds of those records whose hash says that it is this card and no other."""
    told, before = list[str](), NOTHING.hash
    for record, (_, _, _, digest) in zip(records, row_chain(NOTHING, records), strict=True):
        if _fitting(record, card, before, digest) == [card]:
            told.append(record.kind)
        before = digest
    return told


def _fitting(record: Record, card: Card, before: bytes, digest: bytes) -> list[Card]:
    """The cards with which the record has this hash. All of them, where it does not have the card."""
    bare = unsalted(record)
    line, given = encode(bare), bare.input and encode_input(bare.input)

    def hash_with(guess: Card) -> bytes:
        was, now = (b'"%b"' % one.encode() for one in (card, guess))
        return chained(before, line.replace(was, now), given and given.replace(was, now))

    return [guess for guess in CARDS if hash_with(guess) == digest]
