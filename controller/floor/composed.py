"""What was composed last, and since when it says that: whoever has seen that much needs no more."""

from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Kept(NamedTuple, Generic[T]):
    """`looked`: the version it was composed at last; `since`: the one from which on it says this."""

    looked: int
    since: int
    value: T


class Composed(Generic[T]):
    """By key. What comes out as before is no news."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, Kept[T]] = {}

    def of(self, key: Hashable, version: int, compose: Callable[[], T]) -> Kept[T]:
        """As of this version of what it is made of."""
        before = self._kept.get(key)
        if before is not None and before.looked >= version:
            return before
        value = compose()
        since = before.since if before is not None and before.value == value else version
        self._kept[key] = Kept(version, since, value)
        return self._kept[key]

    def forget(self, key: Hashable) -> None:
        """It is to be news again."""
        self._kept.pop(key, None)
