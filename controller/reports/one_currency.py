"""Check that all amounts of some records are in one currency, so that they can be added up."""

from collections.abc import Iterable, Iterator

from ..core import records as r
from ..core.coded_message import coded
from ..text.coded import CodedError


class TwoCurrencies(CodedError):
    """Amounts in two currencies, which cannot be added up."""


class OneCurrency:
    """Currency of all records that pass through."""

    def __init__(self) -> None:
        self.code = ""  # empty until the first amount

    def of(self, records: Iterable[r.Record]) -> Iterator[r.Record]:
        """Yield the records unchanged. Raises TwoCurrencies at the first one in another currency."""
        for record in records:
            said = record.what.currency if isinstance(record.what, r.Opened) else ""
            if said and self.code not in ("", said):
                raise TwoCurrencies(coded("two_currencies", name=self.code, said=said))
            self.code = said or self.code
            yield record
