"""`tablectl emulate`: a card shoe without hardware, and a dealer's hands for it."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Any, TypeVar

import click
from msgspec import Struct

from drivers.captures import BadCapture, CapturedBytes, read_capture
from drivers.emulators.port import EmulatedPort
from drivers.emulators.pty_port import PtyPort
from drivers.emulators.replay import replay
from drivers.emulators.shoes import EMULATED, EmulatedShoe, RoundKeeping
from drivers.emulators.tcp_port import TcpPort
from drivers.emulators.uinput_port import UinputPort

from ... import Unusable
from ...cli.arguments import OneOf, WholeNumber
from ...cli.end_signals import handle_end_signals
from ...cli.game_argument import GameName
from ...cli.progress_lines import ProgressLines
from ...games import GAMES
from ...rules.cards import FULL_DECK, BadCard, Deck, parse_card
from ...text.errors import system_message
from ..demo.api_pace import ApiPace, TableLine
from ..demo.dealer import DemoDealer
from ..demo.hands import DealtCards, Hands, RemotePlayers, Shift, deck_of, errors
from .dealers_line import TableAddress
from .speed import SPEED, a_number
from .typed_shoe import obey_typed_badges, obey_typed_lines

BADGES = "badge_reader"
LAST = 0.5  # seconds at the end for the host to read the last message
CHANCE = click.FloatRange(0, 1)
FILE = click.Path(path_type=Path, dir_okay=False)
_T = TypeVar("_T")


class ListenAddress(click.ParamType[TcpPort]):
    """Command-line parameter HOST:PORT: address of the emulated device server."""

    name = "HOST:PORT"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> TcpPort:
        """Parse the address into a TCP port for the emulated device; refuse any other text."""
        host, _, port = value.rpartition(":")
        host = "127.0.0.1" if host == "localhost" else host.strip("[]")
        with suppress(ValueError):
            if 0 <= int(port) < 2**16:
                return TcpPort(str(ip_address(host)), int(port))
        return self.fail(f"expected an address and port such as 127.0.0.1:4001, got {value!r}", param, ctx)


class EmulateOptions(Struct, frozen=True):
    """Options of one call of `tablectl emulate`, as given."""

    model: str
    link: Path | None
    listen: TcpPort | None
    cards: Path | None
    game: str | None
    seed: int | None
    hands: TableLine | None
    rounds: int | None
    speed: float
    errors: float
    replay: Path | None

    @property
    def port(self) -> EmulatedPort:
        """Port of the emulated device, by --link or --listen. Raises UsageError unless exactly one is given."""
        if self.link is not None and self.listen is None:
            return UinputPort(self.link) if self.model == "wedge" else PtyPort(self.link)
        if self.listen is not None and self.link is None:
            return self.listen
        raise click.UsageError("expected one of --link PATH and --listen HOST:PORT")

    def check(self) -> None:
        """Check that the options go together. Raises UsageError."""
        if self.model == "wedge" and (self.listen or self.replay):
            raise click.UsageError("--listen, --replay: a wedge is a keyboard of this PC: expected --link PATH alone")
        if self.model == BADGES and (self.hands or self.cards or self.replay):
            raise click.UsageError(f"--hands, --cards, --replay: expected none of them with {BADGES}: type the badges")
        if self.replay is not None and self.hands is not None:
            raise click.UsageError("--replay: expected no --hands beside it: a capture is replayed unchanged")
        if self.hands is None and (self.rounds is not None or self.errors):
            raise click.UsageError("--rounds, --errors: expected --hands URL beside them")


@click.command
@click.argument("model", type=OneOf("a device", (*EMULATED, BADGES)))
@click.option("--link", type=FILE, help="Create a serial port at this path, like /dev/table/shoe.")
@click.option("--listen", type=ListenAddress(), help="Listen here like a device server, for port socket://HOST:PORT.")
@click.option("--cards", type=FILE, help="The cards in it, first card first: a text such as 9H TD AS.")
@click.option("--game", type=GameName(), help="Fill the shoe for this game; by default with 8 decks of 52.")
@click.option("--seed", type=int, help="The same seed gives the same cards and errors.")
@click.option(
    "--hands", type=TableAddress(), help="Deal at this table: unix:SOCKET, or the address that `tablectl kiosk` prints."
)
@click.option("--rounds", type=WholeNumber(min=1), help="With --hands: end after this number of rounds.")
@SPEED
@click.option(
    "--errors",
    type=CHANCE,
    callback=a_number,
    default=0.0,
    help="With --hands: probability of each kind of error in a round.",
)
@click.option("--replay", type=FILE, help="Send the bytes of a capture of `tablectl monitor`, then end.")
def emulate(**options: Any) -> None:  # noqa: ANN401 - what the options say
    """Emulate a card shoe of MODEL, or a badge_reader, at a serial port's path or behind a device server, until Ctrl-C.

    Without --hands and --replay, type a command on each line: `help` lists them.

    \b
    tablectl emulate bee_tek --link shoe
    tablectl emulate angel_eye --listen 127.0.0.1:4001 --hands unix:/run/tablectl/t1.sock
    """
    wish = EmulateOptions(**options)
    wish.check()
    if wish.model == BADGES:
        work = _badges(wish)
    elif wish.replay is not None:
        work = _replay(wish, _read(wish.replay, lambda text: list(read_capture(text))))
    else:
        cards = (
            None if wish.cards is None else _read(wish.cards, lambda text: [parse_card(one) for one in text.split()])
        )
        work = _run_typed_shoe(wish, cards) if wish.hands is None else _deal(wish, wish.hands, cards)
    _run(work)


def _read(path: Path, read: Callable[[str], _T]) -> _T:
    """Read a file and parse its text with `read`. Raises Unusable."""
    try:
        return read(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise Unusable(f"{path}: {system_message(error)}") from None
    except UnicodeDecodeError:
        raise Unusable(f"{path}: expected a text") from None
    except (BadCapture, BadCard) as error:
        raise Unusable(f"{path}: {error}") from None


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run the emulation until its end or Ctrl-C."""
    with suppress(KeyboardInterrupt, asyncio.CancelledError):
        asyncio.run(_run_until_signal(work))


async def _run_until_signal(work: Coroutine[Any, Any, None]) -> None:
    loop, all_of_it = asyncio.get_running_loop(), asyncio.ensure_future(work)
    with handle_end_signals(lambda *_: loop.call_soon_threadsafe(all_of_it.cancel)):
        await all_of_it


def _plug_in(port: EmulatedPort, model: str) -> None:
    """Plug the emulated device in at its port, and print where. Raises Unusable."""
    try:
        port.plug()
    except FileExistsError as error:
        raise Unusable(str(error)) from None
    except OSError as error:
        raise Unusable(f"{error.filename2 or error.filename or port.name}: {system_message(error)}") from None
    click.echo(f"{model} at {port.name}")


def _shoe(
    wish: EmulateOptions, port: EmulatedPort, cards: list[str] | None, deck: Deck, dice: random.Random
) -> EmulatedShoe:
    """Create the emulated shoe with its cards, and plug it in at its port."""
    seed = dice.randrange(2**32)
    shoe = EMULATED[wish.model](port, cards=cards, deck=deck.cards, decks=deck.copies, seed=seed)
    _plug_in(port, f"{wish.model}, {shoe.cards_left} cards,")
    if isinstance(shoe, RoundKeeping):
        shoe.watch()
    return shoe


def _dice(wish: EmulateOptions) -> random.Random:
    return random.Random(wish.seed)  # noqa: S311 - an emulated shoe's cards, no one's money


async def _replay(wish: EmulateOptions, passed: list[CapturedBytes]) -> None:
    port = wish.port
    _plug_in(port, wish.model)
    try:
        await ProgressLines(f"the replay starts when a program opens {port.name}").await_work(port.wait_for_host())
        seconds = passed[-1].at / wish.speed if passed else 0.0
        progress = ProgressLines(f"the capture is replayed, which takes {seconds:.0f} s")
        click.echo(f"{await progress.await_work(replay(passed, port, wish.speed))} bytes sent")
        await asyncio.sleep(LAST)
    finally:
        port.unplug()


async def _badges(wish: EmulateOptions) -> None:
    port = wish.port
    _plug_in(port, wish.model)
    try:
        await obey_typed_badges(port)
    finally:
        port.unplug()


async def _run_typed_shoe(wish: EmulateOptions, cards: list[str] | None) -> None:
    deck = Deck(FULL_DECK, 8) if wish.game is None else GAMES[wish.game].deck(GAMES[wish.game].settings())
    shoe = _shoe(wish, wish.port, cards, deck, _dice(wish))
    try:
        await obey_typed_lines(shoe)
    finally:
        shoe.unplug()


async def _deal(wish: EmulateOptions, line: TableLine, cards: list[str] | None) -> None:
    """Deal at the table, and print each step of the dealer."""
    news = ProgressLines("the table is asked")
    await news.await_work(
        _deal_rounds(wish, ApiPace(line, wish.speed, partial(click.echo, err=True), news=news.tell), cards)
    )


async def _deal_rounds(wish: EmulateOptions, pace: ApiPace, cards: list[str] | None) -> None:
    port, dice = wish.port, _dice(wish)
    deck, hides = await deck_of(pace)
    shoe = _shoe(wish, port, cards, deck, dice)
    try:
        hands = Hands(shoe, pace, DealtCards(deck, cards is not None, dice))
        dealer = DemoDealer(hands, RemotePlayers(pace), pace, dice, hides=hides)
        await Shift(hands, pace, dealer).work(errors(wish.errors, dice), wish.rounds)
    finally:
        shoe.unplug()
