"""Actions of the shift manager at the table, apart from rulings."""

from collections.abc import Iterator

from msgspec import Struct

from ...core.life import RESTING
from ...text.faults import Words
from . import manager_texts as m
from .look import Look


class ManagerAct(Struct, frozen=True):
    """Action at the table. `asks`: field of the command that the shift manager has to type."""

    act: str
    label: str
    hint: str
    enabled: bool
    command: dict[str, str]
    asks: str | None = None


def acts(look: Look, words: Words) -> Iterator[ManagerAct]:
    """Yield the actions that are possible now, and disabled those that wait for the round's end."""
    state, shoe = look.state, look.state.shoe
    between = state.life in RESTING
    door, change = "close" if state.open else "open", "ready" if shoe.changing else "change"
    shuffled = ("shuffled", between and not shoe.shuffled and not shoe.changing, {"command": "shuffled"})
    told = (
        (door, True, {"command": "table", "do": door}),
        ("dealer", between, {"command": "dealer"}),
        *([shuffled] if look.house.deck.every_round else []),
        (change, between, {"command": "shoe", "do": change}),
    )
    for act, enabled, command in told:
        label, hint = m.ACTS[act]
        why = m.WHILE_HALTED if look.halted else hint if between or act == door else m.BETWEEN_ROUNDS
        asks = "name" if act == "dealer" else None
        yield ManagerAct(act, words.say(label), words.say(why), enabled and not look.halted, command, asks)
