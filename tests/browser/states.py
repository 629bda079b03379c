"""Every game in every state that dealers, shift managers and viewers can see, each on a table of its own; and the
screens on which they do."""

from functools import cache
from typing import NamedTuple

from controller.core.coded_message import CodedMessage, coded
from controller.core.fault_matrix import matrix
from controller.games import GAMES
from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.pictures import PHONE
from tests.browser.scenes import scenes
from tests.browser.stage import table_after
from tests.core.bench import Bench
from tests.core.test_catalogue import RAISE

SIZES = {"full-hd": FULL_HD, "old-panel": OLD_PANEL, "phone": PHONE}
NOBODY_ACTS = {
    "halted": coded("disk_out_of_room", path="/var/t1.journal"),
    "stale": None,
}  # states of every table: why nothing can be recorded
WORST = (
    "deciding", "result", "void", "shoe-change", "extra_card", "hidden_card_exposed", "shoe_exhausted", "halted",
)  # fmt: skip


class Seen(NamedTuple):
    """A table, how long ago the last thing happened there, why nothing can be recorded, whether the line is gone."""

    table: Bench
    after: float
    halted: CodedMessage | str | None = None
    stale: bool = False


def states(game: str) -> list[str]:
    """Their names: those of the scenes, the codes of the faults, and those in which nobody can do anything."""
    return [*scenes(game), *(row.code for row in matrix(GAMES) if row.game == game), *NOBODY_ACTS]


@cache
def faulted(code: str, game: str) -> Bench:
    """A table with this fault open."""
    return RAISE[code](game)


def seen(game: str, name: str) -> Seen:
    """What there is to be seen in a state."""
    if name in RAISE:
        return Seen(faulted(name, game), 9)
    scene = scenes(game)["dealing" if name in NOBODY_ACTS else name]
    return Seen(table_after(game, scene.script), scene.after, NOBODY_ACTS.get(name), name == "stale")


def worst(game: str) -> list[str]:
    """Those of them in which there is most to be shown."""
    return [name for name in states(game) if name in WORST]
