"""Messages of a shift hand-over from one shift manager to the next; the API's documents use them too."""

from typing import Annotated

from msgspec import Meta, Struct

from ...core.bounds import Whole


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person types: the badge number, or the name, and the PIN; or a reader, in place of the name, what it reads
    of the badge. The PIN may be missing where a badge is enough."""

    name: Annotated[str, Meta(max_length=100)] | None = None  # wrong ones are kept for a while
    pin: Annotated[str, Meta(max_length=100)] | None = None
    badge: Annotated[str, Meta(min_length=1, max_length=100)] | None = None


class HandOverAsked(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """Who hands over to whom, as both typed it. `shown`: the last record in what they were shown."""

    from_: Credentials
    to: Credentials
    shown: Whole = 0
    note: Annotated[str, Meta(max_length=300)] = ""


class OpenPoints(Struct, frozen=True):
    """What is open now, which rounds of the shift are cancelled, and its notes."""

    shown: int
    points: tuple[str, ...]


class HandOverDone(Struct, frozen=True):
    """Who answers for the table from here on."""

    table: str
    by: str
    to: str
