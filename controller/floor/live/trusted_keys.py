"""Keys whose signatures count at a floor, by the roster of the studio.

The present roster stays in use if a new one is signed by another key, is older, or cannot be read from the bus.
"""

from collections.abc import Callable, Iterable

from ...bus.bus_client import BusClient
from ...bus.names import KEYS
from ...bus.roster import Roster, Rosters
from ...bus.seals import Seals
from ...core.coded_message import CodedMessage, coded
from .buckets import Bucket, BucketEntry


class TrustedKeys:
    """Keys that one floor trusts, updated by each new roster.

    `changed`: called when other keys count, with the tables that had another key before.
    """

    def __init__(
        self, line: BusClient, studio: str, floor: str, seals: Seals, changed: Callable[[Iterable[str]], None]
    ) -> None:
        self._line, self._floor, self._seals, self._changed = line, floor, seals, changed
        self._rosters = Rosters(seals)
        self._bucket = Bucket(line, KEYS, studio, self._rosters.take)
        self._roster: Roster | None = None

    async def run(self) -> None:
        """Read new rosters from the bus and update the trusted keys until cancelled."""
        await self._bucket.follow(self._hear, lambda: None)

    def _hear(self, _: BucketEntry) -> None:
        roster = self._rosters.newest
        if roster is not None and roster != self._roster:
            self._roster = roster
            self._changed(self._seals.trust(roster.tables, roster.floors))

    @property
    def troubles(self) -> list[CodedMessage]:
        """Defects of the roster."""
        if self._roster is None:
            return [coded("no_roster")] if self._line.there.is_set() else []
        absent = self._roster.floors.get(self._floor) != self._seals.public
        return [coded("not_in_roster", floor=self._floor)] if absent else []
