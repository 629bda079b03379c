"""The lights under the panel's keys: what the dealer may press now is lit, a call for the manager flashes.

Lights follow from the state alone, so that they are right again after any restart or replug. The key that
calls the manager is never dark while keys are heard; where all are dark, none is: the table is halted, or the program
has ended.
"""

from collections.abc import Callable, Mapping, Sequence

from drivers.events import DeviceEvent, Found
from drivers.models import asking
from drivers.panels import Colour, Light, PanelCodec

from ..core import events as e
from ..core.decide.rounds import dealer_confirms, obstacle
from ..core.house import House
from ..core.life import LIVE, RESTING
from ..core.records import Record
from ..core.state import State
from ..rules.procedure import Reveal, Step
from ..table.loop import Table

Lamp = tuple[int, Colour]


def lights(house: House, state: State, due: Step | None) -> dict[e.Key, Light]:
    """For each meaning of a key, how its light burns. `due`: the step that is expected next."""
    turns_over = isinstance(due, Reveal) and state.life == "dealing" and state.round.terms.reveal == "dealer"
    wants_deck = state.life in RESTING and house.deck.every_round and not state.shoe.shuffled
    return {
        "open": _on(obstacle(house, state) is None),
        "close": _on(state.life == "betting"),
        "finish": _on(turns_over or (state.life == "complete" and dealer_confirms(state))),
        "shuffled": _on(wants_deck and not state.shoe.changing),
        "dropped": _on(state.life in LIVE),
        "exposed": _on(state.life in LIVE),
        "manager": Light.FLASH if state.life == "paused" else Light.ON,
    }


def _on(lit: bool) -> Light:  # noqa: FBT001 - a switch
    return Light.ON if lit else Light.OFF


class KeyLights:
    """Sends a light only when it changes. `keys`: the number of the key for each meaning."""

    def __init__(self, codec: PanelCodec, keys: Mapping[e.Key, int], send: Callable[[bytes], None]) -> None:
        self._codec, self._keys, self._send = codec, keys, send
        with asking(codec):
            self._dark: dict[Lamp, Light] = {(key, colour): Light.OFF for key in codec.keys for colour in Colour}
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
            for meaning, light in lights(table.house, table.state, table.due).items():
                if meaning in self._keys:
                    wanted[self._keys[meaning], Colour.RED if meaning == "manager" else Colour.BLUE] = light
        self._set(wanted)

    def clear(self) -> None:
        """All dark: a panel keeps its lights when the program has ended."""
        self._set(self._dark)

    def _set(self, wanted: dict[Lamp, Light]) -> None:
        """What goes out first: where a key has one lamp only, the other colour's word is not the last."""
        for (key, colour), light in sorted(wanted.items(), key=lambda lamp: lamp[1] is not Light.OFF):
            if self._burning.get((key, colour)) is not light:
                with asking(self._codec):
                    self._send(self._codec.backlight(key, light, colour))
        self._burning = wanted
