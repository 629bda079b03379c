"""A Stream Deck's keys play a round and show what may be pressed, also after it was replugged."""

import pytest

from controller.core import events as e
from controller.outputs.keys import lights
from drivers.panels.lights import Light
from tests.end_to_end.test_panel import OnLoop, play
from tests.outputs.test_faces import is_bright
from tests.patience import until


def shows_the_state(rig: OnLoop) -> bool:
    """Return True if exactly the keys are bright that may be pressed now."""
    keys, lit = rig.config.panel.bindings, lights(rig.table.house, rig.table.state, rig.table.due)
    bright_keys = {keys[act] for act, light in lit.items() if light is not Light.OFF and act in keys}
    return {key for key, data in rig.panel.pictures.items() if is_bright(data)} == bright_keys


@pytest.mark.parametrize("model", ["stream_deck", pytest.param("stream_deck_mini", marks=pytest.mark.proof)])
def test_a_replugged_deck_shows_what_may_be_pressed_now(folder, model):
    decks = []

    async def steps(rig: OnLoop) -> None:
        decks.append(rig.panel)
        await rig.press("open", "betting")
        await until(lambda: shows_the_state(rig))
        rig.panel.unplug()
        await until(lambda: folder.count("device_lost", device="panel"))
        rig.table.take(e.Close())  # other keys must be bright than before it was unplugged
        for number in range(1, 5):
            rig.shoe.draw()
            await until(lambda number=number: folder.count("dealt") == number)
        rig.panel.plug()
        await until(lambda: folder.count("device_found", device="panel") == 2)
        await until(lambda: shows_the_state(rig))
        await rig.press("finish", "settled")
        await rig.press("manager", "paused")
        await until(lambda: shows_the_state(rig))
        assert rig.panel.strange == []

    play(folder, steps, model=model)
    assert not any(map(is_bright, decks[0].pictures.values()))
