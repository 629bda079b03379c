"""How the record of a running table is kept, as it is told: to a health check, a monitoring system, systemd."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from msgspec import Struct

from ..core.clock import Time


class Kept(Struct, frozen=True):
    """Null: not known yet, or there is no anchor."""

    anchored: int | None = None  # the record that its anchor remembers
    verified: int | None = None  # how many records stood when all of it was verified last
    at: Time | None = None  # then
    damaged: int | None = None  # the record from which on it does not stand


class Custody(Protocol):
    """Interface to the custody of a running table's journal."""

    @property
    def kept(self) -> Kept:
        """Progress of anchoring and verification of the journal, and its first damaged record."""

    @property
    def troubles(self) -> Mapping[str, str | None]:
        """Troubles of the journal, by the part with the trouble; None: no trouble."""

    @property
    def told(self) -> Sequence[str]:
        """Texts of all present troubles of the journal."""
