"""Condition of a running table's journal, for health checks, monitoring and systemd."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from ..core.clock import Time
from ..core.coded_message import CodedMessage


class CustodyProgress(Struct, frozen=True):
    """Progress of anchoring and verification. None: not known yet, or there is no anchor."""

    anchored: int | None = None  # last record in the anchor
    verified: int | None = None  # valid records at the last complete verification
    at: Time | None = None  # time of that verification
    damaged: int | None = None  # first record that is not valid


class CustodyStatus(Protocol):
    """Interface to the custody of a running table's journal."""

    @property
    def progress(self) -> CustodyProgress:
        """Progress of anchoring and verification of the journal, and its first damaged record."""

    @property
    def troubles(self) -> Mapping[str, CodedMessage | None]:
        """Troubles of the journal, by the part with the trouble; None: no trouble."""

    @property
    def messages(self) -> Sequence[CodedMessage]:
        """Messages for the troubles that the journal has now; empty if it has none."""
