"""Comparison of a round's recorded outcome and amounts with those computed again."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from ..core import records as r
from ..text.money import money


class Difference(Struct, frozen=True, omit_defaults=True):
    """One difference between record and replay.

    For a bet, `recorded` and `computed` are the amounts returned, in minor units.
    """

    what: str
    round: int | None = None
    record: int | None = None  # number of the record
    bet: str | None = None
    recorded: Any = None
    computed: Any = None
    currency: str | None = None  # currency of the amounts

    def __str__(self) -> str:
        where = "" if self.round is None else f"round {self.round}: "
        where += "" if self.record is None else f"record {self.record}: "
        if self.recorded is None and self.computed is None:
            return where + self.what
        return f"{where}{self.what}: recorded {self._describe(self.recorded)}, computed {self._describe(self.computed)}"

    def _describe(self, value: object) -> str:
        if isinstance(value, int):
            return money(value, self.currency or "")
        return "nothing" if value is None else str(value)


class Tally:
    """Outcomes and amounts of one round, recorded and computed, from the records that differ."""

    def __init__(self) -> None:
        self._recorded: dict[tuple[str, str | None], Any] = {}
        self._computed: dict[tuple[str, str | None], Any] = {}
        self._currency = ""

    def __bool__(self) -> bool:
        return bool(self._recorded or self._computed)

    def take(self, theirs: Sequence[r.Record], ours: Sequence[r.Record]) -> None:
        """Add more recorded records, and the records computed for them."""
        self._recorded.update(_keyed_results(theirs))
        self._computed.update(_keyed_results(ours))
        paid = (record.what for record in (*theirs, *ours) if isinstance(record.what, r.Paid | r.Refunded))
        self._currency = next((what.currency for what in paid), self._currency)

    def close(self, number: int | None) -> Iterator[Difference]:
        """Yield the differences of that round and begin the next one."""
        for what, bet in self._recorded | self._computed:
            recorded, computed = (side.get((what, bet)) for side in (self._recorded, self._computed))
            if recorded != computed:
                in_currency = bet and self._currency
                yield Difference(what, number, None, bet, recorded, computed, in_currency)
        self._recorded, self._computed = {}, {}


def _keyed_results(records: Iterable[r.Record]) -> Iterator[tuple[tuple[str, str | None], Any]]:
    for record in records:
        match record.what:
            case r.Settled(outcome=outcome):
                yield ("outcome", None), outcome
            case r.Cancelled():
                yield ("outcome", None), "cancelled"
            case r.Paid(bet=bet, player=player, market=market, returned=amount):
                yield (f"bet {player} {market} ({bet})", bet), amount
            case r.Refunded(bet=bet, player=player, market=market, stake=amount):
                yield (f"bet {player} {market} ({bet})", bet), amount
