"""Who looks at a table: at each event, at its records, and at the state before and after."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from .bench import Bench


class Judge:
    """One rule of a table, as its docstring says. (What it looks at is of every kind there is: `Any`.)"""

    advice: ClassVar[str] = "look at what the sheet gave for the last card of the script"  # to who wrote the sheet

    def __init__(self, bench: "Bench") -> None:
        self.bench = bench

    def look(self, before: Any, event: Any, records: Sequence[Any], after: Any) -> None:
        """Raise AssertionError if the rule was broken."""
        raise NotImplementedError
