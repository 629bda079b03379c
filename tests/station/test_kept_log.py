"""Log lines of the records of every kind, field by field, against a kept file."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tests.kept_files import is_kept
from tests.station.test_record_log import lines
from tests.web.random_records import all_records

HERE = Path(__file__).parent / "kept"
EACH = 6  # most lines of one event
OF_THIS_VERSION = ("digest", "program")


def first_of_each() -> Iterator[str]:
    met: Counter[str] = Counter()
    for line in lines(list(all_records())):
        fields: dict[str, Any] = {name: value for name, value in line.items() if name not in OF_THIS_VERSION}
        event = fields.pop("event")
        met[event] += 1
        if met[event] <= EACH:
            yield f"{event} {msgspec.json.encode(fields).decode()}"


def test_the_log_of_every_record_kind_is_kept():
    assert is_kept(HERE / "log.txt", "\n".join(sorted(first_of_each())))
