"""Section `[rulings]` of a config: rulings of two people, time limits of resettlements."""

from typing import Annotated

from msgspec import Meta

from ..core.bounds import MOST_RESETTLE_HOURS, MOST_STAKE
from .limits import minor
from .sections import Section


class RulingsSection(Section, frozen=True):
    """Rulings that need two people.

    `second_person_above`: limit in units of the currency; None: one person rules.

    The limit applies to the stakes that one person's rulings move in one round. `resettle_hours`: time after the end of
    a round in which two people may settle it anew; 0: never.
    """

    second_person_above: Annotated[float, Meta(ge=0, le=MOST_STAKE)] | None = None  # a second person confirms above it
    resettle_hours: Annotated[int, Meta(ge=0, le=MOST_RESETTLE_HOURS)] = 48  # hours to settle an ended round anew

    def second_above(self, currency: str) -> int | None:
        """Return the limit in minor units of `currency`; None: no second person is ever needed.

        Raises BadConfig if the currency has no such fraction of a unit.
        """
        amount = self.second_person_above
        return None if amount is None else minor(amount, "rulings.second_person_above", currency)
