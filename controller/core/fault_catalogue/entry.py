"""Entries of the fault catalogue: each fault with its texts and answers."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

Cause = Literal["procedure", "device", "program"]


class Irregularity(Struct, frozen=True):
    """Irregularity as casino rules name it. `number`: the first letter is that of its game."""

    number: str
    what: str
    how: str = ""  # it is caught; or why it is not


class Entry(Struct, frozen=True, kw_only=True):
    """One fault that can be. Its texts are English; the other languages are in `locale/`."""

    when: str
    cause: Cause
    rulings: tuple[str, ...]
    at_rest: tuple[str, ...] = ()  # with no round on, or after its settlement; none: it cannot come then
    head: str  # what is wrong, or what to do about it at once, as the dealer has it in large letters
    called_for: str = ""  # what is wrong, as the shift manager has it, where that is not the head
    hands: str = ""  # what the dealer is to do with the hands
    says: str  # what the shift manager reads; blanks: got, expected
    reasons: Mapping[str, tuple[str, ...]]  # by ruling: why it is made, where the fault says more than the ruling
    answers: tuple[Irregularity, ...] = ()
