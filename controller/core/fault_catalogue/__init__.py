"""The catalogue of faults, one entry each, in the order in which they are tried."""

from collections.abc import Mapping

from .cards import CARDS
from .entry import Cause, Entry, Irregularity
from .shoe import SHOE
from .table import TABLE

__all__ = ["CATALOGUE", "Cause", "Entry", "Irregularity"]

CATALOGUE: Mapping[str, Entry] = {**CARDS, **SHOE, **TABLE}
