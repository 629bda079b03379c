"""Messages of a shift hand-over from one shift manager to the next; the API's documents use them too."""

from typing import Annotated

from msgspec import Meta, Struct

from ...core.bounds import MOST_NAME, MOST_NOTE, Whole


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Credentials that a person types: badge number or name, and the PIN.

    A badge reader sends `badge`, the code that it reads, in place of the name. `pin` may be missing if a badge is
    enough.
    """

    name: Annotated[str, Meta(max_length=MOST_NAME)] | None = None
    pin: Annotated[str, Meta(max_length=MOST_NAME)] | None = None
    badge: Annotated[str, Meta(min_length=1, max_length=MOST_NAME)] | None = None


class HandOverAsked(Struct, frozen=True, forbid_unknown_fields=True, rename={"from_": "from"}):
    """Request to hand over, typed by both persons. `shown`: number of the last record shown to them."""

    from_: Credentials
    to: Credentials
    shown: Whole = 0
    note: Annotated[str, Meta(max_length=MOST_NOTE)] = ""


class OpenPoints(Struct, frozen=True):
    """Open points, cancelled rounds and notes of the shift. `shown`: number of the last record included."""

    shown: int
    points: tuple[str, ...]


class HandOverDone(Struct, frozen=True):
    """Completed hand-over, with the person who answers for the table from here on."""

    table: str
    by: str
    to: str
