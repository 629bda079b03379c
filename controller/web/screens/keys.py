"""Keys on the dealer's screen, as a substitute for keys of the panel.

A key has the light of the same key on the panel: all are dark while the table is halted. It can be touched only if the
panel lacks that key or is disconnected.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from drivers.panels import Light

from ...core.events import Key
from ...outputs.keys import CALLS, lights
from ...text.faults import Words
from ...text.keys import KEYS
from .table_snapshot import TableSnapshot

Sent = dict[str, str | int]
COMMANDS: Mapping[str, Sent] = {
    "open": {"command": "open"},
    "shuffled": {"command": "shuffled"},
    "change": {"command": "shoe", "do": "change"},
    **{key: {"command": "press", "key": key} for key in ("close", "ready", "finish", "dropped", "exposed", "manager")},
}

SHOE: tuple[Key, ...] = ("change", "ready")


class ScreenKey(Struct, frozen=True):
    """Key on the dealer's screen."""

    key: str
    label: str
    kind: Literal["step", "early", "call"]  # the next step; a key that shortens a wait; a call for the shift manager
    light: str  # off, on, flash
    touch: bool
    command: Sent  # command that a touch sends


def keys(snapshot: TableSnapshot, words: Words) -> tuple[ScreenKey, ...]:
    """Return the keys to show in this state, those that call the shift manager last."""
    panel_keys = frozenset() if "panel" in snapshot.state.lost else snapshot.equipment.keys
    early = frozenset({"close"}) if snapshot.state.life == "betting" and snapshot.halted is None else frozenset()
    return tuple(
        ScreenKey(
            key=key,
            label=words.say(KEYS[key]),
            kind="call" if key in CALLS else "early" if key in early else "step",
            light=light.name.lower(),
            touch=key not in panel_keys and (light is not Light.OFF or key in early),
            command=COMMANDS[key],
        )
        for key, light in sorted(_lights(snapshot), key=lambda lit: lit[0] in CALLS)
    )


def _lights(snapshot: TableSnapshot) -> Iterator[tuple[str, Light]]:
    """Keys to show and their lights. The keys to cut and to leave are elsewhere on the screen.

    A shoe key appears only while it is needed, in the place of NO MORE BETS, which is dark then: no other key moves.
    """
    burns = lights(snapshot.house, snapshot.state, snapshot.due)
    if snapshot.halted is not None:
        burns = dict.fromkeys(burns, Light.OFF)
    of_shoe = next((key for key in SHOE if burns[key] is not Light.OFF), None)
    for key, light in burns.items():
        if key == "close" and of_shoe is not None:
            yield of_shoe, burns[of_shoe]
        elif key in COMMANDS and key not in SHOE and (key != "shuffled" or snapshot.house.deck.every_round):
            yield key, light
