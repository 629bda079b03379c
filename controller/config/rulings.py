"""Section `[rulings]` of a config: rulings of two people, time limits of resettlements."""

from typing import Annotated

from msgspec import Meta

from ..core.bounds import MOST_RESETTLE_HOURS, MOST_STAKE
from .limits import minor
from .sections import Section

Amount = Annotated[float, Meta(ge=0, le=MOST_STAKE)]
Hours = Annotated[int, Meta(ge=0, le=MOST_RESETTLE_HOURS)]


class RulingsSection(Section, frozen=True):
    """Rulings that need two people.

    `second_person_above`: limit in units of the currency; None: one person rules.

    The limit applies to the stakes that one person's rulings move in one round. `resettle_hours`: time after the end of
    a round in which two people may settle it anew; 0: never.
    """

    second_person_above: Amount | None = None  # if one person's rulings move more in a round, a second person confirms
    resettle_hours: Hours = 48  # hours after its end in which a round may be settled anew; 0: never

    def second_above(self, currency: str) -> int | None:
        """Return the limit in minor units of `currency`; None: no second person is ever needed.

        Raises BadConfig if the currency has no such fraction of a unit.
        """
        amount = self.second_person_above
        return None if amount is None else minor(amount, "rulings.second_person_above", currency)
