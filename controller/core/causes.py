"""Recorded causes as data: the step that was due, the event that came instead, why a round is void.

This module makes no sentences. The edges make them from this data, in the reader's language.
"""

from typing import Literal

from msgspec import Struct

from ..rules.procedure import Step
from . import events as e


class Finish(Struct, frozen=True, tag_field="step", tag="finish"):
    """Step `finish`: all cards are dealt; the result waits for confirmation."""


Due = Step | Finish | None  # null: nothing is due, no round is live


class NoCard(Struct, frozen=True, tag_field="kind", tag="no_card"):
    """Cause: no card was dealt for this number of seconds."""

    seconds: int


class EmptyShoe(Struct, frozen=True, tag_field="kind", tag="empty_shoe", omit_defaults=True):
    """A shoe with fewer cards left in it than the round still needs."""

    left: int = 0


class Undriven(Struct, frozen=True, tag_field="kind", tag="undriven", omit_defaults=True):
    """A recorded round that this version of the rule sheets cannot run."""

    round: int
    # the sheet has another version or digest; settings unknown; steps unlike the sheet's; the sheet raises an error
    why: Literal["version", "digest", "settings", "steps", "failed"]
    game: str
    version: str  # version of the sheet when the round was opened
    here: str | None = None  # version or digest of the present sheet; null: no such sheet
    setting: str = ""  # name of the unknown setting, or the place where the sheet fails


class HiddenCard(Struct, frozen=True, tag_field="kind", tag="hidden_card"):
    """A card whose value is withheld from this audience."""


Cause = (
    e.CardOut | e.KeyPressed | e.ShoeSays | e.ShoeFails | e.TelegramsLost | e.LostDevice | e.Babbles | e.ProgramBack
    | e.JournalBack | NoCard | EmptyShoe | Undriven | HiddenCard
)  # fmt: skip


Report = (  # waits in a pause
    e.KeyPressed | e.ShoeSays | e.ShoeFails | e.TelegramsLost | e.LostDevice | e.JournalBack | e.ProgramBack
)  # fmt: skip


class ByRuling(Struct, frozen=True, tag_field="kind", tag="ruling"):
    """Reason: a shift manager ruled it, with this explanation."""

    because: str


class NoRuling(Struct, frozen=True, tag_field="kind", tag="no_ruling"):
    """Reason: nobody ruled on the fault for this number of seconds."""

    seconds: int


class NoServer(Struct, frozen=True, tag_field="kind", tag="no_server"):
    """Reason: the game server did not reconnect while betting waited for it."""


class NoSeat(Struct, frozen=True, tag_field="kind", tag="no_seat"):
    """Reason: no seat was taken when betting closed."""


VoidReason = ByRuling | NoRuling | NoServer | NoSeat
