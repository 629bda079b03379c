"""Bench tables of every game in every state that dealers, shift managers and viewers can see.

`SIZES` are the screen sizes on which the pages are shown."""

from functools import cache
from typing import NamedTuple

from controller.core.coded_message import CodedMessage, coded
from controller.core.fault_matrix import matrix
from controller.games import GAMES
from tests.browser.conftest import FULL_HD, OLD_PANEL
from tests.browser.overlay_page import table_after
from tests.browser.pictures import PHONE
from tests.browser.scenes import scenes
from tests.core.bench import Bench
from tests.core.test_catalogue import RAISE

SIZES = {"full-hd": FULL_HD, "old-panel": OLD_PANEL, "phone": PHONE}
NOBODY_ACTS = {
    "halted": coded("disk_out_of_room", path="/var/t1.journal"),
    "stale": None,
}  # states of any game's table, with the reason why nothing can be recorded
WORST = (
    "deciding", "result", "void", "shoe-change", "extra_card", "hidden_card_exposed", "shoe_exhausted", "halted",
)  # fmt: skip


class PageState(NamedTuple):
    """Table, seconds since its last record, why nothing can be recorded, and whether the page is stale."""

    table: Bench
    after: float
    halted: CodedMessage | str | None = None
    stale: bool = False


def states(game: str) -> list[str]:
    """Return the names of a game's states: its scenes, the codes of its faults, `halted` and `stale`."""
    return [*scenes(game), *(row.code for row in matrix(GAMES) if row.game == game), *NOBODY_ACTS]


@cache
def bench_with_fault(code: str, game: str) -> Bench:
    """Return a bench table of this game with this fault open."""
    return RAISE[code](game)


def page_state(game: str, name: str) -> PageState:
    """Return the table that shows a state of a game."""
    if name in RAISE:
        return PageState(bench_with_fault(name, game), 9)
    scene = scenes(game)["dealing" if name in NOBODY_ACTS else name]
    return PageState(table_after(game, scene.script), scene.after, NOBODY_ACTS.get(name), name == "stale")


def fullest_states(game: str) -> list[str]:
    """Return the names of a game's states in which the pages have most to show."""
    return [name for name in states(game) if name in WORST]
