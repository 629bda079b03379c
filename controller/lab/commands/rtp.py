"""`tablectl rtp`: compute the return to player of every market of a game."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table as Grid

from ...cli.arguments import WholeNumber
from ...cli.game_argument import GameName, naming_failure
from ...cli.output_file import check_replaceable
from ...cli.pipe_console import PipeConsole
from ...games import GAMES
from ...rules.strategy import ROUNDS, Count, Strategy
from ...text.errors import did_you_mean, listing, quote, system_message
from ..rtp import ReturnReport, Task, Watch, report
from ..rtp.plot import picture
from ..rtp.rounds import NoStrategy, market_of
from ..rtp.rows import MarketRow
from ..rtp.search import SearchResult, search

DECISIONS = 200_000  # decisions that a search looks ahead from
SVG = b"<svg "  # first bytes of a picture
DISAGREE = "these returns differ"
TO_CHANGE = "correct the procedure, pay, what counts, or the published figure"


@click.command
@click.argument("game", type=GameName(), metavar="GAME")
@click.option("--market", help="Compute only this market.")
@click.option(
    "--rounds", type=WholeNumber(1, 100_000_000), help="Number of rounds to simulate; by default some millions."
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed deals the same rounds.")
@click.option("--json", "as_json", is_flag=True, help="Print a list with one object for each market; see above.")
@click.option(
    "--plot", type=click.Path(dir_okay=False, path_type=Path), help="Draw how simulated returns converge, as SVG."
)
@click.option(
    "--search", "anew", is_flag=True, help="Search for the strategy's numbers again, from --rounds decisions."
)
def rtp(
    game: str, market: str | None, rounds: int | None, seed: int, plot: Path | None, *, as_json: bool, anew: bool
) -> None:
    """Compute the return to player of every market of GAME and compare it with the figure in the rule sheet.

    The return is exact if all courses of a round can be counted, else simulated on all cores. Both use the table's own
    procedure and settlement, without rounding. Exact returns are also compared with simulated rounds. If a figure
    differs by more than 0.01 % (exact) or four standard errors (simulated), the command fails and names the market.

    With --json each object has market, return, sheet, difference, method (exact or simulated), rounds and
    standard_error, in percent of the stake; null: none. Some have more: strategy and regret (its loss compared
    with looking ahead), simulated (the simulated return beside an exact one), stake if the return depends on it, and
    for the insurance of rhum32 the hands by points.
    """
    markets = _markets(game, market)
    if anew:
        if as_json or plot:
            raise click.UsageError("--search prints a table: leave --json and --plot out")
        _search(game, markets, rounds or DECISIONS, seed)
        return
    task = Task(game, markets, rounds or _usual_rounds(GAMES[game].strategy), seed)
    if plot is not None:
        _check_plot(plot, task)
    with naming_failure(game), _watch() as watch:
        result = _compute_report(task, watch)
    if plot is not None:
        _draw(plot, picture(game, {market_of(GAMES[game], name): course for name, course in result.courses.items()}))
    _print(task, result, as_json=as_json)


def _print(task: Task, result: ReturnReport, *, as_json: bool) -> None:
    """Print the rows, then figures that disagree, and exit with 1 if there are any."""
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(result.rows)))
    else:
        _show(task, result.rows, PipeConsole(highlight=False))
    if result.disagreements:
        click.echo(f"tablectl: {DISAGREE}: {'; '.join(result.disagreements)}: {TO_CHANGE}", err=True)
        sys.exit(1)


def _usual_rounds(strategy: Strategy | None) -> int:
    return ROUNDS if strategy is None else strategy.rounds


def _compute_report(task: Task, watch: Watch) -> ReturnReport:
    try:
        return report(task, watch)
    except NoStrategy as error:
        raise click.UsageError(str(error)) from None


def _check_plot(path: Path, task: Task) -> None:
    """Check that a plot can be drawn and written, before minutes of simulation. Raises UsageError."""
    if not task.simulated_markets:
        markets = listing(task.markets)
        raise click.UsageError(f"--plot draws simulated returns; in {task.game} that of {markets} is exact")
    if not os.access(path if os.access(path, os.F_OK) else f"{path.parent}/.", os.W_OK):
        raise click.UsageError(f"--plot: {path} cannot be written")
    try:
        check_replaceable(path, SVG, "picture")
    except OSError as error:
        raise click.UsageError(f"--plot: {path}: {system_message(error)}") from None


def _draw(path: Path, picture: str) -> None:
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise click.FileError(str(path), system_message(error)) from None


def _markets(game: str, only: str | None) -> list[str]:
    names = [market.name for market in GAMES[game].markets]
    if only is None:
        return names
    if only not in names:
        meant = did_you_mean(only, names)
        raise click.UsageError(f"{game} has no market {quote(only)}{meant}; it has {listing(names)}")
    return [only]


@contextmanager
def _watch() -> Iterator[Watch]:
    """Show a progress bar on standard error if that is a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _, __, ___: None
        return
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        bars = {}

        def watch(what: str, done: int, of: int) -> None:
            if what not in bars:
                bars[what] = progress.add_task(what, total=of or None)
            progress.update(bars[what], completed=done)

        yield watch


def _show(task: Task, rows: list[MarketRow], console: Console) -> None:
    grid = _grid(f"Return to player: {task.game}", "market", "return", "±", "rule sheet", "difference", "method")
    for row in rows:
        at = f"{row.market} at {row.stake}" if row.stake else row.market
        figures = [_percent(figure) for figure in (row.returned, row.standard_error, row.sheet)]
        grid.add_row(at, *figures, "–" if row.difference is None else f"{row.difference:+z.2f} %", row.method)
    console.print(grid)
    for text in dict.fromkeys(text for row in rows for text in _notes(row)):  # without repetitions
        console.print(text, soft_wrap=True)
    for title, hands in (("all hands", rows[-1].hands), ("hands that insurance pays", rows[-1].four_faces)):
        if hands:
            console.print(_hands(title, hands))


def _percent(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.2f} %"


def _notes(row: MarketRow) -> Iterator[str]:
    """Notes below the figures of a market: exact count, simulated rounds, error."""
    if row.counted:
        yield f"exact: {row.counted}"
    if row.simulated is not None:
        of = f"{_with_spaces(row.simulated_rounds or 0)} simulated rounds"
        yield f"{row.market}: {of} give {_percent(row.simulated)} ± {_percent(row.simulated_standard_error)}"
    if row.rounds:
        yield f"simulated: {_with_spaces(row.rounds)} rounds; ± is one standard error"
    if row.difference is not None and row.standard_error:
        errors = abs(row.difference / row.standard_error)
        yield f"{row.market}: {errors:.1f} standard errors from the figure of the rule sheet"
    if row.strategy:
        yield f"strategy: {row.strategy}"
    if row.regret is not None:
        yield (
            f"regret: the strategy gives away {row.regret:.2f} % ± {row.regret_standard_error:.2f} % "
            f"of the {row.market} compared with looking ahead, from {row.regret_decisions} decisions"
        )


def _hands(title: str, counts: dict[str, int]) -> Grid:
    grid = _grid(title, "points", "hands")
    for points, hands in counts.items():
        grid.add_row(points, _with_spaces(hands))
    return grid


def _grid(title: str, first: str, *others: str) -> Grid:
    grid = Grid(title=title, title_justify="left")
    grid.add_column(first)
    for name in others:
        grid.add_column(name, justify="right")
    return grid


def _with_spaces(number: int) -> str:
    return f"{number:,}".replace(",", " ")


def _search(game: str, markets: list[str], decisions: int, seed: int) -> None:
    strategy = GAMES[game].strategy
    if not isinstance(strategy, Count) or strategy.market not in markets:
        searched = ", ".join(
            f"{name} {count.market}" for name, one in GAMES.items() if isinstance(count := one.strategy, Count)
        )
        raise click.UsageError(f"--search finds numbers where the strategy counts points: {searched}")
    with naming_failure(game), _watch() as watch:
        for step in search(game, strategy.market, decisions, seed):
            if isinstance(step, SearchResult):
                result = step
            else:
                watch("looking ahead", step, decisions)
    _show_search_result(strategy, result)


def _show_search_result(strategy: Count, result: SearchResult) -> None:
    grid = _grid(f"{strategy.yes} the {strategy.market} from 0 on", "sign", "found", "in use")
    for sign, number in result.numbers.items():
        grid.add_row(sign, str(number), str(strategy.numbers[sign]))
    gains = (f"{100 * gain:.3f} %" for gain in (result.gain, result.gain_in_use))
    grid.add_row(f"gained over always {strategy.no}, on {_with_spaces(result.decisions)} decisions", *gains)
    PipeConsole().print(grid)
