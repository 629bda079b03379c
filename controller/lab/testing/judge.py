"""Base class of judges: rules that are checked after each event of a table, and once at the end.

For each event a judge gets the event's records, and the states before and after it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .bench import Bench


class Judge:
    """Rule of a table, described by its docstring; looks at values of any kind (`Any`)."""

    # for the sheet's author
    advice: ClassVar[str] = "look at what the procedure and pay return after the last line of the script"

    def __init__(self, bench: "Bench") -> None:
        self.bench = bench

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        """Called after each event. Raises AssertionError if the rule was broken."""

    def end(self) -> None:
        """Called once, after the last event. Raises AssertionError if the rule was broken."""
