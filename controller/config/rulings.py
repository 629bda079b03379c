"""The `[rulings]` section of a table's config: who rules."""

from typing import Annotated

from msgspec import Meta

from ..core.bounds import MOST_STAKE
from .limits import minor
from .sections import Section


class RulingsSection(Section, frozen=True):
    """Who rules on a fault."""

    second_person_above: Annotated[float, Meta(ge=0, le=MOST_STAKE)] | None = None  # one person moves in a round

    def second_above(self, currency: str) -> int | None:
        """The stakes in minor units. Raises BadConfig."""
        said = self.second_person_above
        return None if said is None else minor(said, "rulings.second_person_above", currency)
