"""`tablectl demo`: a whole table on emulated devices, in the terminal."""

import asyncio
import os
import shlex
import signal
import tempfile
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import TextIO

import click
import structlog

from ...cli.arguments import WholeNumber
from ...cli.end_signals import handle_end_signals
from ...cli.game_argument import GameName
from ...cli.pipe_console import PipeConsole
from ...config.web import WebSection
from ...journal import Journal, verify
from ...text.errors import system_message
from ...text.money import money
from ...web.access.users import UsersFile
from ...web.net.listening import NetListening, listen
from ...web.net.sockets import (
    Listening,
    UnusableAddress,
    UnusableSocket,
    all_folders,
    file_name,
    place_of,
    socket_beside,
)
from ..demo import JOURNAL, TABLE, Demo, Plan, StuckDemo
from ..demo.purses import PlayerPurses
from ..demo.screen import Lines, Screen
from .demo_results import DemoCounter
from .demo_studio import show_studio
from .speed import SPEED

MANAGER, SECOND = ("manager1", "2580"), ("manager2", "2581")  # names and PINs, valid only in the demo
PAGES = {"dealer": "the dealer's screen", "manager": "the shift manager's", "overlay": "the players' overlay"}


@click.command
@click.argument("game", type=GameName(), required=False)
@click.option(
    "--tables",
    type=WholeNumber(1, 200),
    help="Run this number of tables, with a bus and a floor that shows them all.",
)
@click.option(
    "--rounds", type=WholeNumber(min=1), help="End after this number of rounds; by default continue until Ctrl-C."
)
@SPEED
@click.option("--seed", type=int, help="The same seed gives the same cards, bets, decisions and errors.")
@click.option("--faults", is_flag=True, help="Let the dealer make errors; a scripted shift manager rules on them.")
@click.option("--by-hand", is_flag=True, help="No scripted shift manager: rule yourself on the page /manager.")
@click.option(
    "--port",
    type=WholeNumber(0, 65535),
    help="The port of the pages; by default 8032, or any free one if that is taken.",
)
@click.option("--no-web", is_flag=True, help="Serve no pages.")
@click.option(
    "--journal",
    type=click.Path(path_type=Path, file_okay=False),
    help="Keep the record in this folder. Cancel a round that was live when the last demo was killed.",
)
def demo(
    game: str | None,
    tables: int | None,
    rounds: int | None,
    speed: float,
    seed: int | None,
    journal: Path | None,
    port: int | None,
    *,
    faults: bool,
    by_hand: bool,
    no_web: bool,
) -> int:
    """Watch a table of GAME at work (by default baccarat), dealt on an emulated shoe and panel, with players who bet.

    The shoe uses a real serial port, the panel a real USB stack; the screens are pages for a browser.
    """
    if no_web and (by_hand or tables):
        raise click.UsageError(f"{'--by-hand' if by_hand else '--tables'}: it needs the page that --no-web leaves out")
    plan = Plan(rounds, speed, seed, faults, game or "baccarat", by_hand)
    with ExitStack() as stack:
        stack.enter_context(handle_end_signals(signal.default_int_handler))
        folder = journal or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-")))
        _make(folder, stack)
        if tables:
            return show_studio(plan, tables, game, folder, port)
        net = None if no_web else stack.enter_context(closing(_web(folder, port)))
        local = stack.enter_context(closing(_socket(folder / JOURNAL, stack)))
        return _show(plan, folder, net, local)


def _show(plan: Plan, folder: Path, net: NetListening | None, local: Listening) -> int:
    """Run the demo in the terminal and return its exit code."""
    try:
        with closing(Journal(folder / JOURNAL)) as journal:
            show = Demo(plan, journal, net, local)
            _tell_of_pages(net)
            _tell_of_commands(local)
            _watch(show, PipeConsole(), _rule_at(net) if plan.by_hand else "")
    except FileExistsError as in_the_way:
        raise click.UsageError(str(in_the_way)) from None
    except StuckDemo as stuck:
        click.echo(f"tablectl: the demo is stuck: {stuck}", err=True)
        return 1
    return 0


def _make(folder: Path, stack: ExitStack) -> None:
    """Create the demo's folder and send the log to a file in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _quiet(stack.enter_context(_for_its_user(folder / "demo.log")), stack)
    except OSError as error:
        raise click.UsageError(f"{error.filename}: {system_message(error)}") from None


def _for_its_user(path: Path) -> TextIO:
    """Open a file that only its owner may read, because the log contains cards and sign-ins.

    It is appended to: a demo may be running in this folder, and the record there is continued too.
    """
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.fchmod(opened, 0o600)  # for a file that existed with another mode
    return os.fdopen(opened, "w", encoding="utf-8")


def _web(folder: Path, port: int | None) -> NetListening:
    """Open the port of the pages: the given one; else a table's default port, or any free port if that is in use."""
    users = UsersFile(folder / "demo.users")
    with users.change() as change:
        change.set_pin(*MANAGER)
        change.set_pin(*SECOND)  # settling a round anew needs two shift managers
    if port is not None:
        return listen(WebSection(f"127.0.0.1:{port}"), users.path, at_hand=True)
    try:
        return listen(WebSection(), users.path, at_hand=True)
    except UnusableAddress:
        return listen(WebSection("127.0.0.1:0"), users.path, at_hand=True)


def _socket(journal: Path, stack: ExitStack) -> Listening:
    """Socket for the demo's table: its usual place, else beside the record, else a temporary folder."""
    for path in (place_of(TABLE, journal, os.environ), socket_beside(journal)):
        with suppress(UnusableSocket):
            return Listening(path)
    return Listening(Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tablectl-"))) / file_name(TABLE))


def _tell_of_commands(local: Listening) -> None:
    is_searched = local.path.parent in all_folders(os.environ)
    which = f"--table {TABLE}" if is_searched else f"--socket {shlex.quote(str(local.path))}"
    click.echo(f"{'commands beside it':<22}tablectl status {which}; likewise ack, rule, press ...")


def _tell_of_pages(net: NetListening | None) -> None:
    if net is None:
        return
    for page, what in PAGES.items():
        hint = "  (sign in as {}, PIN {}; {}, PIN {})".format(*MANAGER, *SECOND) if page == "manager" else ""
        click.echo(f"{what:<22}{net.url}/{page}{hint}")


def _rule_at(net: NetListening | None) -> str:
    name, pin = MANAGER
    return f"{net.url}/manager, sign in as {name}, PIN {pin}" if net else ""


def _watch(show: Demo, console: PipeConsole, rule_at: str) -> None:
    """Show the demo until its end or Ctrl-C, then print the summary."""
    count, purses = DemoCounter(show.table.house.game), show.players.purses
    show.table.subscribe(count)
    with ExitStack() as stack:
        show.table.subscribe(
            stack.enter_context(Screen(console, purses, rule_at)) if console.is_terminal else Lines(console, rule_at)
        )
        with suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(_run_until_signal(show))
    verdict = verify(show.journal.path)
    for line in (
        count.summary(),
        count.money_line(show.table.house.currency),
        purses_line(purses, show.table.house.currency),
        f"journal: {verdict.records} records valid, head {verdict.head}",
    ):
        console.print(line, highlight=False, soft_wrap=True)


async def _run_until_signal(show: Demo) -> None:
    loop, all_of_it = asyncio.get_running_loop(), asyncio.ensure_future(show.run())
    with handle_end_signals(lambda *_: loop.call_soon_threadsafe(all_of_it.cancel)):
        await all_of_it


def purses_line(purses: PlayerPurses, currency: str) -> str:
    """Line with the purse of each player."""
    return f"purses: {', '.join(f'{player} {money(purses[player], currency)}' for player in purses.players)}"


def _quiet(log: TextIO, stack: ExitStack) -> None:
    """Send all logs to this file, because the terminal shows the table."""
    stack.callback(structlog.reset_defaults)
    structlog.configure(
        processors=[structlog.processors.add_log_level, structlog.processors.JSONRenderer()],
        logger_factory=structlog.WriteLoggerFactory(log),
        cache_logger_on_first_use=False,
    )
