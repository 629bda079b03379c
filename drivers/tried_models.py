"""Models that were tried on a real device: none so far.

A model is entered in `TRIED`, by its name in a config, once rounds were dealt with a real one; its row in
docs/devices.md says so then.
"""

from collections.abc import Sequence
from typing import Final

TRIED: Final[frozenset[str]] = frozenset()


def describe_untried(models: Sequence[str]) -> str:
    """Sentence with the models among these that were never tried on a real device; empty if all were."""
    never = [model for model in models if model not in TRIED]
    return f"never tried on a real one: {', '.join(never)}" if never else ""
