"""What people may say to a floor, as its page sends it."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ..core.bounds import Whole
from ..text.errors import within_a_line
from ..web.api.commands import Name
from ..web.api.hand_over_message import Credentials
from ..web.api.reading import Malformed
from .alarms import table_of
from .viewer import Act

Table = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
Key = Annotated[str, Meta(min_length=1, max_length=400)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]


class _Act(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    pass


class Claim(_Act, frozen=True, tag="claim"):
    """Somebody comes; `fault` 0: because nothing can be recorded there."""

    table: Table
    fault: Whole


class Release(_Act, frozen=True, tag="release"):
    """They do not come after all."""

    table: Table


class Acknowledge(_Act, frozen=True, tag="acknowledge"):
    """Somebody has seen an alarm."""

    key: Key


class Shelve(_Act, frozen=True, tag="shelve"):
    """Nobody is to hear of an alarm for a while."""

    key: Key
    minutes: Annotated[int, Meta(ge=1, le=480)]
    because: Text


class Unshelve(_Act, frozen=True, tag="unshelve"):
    """It is to be heard of again."""

    key: Key


class Assign(_Act, frozen=True, tag="assign"):
    """A table is somebody's to look after."""

    table: Table
    person: Name | None


class Own(Struct, frozen=True, forbid_unknown_fields=True):
    """What who is signed in shows once more."""

    pin: Annotated[str, Meta(max_length=100)]


class HandOver(_Act, frozen=True, tag="hand_over"):
    """The shift is handed over: both show who they are."""

    to: Credentials
    own: Own
    notes: Annotated[str, Meta(max_length=2000)] = ""
    shown: Whole = 0  # hand-overs there had been, when this one was shown


Said: TypeAlias = Claim | Release | Acknowledge | Shelve | Unshelve | Assign | HandOver


class Answered(Struct, frozen=True):
    """What came of it; `says`: in words."""

    says: str
    reason: str = "done"
    done: bool = False


_decoder: msgspec.json.Decoder[Said] = msgspec.json.Decoder(Said)


def read_act(body: bytes) -> Said:
    """One act. Raises Malformed."""
    try:
        return _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed(within_a_line(str(error))) from None


def name_of(said: Said) -> Act:
    """Of the act."""
    name: Act = said.__struct_config__.tag  # type: ignore[assignment] # each of them is an act
    return name


def table_of_act(said: Said) -> str | None:
    """At which table; null: at none."""
    match said:
        case Claim() | Release():
            return said.table
        case Acknowledge() | Shelve() | Unshelve():
            return table_of(said.key)
    return None
