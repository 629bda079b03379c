"""Cache of composed values, each with the version since which it is unchanged.

A client that has seen that version needs nothing new.
"""

from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class CachedValue(NamedTuple, Generic[T]):
    """Cached value. `looked`: version of its last composition; `since`: version of its last change."""

    looked: int
    since: int
    value: T


class Composed(Generic[T]):
    """Cache by key. Composing an equal value again does not count as a change."""

    def __init__(self) -> None:
        self._values: dict[Hashable, CachedValue[T]] = {}

    def get(self, key: Hashable, version: int, compose: Callable[[], T]) -> CachedValue[T]:
        """Return the value at this version of its sources; `compose` is called if the version is newer."""
        before = self._values.get(key)
        if before is not None and before.looked >= version:
            return before
        value = compose()
        since = before.since if before is not None and before.value == value else version
        self._values[key] = CachedValue(version, since, value)
        return self._values[key]

    def forget(self, key: Hashable) -> None:
        """Drop a value; its next composition counts as a change."""
        self._values.pop(key, None)
