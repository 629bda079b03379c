"""Kept copy of the fault catalogue and its texts: allowed rulings, reasons on offer, conditions."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from controller.core.fault_catalogue import CATALOGUE
from controller.text.fault_conditions import CAUGHT, WHEN
from controller.text.fault_texts import FAULTS
from tests.kept_files import is_kept

HERE = Path(__file__).parent / "kept"


def entry_lines(code: str, entry: Struct) -> Iterator[str]:
    for name in entry.__struct_fields__:
        value = getattr(entry, name)
        if name == "reasons":
            yield from (f"{code} {ruling}: {' / '.join(reasons)}" for ruling, reasons in value.items())
        elif value:
            yield f"{code} {name}: {value if isinstance(value, str) else ' '.join(value)}"


def conditions(code: str) -> Iterator[str]:
    yield f"{code} when: {WHEN[code]}"
    yield from (f"{code} answers {one.number}: {one.what}; {one.how}" for one in CAUGHT.get(code, ()))


def test_every_entry_of_the_fault_catalogue_is_kept():
    entries = [
        line for code in CATALOGUE for line in (*entry_lines(code, CATALOGUE[code]), *entry_lines(code, FAULTS[code]))
    ]
    lines = (*entries, *(line for code in CATALOGUE for line in conditions(code)))
    assert is_kept(HERE / "catalogue.txt", "\n".join(lines))
