"""Actions of the shift manager at the table, apart from rulings."""

from collections.abc import Iterator, Mapping

from msgspec import Struct

from ...core.decide.shoe_change import shoe_step, shuffle_is_due
from ...core.life import RESTING
from ...text.faults import Words
from . import manager_texts as m
from .table_snapshot import TableSnapshot

ASKS: Mapping[str, str] = {"dealer": "name", "uncut": "because"}


class ManagerAct(Struct, frozen=True):
    """Action at the table. `asks`: field of the command that the shift manager has to type."""

    act: str
    label: str
    hint: str
    enabled: bool
    command: dict[str, str]
    asks: str | None = None


def acts(snapshot: TableSnapshot, words: Words) -> tuple[ManagerAct, ...]:
    """Actions that are possible now, and disabled those that wait for the round's end.

    A halted table has none, because it cannot record them.
    """
    return () if snapshot.halted is not None else tuple(_acts(snapshot, words))


def _acts(snapshot: TableSnapshot, words: Words) -> Iterator[ManagerAct]:
    state, shoe = snapshot.state, snapshot.state.shoe
    between = state.life in RESTING
    door, change = "close" if state.open else "open", "ready" if shoe.changing else "change"
    shuffled = ("shuffled", shuffle_is_due(snapshot.house, state), {"command": "shuffled"})
    uncut = shoe_step(snapshot.house, state) == "cut"
    rows = (
        (door, True, {"command": "table", "do": door}),
        ("dealer", between, {"command": "dealer"}),
        *([shuffled] if snapshot.house.deck.every_round else []),
        *((act, True, {"command": "shoe", "do": act}) for act in ("cut", "uncut") if uncut),
        (change, between and not uncut, {"command": "shoe", "do": change}),
    )
    for act, enabled, command in rows:
        label, hint = m.ACTS[act]
        why = hint if between or act == door else m.BETWEEN_ROUNDS
        why = m.CUT_FIRST if act == "ready" and uncut else why
        yield ManagerAct(act, words.say(label), words.say(why), enabled, command, ASKS.get(act))
