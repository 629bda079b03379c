"""The dealer's keys on the screen, as they are on the panel.

A key lights as its twin on the panel does, and can be touched only where the panel has none or is lost.
"""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from drivers.panels import Light

from ...core.decide.rounds import obstacle
from ...core.life import RESTING
from ...outputs.keys import lights
from ...text.faults import Words
from . import texts as t
from .look import Look

COMMANDS: Mapping[str, dict[str, str]] = {
    "open": {"command": "open"},
    "close": {"command": "close"},
    "shuffled": {"command": "shuffled"},
    "change": {"command": "shoe", "do": "change"},
    "ready": {"command": "shoe", "do": "ready"},
    **{key: {"command": "press", "key": key} for key in ("finish", "dropped", "exposed", "manager")},
}

CALLS = frozenset({"dropped", "exposed", "manager"})


class Key(Struct, frozen=True):
    """One key."""

    key: str
    label: str
    kind: Literal["step", "call"]  # what the round needs next; what stops it
    light: str  # off, on, flash
    touch: bool
    command: dict[str, str]  # what is sent for it


def keys(look: Look, words: Words) -> tuple[Key, ...]:
    """All keys that the game needs."""
    there = frozenset() if "panel" in look.state.lost else look.fitted.keys
    return tuple(
        Key(
            key=key,
            label=words.say(t.KEYS[key]),
            kind="call" if key in CALLS else "step",
            light=light.name.lower(),
            touch=key not in there and light is not Light.OFF,
            command=COMMANDS[key],
        )
        for key, light in sorted(_lights(look), key=lambda lit: lit[0] in CALLS)
    )


def _lights(look: Look) -> Iterator[tuple[str, Light]]:
    for key, light in lights(look.house, look.state, look.due).items():
        if key != "shuffled" or look.house.deck.every_round:
            yield key, light
    yield from _shoe_key(look)


def _shoe_key(look: Look) -> Iterator[tuple[str, Light]]:
    """No panel has these: they are there when they are needed."""
    state = look.state
    if state.life not in RESTING:
        return
    if state.shoe.changing:
        if not look.house.terms.count_in:  # else it is said with the count
            yield "ready", Light.ON
    elif obstacle(look.house, state) in ("cut_card_out", "shoe_low", "deck_suspect"):
        yield "change", Light.ON
