"""Meanings of the panel's keys, by the config and otherwise by the usual layout of the model."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias, get_args

from ..core.events import Key
from .sections import Section

KeyNumber: TypeAlias = int | Literal["none"]


class KeysSection(Section, frozen=True):
    """Key numbers by meaning. Acts with "none" are done by the dealer on the screen."""

    open: KeyNumber | None = None
    close: KeyNumber | None = None
    finish: KeyNumber | None = None
    shuffled: KeyNumber | None = None  # SHUFFLED: a new or freshly shuffled deck is there
    change: KeyNumber | None = None  # CHANGE SHOE: the old shoe is taken away
    cut: KeyNumber | None = None  # CUT: the new cards are cut
    ready: KeyNumber | None = None  # SHOE READY: the full shoe is in place
    leave: KeyNumber | None = None  # Next dealer: the dealer leaves, now or after the round
    manager: KeyNumber | None = None
    dropped: KeyNumber | None = None  # CARD DROPPED
    exposed: KeyNumber | None = None  # CARD SEEN: a face-down card was seen

    def key_numbers(self, model: str | None) -> dict[Key, int]:
        """Return the key number of each meaning that has a key on this panel model."""
        meanings: tuple[Key, ...] = get_args(Key)
        usual = USUAL.get(model or "", XKEYS)
        keys = {meaning: usual.get(meaning) if (key := getattr(self, meaning)) is None else key for meaning in meanings}
        return {meaning: key for meaning, key in keys.items() if isinstance(key, int)}


# Keys count from 0 at the top left. Keys that stop a round are apart from those that continue it.
XKEYS: Mapping[Key, int] = MappingProxyType(
    {"open": 0, "close": 1, "finish": 2, "shuffled": 3, "manager": 5, "dropped": 8, "exposed": 9}
)
ROUND: Mapping[Key, int] = MappingProxyType({"open": 0, "close": 1, "finish": 2})
EIGHT: Mapping[Key, int] = MappingProxyType({**ROUND, "shuffled": 3, "dropped": 5, "exposed": 6, "manager": 7})
USUAL: Mapping[str, Mapping[Key, int]] = MappingProxyType(
    {
        "xk60": MappingProxyType({**XKEYS, "finish": 3, "shuffled": 4}),  # it has no third row
        "stream_deck": MappingProxyType({
            **ROUND, "shuffled": 4, "change": 5, "cut": 6, "ready": 7, "leave": 9, "dropped": 10, "exposed": 11,
            "manager": 14,
        }),
        "stream_deck_xl": MappingProxyType({
            **ROUND, "shuffled": 4, "change": 8, "cut": 9, "ready": 10, "leave": 15, "dropped": 24, "exposed": 25,
            "manager": 31,
        }),
        "stream_deck_mini": MappingProxyType({**ROUND, "dropped": 3, "exposed": 4, "manager": 5}),
        "stream_deck_neo": EIGHT,
        "stream_deck_plus": EIGHT,
    }
)  # fmt: skip
