"""Words behind a ruling that the ruling does not take, such as the number in `rule cancel 1`.

A script made from a record keeps them, because it repeats what somebody sent. In other scripts they are errors.
"""

from collections.abc import Mapping

from ..core import events as e
from ..core.offers import NEEDS
from .lines import RULE
from .words import MalformedLine

_NAMES: Mapping[str, str] = {"draw": "number", "card": "card", "place": "place", "seen": "`seen`"}  # by field


def check_ruling(event: e.Rule) -> None:
    """Check that a ruling has no card, place, number or `seen` that it does not take. Raises MalformedLine."""
    for field, name in _NAMES.items():
        if getattr(event, field) is not None and field not in NEEDS.get(event.ruling, ()):
            raise MalformedLine(f"{event.ruling} takes no {name}: expected {RULE}")
