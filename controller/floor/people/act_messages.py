"""Acts of people at a floor, decoded from the JSON that the floor's page sends."""

from typing import Annotated, TypeAlias

import msgspec
from msgspec import Meta, Struct

from ...core.bounds import Whole
from ...text.errors import shorten_to_line
from ...web.api.command_decoder import MalformedCommand
from ...web.api.commands import Name
from ...web.api.hand_over_message import Credentials
from ..shared_state.alarms import table_of
from .viewers import Act

Table = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}\Z")]
Key = Annotated[str, Meta(min_length=1, max_length=400)]
Text = Annotated[str, Meta(min_length=1, max_length=500)]


class _Act(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    pass


class ClaimAct(_Act, frozen=True, tag="claim"):
    """Claim of a table's call: a person says that they come.

    `fault`: record number of the fault; 0 for a halt, when the table can record nothing.
    """

    table: Table
    fault: Whole


class Release(_Act, frozen=True, tag="release"):
    """Release of a claimed call: the person does not come after all.

    `fault` as in the claim; `person`: who has claimed the call, so that a late release leaves a later claim.
    """

    table: Table
    fault: Whole
    person: Name


class AcknowledgeAct(_Act, frozen=True, tag="acknowledge"):
    """Acknowledgement of an alarm by a person who has seen it."""

    key: Key


class Shelve(_Act, frozen=True, tag="shelve"):
    """Shelving of an alarm for 1 to 480 minutes, with a reason."""

    key: Key
    minutes: Annotated[int, Meta(ge=1, le=480)]
    because: Text


class Unshelve(_Act, frozen=True, tag="unshelve"):
    """End of an alarm's shelving before its time."""

    key: Key


class Assign(_Act, frozen=True, tag="assign"):
    """Assignment of a table to a person; `person` None: to nobody."""

    table: Table
    person: Name | None


class OwnPin(Struct, frozen=True, forbid_unknown_fields=True):
    """PIN of the signed-in person, entered once more for the hand-over."""

    pin: Annotated[str, Meta(max_length=100)]


class HandOverAct(_Act, frozen=True, tag="hand_over"):
    """Hand-over of the shift, with the sign-in data of both persons."""

    to: Credentials
    own: OwnPin
    notes: Annotated[str, Meta(max_length=2000)] = ""
    shown: Whole = 0  # number of hand-overs when the page was loaded


FloorAct: TypeAlias = ClaimAct | Release | AcknowledgeAct | Shelve | Unshelve | Assign | HandOverAct


class ActAnswer(Struct, frozen=True):
    """Answer to an act. `says`: sentence for the person; `reason`: code of the outcome."""

    says: str
    reason: str = "done"
    done: bool = False


_decoder: msgspec.json.Decoder[FloorAct] = msgspec.json.Decoder(FloorAct)


def read_act(body: bytes) -> FloorAct:
    """Decode one act from a request body. Raises MalformedCommand."""
    try:
        return _decoder.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise MalformedCommand(shorten_to_line(str(error))) from None


def name_of(act: FloorAct) -> Act:
    """Return the name of an act, as its `act` field has it."""
    name: Act = act.__struct_config__.tag  # type: ignore[assignment] # each tag is an Act
    return name


def table_of_act(act: FloorAct) -> str | None:
    """Return the table that an act is about; None if it is about no table.

    For an act on an alarm this is the table in the alarm's key.
    """
    match act:
        case ClaimAct() | Release():
            return act.table
        case AcknowledgeAct() | Shelve() | Unshelve():
            return table_of(act.key)
    return None
