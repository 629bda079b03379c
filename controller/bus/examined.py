"""Checks of `tablectl bus check`, with the key of a table or of a floor."""

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
    """Check the bus with a floor's key; return one line for each defect.

    Raises BusFailed if the bus cannot be reached, Unusable if the credentials cannot be used.
    """
    seed = credentials_in(Path(section.credentials or "")).signer
    seals = Seals(seed, section.tables, {**section.floors, floor: public_of(seed)})
    async with once(section, inbox_of("floor", floor)) as client:
        return await wrong(client, section.studio) or await junk(client, section.studio, seals)


async def examined(section: BusSection, table: str, journal: Path | None) -> list[str]:
    """Check the bus with a table's key; return one line for each defect.

    Also compares the table's record with the last head on the bus. `journal`: the record's path, or None. Raises
    BusFailed if the bus cannot be reached, Unusable if the credentials cannot be used.
    """
    place = Place(section.studio, table)
    async with once(section, place.inbox) as client:
        found = await wrong(client, section.studio)
        if journal is None or not is_there(journal) or found:
            return found
        state, seals = recovered(journal), seals_of(section, table)
        mark = await remembered(client, place, state, seals)
        contradiction = None if mark is None else contradicted(journal, state, mark, WHERE)
        return [*seals.troubles, *([] if contradiction is None else [f"{journal}: {contradiction.says}"])]
