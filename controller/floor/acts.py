"""What people do at the floor.

    POST /api/floor/acts?lang=     one act, answered {"done", "reason", "says"}

    {"act": "claim", "table", "fault"}       "I am coming": whose call it is, and the table is told that somebody comes
    {"act": "release", "table"}
    {"act": "acknowledge", "key"}            an alarm
    {"act": "shelve", "key", "minutes", "because"}    {"act": "unshelve", "key"}
    {"act": "assign", "table", "person"}     null: to nobody
    {"act": "hand_over", "to", "own", "notes"}

The one rule: who has lost a claim has told the table nothing.
"""

from collections.abc import Mapping
from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ..web.api.commands import Name, Number
from ..web.api.hand_over_message import Credentials

LARGEST = 16_384  # bytes of a body
Table = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
Key = Annotated[str, Meta(min_length=1, max_length=400)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]


class _Act(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    pass


class Claim(_Act, frozen=True, tag="claim"):
    """Somebody comes; `fault` 0: because nothing can be recorded there."""

    table: Table
    fault: Annotated[int, Meta(ge=0, le=2**53)]
