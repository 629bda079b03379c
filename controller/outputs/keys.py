"""The lights of the panel's keys: what the dealer may press now is lit, a call for the manager flashes.

Lights follow from the state alone, so that they are right again after any restart or replug. The key that
calls the manager is never dark while keys are heard; where all are dark, none is: the table is halted, or the program
has ended.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from drivers.events import DeviceEvent, Found
from drivers.models import asking
from drivers.panels import Colour, Light, PanelCodec, lit, pictured

from ..core import events as e
from ..core.decide.openings import obstacle
from ..core.decide.rounds import dealer_confirms
from ..core.decide.table import change_is_due, is_changing
from ..core.house import House
from ..core.life import LIVE, RESTING
from ..core.records import Record
from ..core.state import State
from ..rules.procedure import Reveal, Step
from ..table.loop import Table


def lights(house: House, state: State, due: Step | None) -> dict[e.Key, Light]:
    """For each meaning of a key, how its light burns. `due`: the step that is expected next."""
    turns_over = isinstance(due, Reveal) and state.life == "dealing" and state.round.terms.reveal == "dealer"
    wants_deck = state.life in RESTING and house.deck.every_round and not state.shoe.shuffled
    return {
        "open": _on(obstacle(house, state) is None),
        "close": _on(state.life == "betting"),
        "finish": _on(turns_over or (state.life == "complete" and dealer_confirms(state))),
        "shuffled": _on(wants_deck and not state.shoe.changing),
        "change": _on(change_is_due(house, state)),
        "cut": _on(is_changing(state)),
        "ready": _on(is_changing(state) and not house.terms.count_in),  # else it is said with the count
        "leave": _on(state.dealer is not None and not state.leaving),
        "dropped": _on(state.life in LIVE),
        "exposed": _on(state.life in LIVE),
        "manager": Light.FLASH if state.life == "paused" else Light.ON,
    }


def _on(burns: bool) -> Light:  # noqa: FBT001 - a switch
    return Light.ON if burns else Light.OFF


CALLS = frozenset({"dropped", "exposed", "manager"})  # they stop the round
Lamp = TypeVar("Lamp")  # what is set alone: a lamp under a key, or a key's picture
Shows = TypeVar("Shows")  # how it may be set


class Keys(Protocol[Lamp, Shows]):
    """How the keys of a model show what they mean. Each of these raises DriverFailed."""

    def dark(self) -> dict[Lamp, Shows]:
        """All of it, where nothing is to be pressed."""

    def lit(self, act: e.Key, key: int, light: Light) -> tuple[Lamp, Shows]:
        """The part of it that shows this act on this key, in this light."""

    def reports(self, lamp: Lamp, shows: Shows) -> Iterable[bytes]:
        """What is sent for it."""


class Lamps:
    """Keys with a blue lamp and a red one."""

    def __init__(self, codec: PanelCodec) -> None:
        """Raises DriverFailed."""
        self._codec = lit(codec)
        with asking(codec):
            self._keys = codec.keys

    def dark(self) -> dict[tuple[int, Colour], Light]:
        """Every lamp."""
        return {(key, colour): Light.OFF for key in self._keys for colour in Colour}

    def lit(self, act: e.Key, key: int, light: Light) -> tuple[tuple[int, Colour], Light]:
        """The call for the manager is red."""
        return (key, Colour.RED if act == "manager" else Colour.BLUE), light

    def reports(self, lamp: tuple[int, Colour], shows: Light) -> list[bytes]:
        """One."""
        key, colour = lamp
        with asking(self._codec):
            return [self._codec.backlight(key, shows, colour)]


def keys_of(codec: PanelCodec, language: str) -> Keys[Any, Any]:
    """Those of a panel. Raises DriverFailed."""
    screens = pictured(codec)
    if screens is None:
        return Lamps(codec)
    from .faces import Faces  # and Pillow with it, which no other panel needs

    return Faces(screens, language)


class KeyLights(Generic[Lamp, Shows]):
    """Sends a light only when it changes. `bindings`: the number of the key for each meaning."""

    def __init__(self, keys: Keys[Lamp, Shows], bindings: Mapping[e.Key, int], send: Callable[[bytes], None]) -> None:
        self._keys, self._bindings, self._send = keys, bindings, send
        self._dark = keys.dark()
        self._burning = self._dark

    def hear(self, said: DeviceEvent) -> None:
        """A panel that was just found burns as it was left, or as it was made: all of it is told anew."""
        if isinstance(said, Found):
            wanted, self._burning = self._burning, {}
            self._set(wanted)

    def show(self, table: Table, _: Sequence[Record]) -> None:
        """Bring the lights in line with the state."""
        wanted = dict(self._dark)
        if table.halted is None:
            burning = lights(table.house, table.state, table.due)
            wanted.update(self._keys.lit(act, key, burning[act]) for act, key in self._bindings.items())
        self._set(wanted)

    def clear(self) -> None:
        """All dark: a panel keeps its lights when the program has ended."""
        self._set(self._dark)

    def _set(self, wanted: dict[Lamp, Shows]) -> None:
        """What goes out first: where a key has one lamp only, the other colour's word is not the last."""
        for lamp, shows in sorted(wanted.items(), key=lambda one: one[1] != self._dark[one[0]]):
            if lamp not in self._burning or self._burning[lamp] != shows:
                for report in self._keys.reports(lamp, shows):
                    self._send(report)
        self._burning = wanted
