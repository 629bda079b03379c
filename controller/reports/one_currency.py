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

    def check(self, records: Iterable[r.Record]) -> Iterator[r.Record]:
        """Yield the records unchanged. Raises TwoCurrencies at the first one in another currency."""
        for record in records:
            currency = record.what.currency if isinstance(record.what, r.Opened) else ""
            if currency and self.code not in ("", currency):
                raise TwoCurrencies(coded("two_currencies", name=self.code, said=currency))
            self.code = currency or self.code
            yield record
