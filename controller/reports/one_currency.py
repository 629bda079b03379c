"""Check that all amounts of some records are in one currency, since only those can be added up."""

from collections.abc import Iterable, Iterator

from .. import Unusable
from ..core import records as r


class TwoCurrencies(Unusable):
    """Amounts in two currencies, which cannot be added up."""


class OneCurrency:
    """Currency of all records that pass through."""

    def __init__(self) -> None:
        self.code = ""  # none was named yet

    def of(self, records: Iterable[r.Record]) -> Iterator[r.Record]:
        """Yield the records unchanged. Raises TwoCurrencies at the first one in another currency."""
        for record in records:
            said = record.what.currency if isinstance(record.what, r.Opened) else ""
            if said and self.code not in ("", said):
                told = f"expected records of stakes in {self.code} alone, these are in {said}"
                raise TwoCurrencies(f"{told}: count them apart")
            self.code = said or self.code
            yield record
