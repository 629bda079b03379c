"""In which currency the amounts of some records are: they are added up in one alone."""

from collections.abc import Iterable, Iterator

from .. import Unusable
from ..core import records as r


class TwoCurrencies(Unusable):
    """Amounts that nobody can add."""


class OneCurrency:
    """The currency of all records that pass."""

    def __init__(self) -> None:
        self.code = ""  # none was named yet

    def of(self, records: Iterable[r.Record]) -> Iterator[r.Record]:
        """These records. Raises TwoCurrencies."""
        for record in records:
            said = record.what.currency if isinstance(record.what, r.Opened) else ""
            if said and self.code not in ("", said):
                told = f"expected records of stakes in {self.code} alone, these are in {said}"
                raise TwoCurrencies(f"{told}: count them apart")
            self.code = said or self.code
            yield record
