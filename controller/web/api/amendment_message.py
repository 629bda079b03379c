"""Correction of a round that is over, as a command has it."""

from typing import Annotated

from msgspec import Meta, Struct

from ...core.bounds import Number
from ...core.events import Amending

Word = Annotated[str, Meta(min_length=1, max_length=100, extra_json_schema={"pattern": "^[!-~]+$"})]


class Amendment(Struct, frozen=True, forbid_unknown_fields=True):
    """One correction. `cancel`: the round is void; `resume`: it is settled by its cards as they lie."""

    ruling: Amending
    draw: Number | None = None
    card: Word | None = None
    place: Word | None = None
