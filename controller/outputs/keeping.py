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
    """Who looks after the record."""

    @property
    def kept(self) -> Kept:
        """How it is kept now."""

    @property
    def troubles(self) -> Mapping[str, str | None]:
        """What is wrong, by what it is wrong with."""

    @property
    def told(self) -> Sequence[str]:
        """What is wrong."""
