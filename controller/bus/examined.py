"""What `tablectl bus check` looks at, with a table's own key or a floor's."""

from pathlib import Path

from ..config.bus import BusSection
from ..journal import contradicted, is_there, recovered
from .keys import credentials_in, public_of
from .line import once
from .mending import junk
from .names import Place
from .permissions import inbox_of
from .seals import Seals
from .streams import wrong
from .witness import WHERE, remembered, seals_of


async def examined_by_floor(section: BusSection, floor: str) -> list[str]:
    """What is wrong as a floor sees it, a line each. Raises BusFailed where it is not reached, Unusable."""
    seed = credentials_in(Path(section.credentials or "")).signer
    seals = Seals(seed, section.tables, {**section.floors, floor: public_of(seed)})
    async with once(section, inbox_of("floor", floor)) as client:
        return await wrong(client, section.studio) or await junk(client, section.studio, seals)


async def examined(section: BusSection, table: str, journal: Path | None) -> list[str]:
    """What is wrong, a line each. Raises BusFailed where it is not reached, Unusable."""
    place = Place(section.studio, table)
    async with once(section, place.inbox) as client:
        found = await wrong(client, section.studio)
        if journal is None or not is_there(journal) or found:
            return found
        state, seals = recovered(journal), seals_of(section, table)
        mark = await remembered(client, place, state, seals)
        contradiction = None if mark is None else contradicted(journal, state, mark, WHERE)
        return [*seals.troubles, *([] if contradiction is None else [f"{journal}: {contradiction.says}"])]
