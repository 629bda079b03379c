"""The fault catalogue, entry by entry: what may be ruled, what is offered as a reason, and for which irregularity."""

from collections.abc import Iterator
from pathlib import Path

from controller.core.fault_catalogue.entry import Entry

from controller.core.fault_catalogue import CATALOGUE
from tests.kept import is_kept

HERE = Path(__file__).parent / "kept"


def told(code: str, entry: Entry) -> Iterator[str]:
    for name in entry.__struct_fields__:
        value = getattr(entry, name)
        if name == "reasons":
            yield from (f"{code} {ruling}: {' / '.join(reasons)}" for ruling, reasons in value.items())
        elif name == "answers":
            yield from (f"{code} answers {one.number}: {one.what}; {one.how}" for one in value)
        elif value:
            yield f"{code} {name}: {value if isinstance(value, str) else ' '.join(value)}"


def test_every_entry_of_the_fault_catalogue_is_kept():
    lines = [line for code, entry in CATALOGUE.items() for line in told(code, entry)]
    assert is_kept(HERE / "catalogue.txt", "\n".join(lines))
