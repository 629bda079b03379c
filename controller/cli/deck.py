"""`tablectl deck`: which card each bar code is, learnt card by card."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing, suppress
from pathlib import Path

import click

from drivers.events import CardRead, DeviceEvent, Found, Lost
from drivers.own_port import OwnPort
from drivers.serial_link import SerialLink
from drivers.serial_port import SerialSettings
from drivers.shoes.barcode import CodeReader

from .. import Unusable
from ..config.deck_register import codes_in, keep_codes
from ..config.mistakes import BadConfig
from ..config.table_file import Config, load
from ..text.errors import system_says
from .arguments import PATH
from .ending import told_to_end
from .groups import Group


@click.group(cls=Group)
def deck() -> None:
    """The codes on a table's cards."""


@deck.command
@click.argument("file", type=PATH)
@click.option("--config", type=PATH, required=True, help="Of the table, whose scanner and game it is for.")
@click.option("--decks", type=click.IntRange(1, 8), default=1, help="How many, where every card has a code of its own.")
def learn(file: Path, config: Path, decks: int) -> None:
    """Walk through a deck, card by card, under the scanner of the table of CONFIG, and keep the codes in FILE.

    What FILE has already is not asked for again. In the config it is [shoe.settings] codes = "FILE".
    """
    settings = load(config)
    reader = _reader(config, settings)
    known: dict[str, str] = codes_in(file) if file.exists() else {}
    wanted = list(missing(settings.house("dealer").deck.cards, decks, known))
    try:
        with suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(_learn(settings, reader, wanted, known))
    finally:
        _keep(file, known)


def missing(cards: tuple[str, ...], decks: int, known: dict[str, str]) -> Iterator[str]:
    """The cards that have no code yet, in order, as often as they are needed."""
    have = list(known.values())
    for card in cards * decks:
        if card in have:
            have.remove(card)
        else:
            yield card


class Lesson:
    """One card after the other. `known`: filled as they come."""

    def __init__(self, wanted: list[str], known: dict[str, str]) -> None:
        self._wanted, self._known = wanted, known
        self._last: str | None = None

    @property
    def asked(self) -> str | None:
        """The card that is to come; none when all are known."""
        return self._wanted[0] if self._wanted else None

    def take(self, code: str) -> str:
        """A code was read; what is told of it, which is nothing for one that was read twice in a row."""
        if code == self._last or self.asked is None:
            return ""
        if code in self._known:
            return f"{code} is {self._known[code]} already: expected {self.asked}, which needs a code of its own"
        self._last, self._known[code] = code, self._wanted.pop(0)
        return f"{self._known[code]} is {code}"


def _reader(config: Path, settings: Config) -> CodeReader:
    shoe = settings.shoe
    if shoe.model != "barcode" or shoe.port is None:
        raise BadConfig(f'{config}: shoe: expected model = "barcode" and a port, got {shoe.model!r} at {shoe.port!r}')
    said = {name: value for name, value in shoe.settings.items() if name in ("terminator", "prefix", "aim")}
    return CodeReader(**said | {"aim": tuple(said.get("aim", ()))})


async def _learn(settings: Config, reader: CodeReader, wanted: list[str], known: dict[str, str]) -> None:
    lesson, loop = Lesson(wanted, known), asyncio.get_running_loop()
    work = asyncio.current_task()
    assert work is not None  # noqa: S101 - we are in it
    with told_to_end(lambda *_: loop.call_soon_threadsafe(work.cancel)):
        async with aclosing(_codes(settings, reader)) as codes:
            while lesson.asked is not None:
                click.echo(f"{lesson.asked} ?")
                if said := lesson.take(await anext(codes)):
                    click.echo(said)


async def _codes(settings: Config, reader: CodeReader) -> AsyncGenerator[str, None]:
    """What is read."""
    heard: asyncio.Queue[DeviceEvent] = asyncio.Queue()
    port = OwnPort(settings.shoe.port or "", SerialSettings(settings.shoe.line_baud))
    link = SerialLink(port, reader, heard.put_nowait)
    link.start()
    try:
        while True:
            match await heard.get():
                case CardRead(card=code):
                    yield code
                case Found(address=address):
                    click.echo(f"the scanner is there, at {address}")
                case Lost(reason=reason):
                    click.echo(reason, err=True)
    finally:
        await link.stop()


def _keep(file: Path, known: dict[str, str]) -> None:
    try:
        keep_codes(file, known)
    except OSError as error:
        raise Unusable(f"{file}: {system_says(error)}") from None
    click.echo(f"{len(known)} codes in {file}")
