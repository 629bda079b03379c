"""PINs and badges of people in tests, hashed in no time: the product's own hash takes 30 ms, twice for each table.

What a hash costs is written in it, so whoever signs in with such a PIN is looked up as quickly.
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


def kept(what: object) -> str:
    """Text of what was recorded, without its times and ids: among their digits any PIN comes by chance."""
    return IDS.sub("", TIMES.sub("", repr(what)))
