"""Lights of the panel's keys: lit if the key has an effect now, flashing while the shift manager is called.

NO MORE BETS stays dark: the clock closes the betting, and the key only closes it early. Lights follow from the state
alone, so they are right again after any restart or replug. The manager key is dark only if all keys are: the table is
halted, or the program has ended.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from drivers.events import DeviceEvent, Found
from drivers.models import guard_codec
from drivers.panels import Colour, Light, PanelCodec, lit, screens_of

from ..core import events as e
from ..core.decide.openings import obstacle
from ..core.decide.rounds import dealer_confirms
from ..core.decide.shoe_change import change_is_due, shoe_step, shuffle_is_due
from ..core.decide.table import takes_report
from ..core.house import House
from ..core.records import Record
from ..core.state import State
from ..rules.procedure import Reveal, Step
from ..table.loop import Table


def lights(house: House, state: State, due: Step | None) -> dict[e.Key, Light]:
    """Light of each key meaning. `due`: the step that is expected next."""
    turns_over = isinstance(due, Reveal) and state.life == "dealing" and state.round.terms.reveal == "dealer"
    step = shoe_step(house, state)
    return {
        "open": _light_if(obstacle(house, state) is None),
        "close": Light.OFF,  # see above: also while it can be pressed
        "finish": _light_if(turns_over or (state.life == "complete" and dealer_confirms(state))),
        "shuffled": _light_if(shuffle_is_due(house, state)),
        "change": _light_if(change_is_due(house, state)),
        "cut": _light_if(step == "cut"),
        "ready": _light_if(step == "ready"),
        "leave": _light_if(state.dealer is not None and not state.leaving),
        "dropped": _light_if(takes_report(house, state, "dropped")),
        "exposed": _light_if(takes_report(house, state, "exposed")),
        "manager": Light.FLASH if state.life == "paused" else Light.ON,
    }


def _light_if(is_lit: bool) -> Light:  # noqa: FBT001 - a switch
    return Light.ON if is_lit else Light.OFF


CALLS = frozenset({"dropped", "exposed", "manager"})  # these keys stop the round
Lamp = TypeVar("Lamp")  # unit that is set: a lamp under a key, or a key's picture
Shows = TypeVar("Shows")  # its possible values


class Keys(Protocol[Lamp, Shows]):
    """Display of key meanings on a panel model. Its methods raise DriverFailed."""

    def dark(self) -> dict[Lamp, Shows]:
        """Whole display with every key dark."""

    def display_of(self, act: e.Key, key: int, light: Light) -> tuple[Lamp, Shows]:
        """Lamp and light that show this act on this key."""

    def reports(self, lamp: Lamp, shows: Shows) -> Iterable[bytes]:
        """HID reports to send for one lamp."""


class Lamps:
    """Panel keys with one blue and one red lamp each."""

    def __init__(self, codec: PanelCodec) -> None:
        """Read the number of keys from the codec. Raises DriverFailed."""
        self._codec = lit(codec)
        with guard_codec(codec):
            self._keys = codec.keys

    def dark(self) -> dict[tuple[int, Colour], Light]:
        """Whole display with every lamp of every key off."""
        return {(key, colour): Light.OFF for key in self._keys for colour in Colour}

    def display_of(self, act: e.Key, key: int, light: Light) -> tuple[tuple[int, Colour], Light]:
        """Lamp for an act: red for the manager key, else blue."""
        return (key, Colour.RED if act == "manager" else Colour.BLUE), light

    def reports(self, lamp: tuple[int, Colour], shows: Light) -> list[bytes]:
        """Single report that sets one lamp."""
        key, colour = lamp
        with guard_codec(self._codec):
            return [self._codec.backlight(key, shows, colour)]


def keys_of(codec: PanelCodec, language: str) -> Keys[Any, Any]:
    """Key display of a panel model: screens or lamps. Raises DriverFailed."""
    screens = screens_of(codec)
    if screens is None:
        return Lamps(codec)
    from .faces import Faces  # imports Pillow, which no other panel needs

    return Faces(screens, language)


class KeyLights(Generic[Lamp, Shows]):
    """Lights of a panel's keys; sends a light only when it changes.

    `bindings`: key number of each meaning.
    """

    def __init__(self, keys: Keys[Lamp, Shows], bindings: Mapping[e.Key, int], send: Callable[[bytes], None]) -> None:
        self._keys, self._bindings, self._send = keys, bindings, send
        self._dark = keys.dark()
        self._burning = self._dark

    def hear(self, event: DeviceEvent) -> None:
        """Send all lights again to a panel that was just connected."""
        if isinstance(event, Found):
            lamps, self._burning = self._burning, {}
            self._set(lamps)

    def show(self, table: Table, _: Sequence[Record]) -> None:
        """Set the lights for the table's state."""
        lamps = dict(self._dark)
        if table.halted is None:
            burning = lights(table.house, table.state, table.due)
            lamps.update(self._keys.display_of(act, key, burning[act]) for act, key in self._bindings.items())
        self._set(lamps)

    def clear(self) -> None:
        """Switch off all lights: a panel keeps them after the program has ended."""
        self._set(self._dark)

    def _set(self, lamps: dict[Lamp, Shows]) -> None:
        """Send changed lights, those to be dark first: on a key with one lamp the last report wins."""
        for lamp, shows in sorted(lamps.items(), key=lambda one: one[1] != self._dark[one[0]]):
            if lamp not in self._burning or self._burning[lamp] != shows:
                for report in self._keys.reports(lamp, shows):
                    self._send(report)
        self._burning = lamps
