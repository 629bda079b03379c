"""Fast hashes for PINs and badges in tests: the product's own hash takes 30 ms, twice for each table.

A hash contains its own cost parameters, so a sign-in with such a PIN is fast, too.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from argon2 import PasswordHasher

TIMES = re.compile(r"\d{2}:\d{2}:\d{2}\.\d+|\b\d{10,}\b")  # of day, and since 1970
IDS = re.compile(r"\b[0-9A-Z]{26}\b|\b[0-9a-f]{32,}\b")  # of rounds; digests and salts
QUICK = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)


@contextmanager
def hashed_quickly() -> Iterator[None]:
    with patch("controller.config.pins.HASHER", QUICK), patch("controller.config.badges.HASHER", QUICK):
        yield


def recorded_text(what: object) -> str:
    """Return the text of recorded things without times and ids, whose digits can equal a PIN by chance."""
    return IDS.sub("", TIMES.sub("", repr(what)))
