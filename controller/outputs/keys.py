"""The lights under the panel's keys: what the dealer may press now is lit, a call for the manager flashes.

The one rule: lights follow from the state alone, so that they are right again after any restart or replug.
"""

from collections.abc import Callable, Mapping, Sequence

from drivers.panels import Colour, Light, PanelCodec

from ..core import events as e
from ..core.decide.rounds import dealer_confirms, obstacle
from ..core.house import House
from ..core.life import LIVE, RESTING
from ..core.records import Record, found
from ..core.state import State
from ..procedure import Reveal, Step
from ..table import Table


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
    """Sends a light only when it changes."""

    def __init__(self, codec: PanelCodec, keys: Mapping[e.Key, int], send: Callable[[bytes], None]) -> None:
        self._codec, self._keys, self._send = codec, keys, send
        self._burning: dict[e.Key, Light] = {}

    def show(self, table: Table, records: Sequence[Record]) -> None:
        """Bring the lights in line with the state."""
        if found(records, "panel"):
            self._burning.clear()  # a panel that was just plugged in is dark
        for meaning, light in lights(table.house, table.state, table.due).items():
            if meaning in self._keys and self._burning.get(meaning) is not light:
                colour = Colour.RED if meaning == "manager" else Colour.BLUE
                self._send(self._codec.backlight(self._keys[meaning], light, colour))
                self._burning[meaning] = light
