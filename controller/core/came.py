"""Recorded causes as data: the step that was due, the event that came instead, why a round is void.

This module makes no sentences. The edges make them from this data, in the reader's language.
"""

from typing import Literal

from msgspec import Struct

from ..rules.procedure import Step
from . import events as e


class Finish(Struct, frozen=True, tag_field="step", tag="finish"):
    """Every card lies; the result waits to be confirmed."""


Due = Step | Finish | None  # null: nothing, no round is on


class NoCard(Struct, frozen=True, tag_field="kind", tag="no_card"):
    """No card, for so many seconds."""

    seconds: int


class EmptyShoe(Struct, frozen=True, tag_field="kind", tag="empty_shoe", omit_defaults=True):
    """A shoe with fewer cards left in it than the round still needs."""

    left: int = 0


class Undriven(Struct, frozen=True, tag_field="kind", tag="undriven", omit_defaults=True):
    """A recorded round that this version of the rule sheets cannot drive."""

    round: int
    # the sheet's is another; they are not known; it does not follow the sheet; the sheet itself fails over it
    why: Literal["version", "digest", "settings", "steps", "failed"]
    game: str
    version: str  # of the sheet it was opened under
    here: str | None = None  # the version or digest there is; null: no such sheet
    setting: str = ""  # what is not known of them; of a sheet that fails, where it does


class HiddenCard(Struct, frozen=True, tag_field="kind", tag="hidden_card"):
    """A card that is withheld from whoever is told of it."""


Came = (
    e.CardOut | e.KeyPressed | e.ShoeSays | e.ShoeFails | e.TelegramsLost | e.LostDevice | e.Babbles | e.ProgramBack
    | e.JournalBack | NoCard | EmptyShoe | Undriven | HiddenCard
)  # fmt: skip


Report = e.KeyPressed | e.ShoeSays | e.ShoeFails | e.TelegramsLost | e.LostDevice | e.JournalBack  # waits in a pause


class ByRuling(Struct, frozen=True, tag_field="kind", tag="ruling"):
    """A shift manager ruled it, and said why."""

    because: str


class NoRuling(Struct, frozen=True, tag_field="kind", tag="no_ruling"):
    """Reason: nobody ruled on the fault for so many seconds."""

    seconds: int


class NoServer(Struct, frozen=True, tag_field="kind", tag="no_server"):
    """The game server's line did not come back while betting was held for it."""


class NoSeat(Struct, frozen=True, tag_field="kind", tag="no_seat"):
    """No seat was taken when betting closed."""


Why = ByRuling | NoRuling | NoServer | NoSeat
