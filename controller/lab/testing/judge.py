"""Judges of a table: they check each event with its records and both states.

And the whole once it is over.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .bench import Bench


class Judge:
    """Rule of a table, described by its docstring; looks at values of any kind (`Any`)."""

    advice: ClassVar[str] = "look at what the sheet gave for the last card of the script"  # to who wrote the sheet

    def __init__(self, bench: "Bench") -> None:
        self.bench = bench

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        """Called after each event. Raises AssertionError if the rule was broken."""

    def end(self) -> None:
        """Called once, after the last event. Raises AssertionError if the rule was broken."""
