"""States, game descriptions and previews of rulings over the API equal their stored copies."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from controller.config.table_file import check
from controller.core import events as e
from controller.core.state import State
from controller.core.views import Audience
from controller.games import GAMES
from controller.reports.preview import foresee
from controller.text.faults import Words
from controller.web.api.game_message import description
from controller.web.api.previews import ruling_preview
from controller.web.api.table_state import build_state
from controller.web.screens.manager_words import ManagerWords
from tests.core.test_catalogue import RAISE, ROWS
from tests.kept_files import is_kept, of_any_version
from tests.web.test_kept_screens import looks_by_state, screen_lines

HERE = Path(__file__).parent / "kept"
SHORT = ("baccarat", "casino_holdem")
LIMITS = {
    "minimum": 5.0, "maximum": 100.0, "prize": 500.0,
    "markets": {"tie": {"minimum": 2.0, "maximum": 20.0}},
}  # fmt: skip


def changes(messages: Iterator[tuple[str, object]]) -> Iterator[str]:
    """Yield each message's name and the fields that differ from the message before."""
    before: set[str] = set()
    for name, message in messages:
        now = list(screen_lines(msgspec.to_builtins(message)))
        yield f"── {name}"
        yield from (line for line in now if line not in before)
        before = set(now)


def states(game: str, role: Audience) -> Iterator[tuple[str, object]]:
    for name, look in looks_by_state(game).items():
        yield name, build_state(look.state, look.due, look.halted, role)


def effects(game: str) -> Iterator[tuple[str, object]]:
    """Yield previews of every ruling on every fault, with a card, a place and the draw of the fault."""
    for code in (row.code for row in ROWS if row.game == game):
        bench = RAISE[code](game)
        fault, words = bench.state.fault, ManagerWords(Words("en"))
        for ruling in fault.rulings:
            draw, place = fault.draw or 1, bench.house.game.places[0]
            event = e.Rule(ruling, "manager", "seen on camera", draw, "5D", place, fault.seq)
            end = foresee(bench.house, bench.state, event, bench.now)
            yield f"{code} {ruling}", ruling_preview(words, bench.state, event, end)


@pytest.mark.parametrize("role", ["server", "player"])
@pytest.mark.parametrize("game", SHORT)
def test_every_state_equals_its_stored_copy(game, role):
    assert is_kept(HERE / f"state.{game}.{role}.txt", "\n".join(changes(states(game, role))))


@pytest.mark.parametrize("game", SHORT)
def test_the_effect_of_every_ruling_equals_its_stored_copy(game):
    assert is_kept(HERE / f"effects.{game}.txt", "\n".join(changes(effects(game))))


def described() -> Iterator[tuple[str, object]]:
    """Yield the descriptions of all games, and of baccarat with limits."""
    for game in GAMES:
        yield game, description(check({"table": {"name": "t"}, "game": {"name": game}}).house("auto"), State())
    limited = check({"table": {"name": "t"}, "game": {"name": "baccarat"}, "limits": LIMITS})
    yield "with limits", description(limited.house("auto"), State())


def test_game_descriptions_equal_their_stored_copy():
    assert is_kept(HERE / "games.txt", of_any_version("\n".join(changes(described()))))
