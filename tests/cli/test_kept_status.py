"""`tablectl status` in every state of a table and the figures of `tablectl rtp`, against kept files."""

import io
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console

from controller.cli import state_lines
from controller.core.clock import SECOND, from_text
from controller.games import GAMES
from controller.lab.commands import rtp
from controller.lab.rtp.plot import picture
from controller.lab.rtp.rows import MarketRow
from controller.lab.rtp.search import SearchResult
from controller.lab.rtp.simulate import Estimate
from controller.web.api.table_state import build_state
from tests.kept_files import is_kept, of_any_version
from tests.web.test_kept_screens import looks_by_state

HERE = Path(__file__).parent / "kept"


def states(game: str) -> Iterator[str]:
    """Yield the status lines of each state that the state before did not have."""
    before = set[str]()
    for name, look in looks_by_state(game).items():
        now = build_state(look.state, look.due, look.halted, "manager")
        shown = list(state_lines.lines(now, from_text(now.at) + 3 * SECOND))
        yield f"── {name}: {state_lines.state_line(now, ['the disk is full'])}"
        yield from (line for line in shown if line not in before)
        before = set(shown)


@pytest.mark.parametrize("game", ["baccarat", "casino_holdem"])
def test_the_status_of_every_state_is_as_it_was_kept(game):
    assert is_kept(HERE / f"status.{game}.txt", of_any_version("\n".join(states(game))))


ROWS = [
    MarketRow(
        market="ante", returned=97.8412, sheet=97.84, difference=0.0012, method="simulated", rounds=3_500_000,
        standard_error=0.1234, strategy="raise with a pair", regret=0.0567, regret_standard_error=0.0012,
        regret_decisions=200_000,
    ),
    MarketRow(
        market="insurance", returned=91.5, sheet=None, difference=None, method="exact", rounds=None,
        standard_error=None, counted="all 1 533 939 hands", stake="5.00", hands={"4": 12, "13 and more": 4_321_000},
        four_faces={"40": 1}, simulated=91.62, simulated_standard_error=0.2, simulated_rounds=12_000,
    ),
]  # fmt: skip


def test_the_figures_of_returns_are_as_they_were_kept(monkeypatch):
    out = io.StringIO()
    console = Console(file=out, width=100)
    rtp._show(rtp.Task("rhum32", ["ante", "insurance"], 1000, 1), ROWS, console)
    monkeypatch.setattr(rtp, "PipeConsole", lambda **_: console)
    counted = GAMES["rhum32"].strategy
    rtp._show_search_result(counted, SearchResult(12_000, dict.fromkeys(counted.numbers, 7), 0.0123, 0.0101))
    assert is_kept(HERE / "rtp.txt", "\n".join(line.rstrip() for line in out.getvalue().splitlines()))


def test_the_picture_of_simulated_returns_is_as_it_was_kept():
    course = [Estimate(1000 * step, Fraction(980 + step % 7, 1000), 0.03 / step) for step in range(1, 900)]
    markets = {market: course[: 450 * number] for number, market in enumerate(GAMES["casino_holdem"].markets, start=1)}
    without = {GAMES["rhum32"].markets[0]: course[:3]}
    drawn = picture("casino_holdem", markets) + picture("rhum32", without)
    assert is_kept(HERE / "rtp.svg.txt", drawn.replace(" ", "\n", 30))
