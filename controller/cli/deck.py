"""`tablectl deck`: learn which card each bar code stands for, card by card."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any

import click

from drivers.events import CardRead, DeviceEvent, DeviceUnusable, Found, Lost
from drivers.identity import ConfiguredIdentity, Recognition
from drivers.serial_link import SerialLink
from drivers.shoes.barcode import CodeReader
from drivers.shoes.hid_pos import HidPos
from drivers.shoes.wedge import Wedge
from drivers.usb_link import UsbLink

from .. import Unusable
from ..config.deck_register import codes_in, keep_codes
from ..config.devices import ShoeSection
from ..config.mistakes import BadConfig
from ..config.paths import change_directory, home_of
from ..config.table_file import Config, check, check_file
from ..station.own_devices import OwnDevices
from ..text.errors import system_message
from .arguments import PATH, WholeNumber
from .end_signals import handle_end_signals
from .groups import Group
from .running_table import require_stopped

HOW_IT_READS = ("terminator", "prefix", "aim", "no_read", "usb", "layout", "window_ms")
MakesLink = Callable[[Callable[[DeviceEvent], None]], SerialLink | UsbLink]


@click.group(cls=Group)
def deck() -> None:
    """Learn the bar codes on a table's cards."""


@deck.command
@click.argument("file", type=PATH)
@click.option("--config", type=PATH, required=True, help="The table with the scanner; its game sets the cards.")
@click.option(
    "--decks",
    type=WholeNumber(1, 8),
    default=1,
    help="Number of decks, if every single card has its own code.",
)
def learn(file: Path, config: Path, decks: int) -> None:
    """Scan a deck, card by card, with the scanner of the table of CONFIG, and store the codes in FILE.

    Cards that FILE has already are not asked for again. The config names FILE in [shoe.settings] codes = "FILE".
    """
    settings = check_file(config, _without_codes)
    with change_directory(home_of(config)):
        require_stopped(settings)
    link = _link(config, settings.shoe)
    register: dict[str, str] = codes_in(file) if file.exists() else {}
    cards = list(cards_without_code(settings.house("dealer").deck.cards, decks, register))
    _write(file, register)  # fails now, and not after a lesson, if the file cannot be written
    try:
        with suppress(KeyboardInterrupt, asyncio.CancelledError):
            asyncio.run(_learn(link, cards, register))
    finally:
        _keep(file, register)


def _without_codes(raw: dict[str, Any]) -> Config:
    """Config without its register of codes, which this lesson may still have to create. Raises BadConfig."""
    match raw:
        case {"shoe": {"settings": dict() as settings}}:
            settings.pop("codes", None)
    return check(raw)


def cards_without_code(cards: tuple[str, ...], decks: int, register: dict[str, str]) -> Iterator[str]:
    """Yield the cards that have no code yet, in order, each as often as codes are needed."""
    have = list(register.values())
    for card in cards * decks:
        if card in have:
            have.remove(card)
        else:
            yield card


class Lesson:
    """Learns one card after the other. `register`: mapping from code to card, filled as codes are read."""

    def __init__(self, cards: list[str], register: dict[str, str]) -> None:
        self._cards, self._codes = cards, register
        self._last: str | None = None

    @property
    def card_due(self) -> str | None:
        """Card whose code is expected next; None when all are known."""
        return self._cards[0] if self._cards else None

    def take(self, code: str) -> str:
        """Assign a code to the expected card and return a message; empty if the code was read twice in a row."""
        if code == self._last or self.card_due is None:
            return ""
        if code in self._codes:
            return f"{code} is {self._codes[code]} already: scan {self.card_due}, which needs its own code"
        self._last, self._codes[code] = code, self._cards.pop(0)
        return f"{self._codes[code]} is {code}"


def _link(config: Path, shoe: ShoeSection) -> MakesLink:
    """Return a function that opens the scanner for a listener; it reads all codes. Raises BadConfig."""
    settings = {name: value for name, value in shoe.settings.items() if name in HOW_IT_READS}
    settings["aim"] = tuple(settings.get("aim", ()))
    if shoe.model == "hid_pos":
        own = Recognition(ConfiguredIdentity("shoe", shoe.serial, shoe.at))
        return lambda listener: UsbLink(HidPos(**settings, reader=True), listener, own)
    if shoe.model not in ("barcode", "wedge") or shoe.port is None:
        raise BadConfig(
            f'{config}: shoe: expected model = "barcode" or "wedge" and a port, or "hid_pos", '
            f"got {shoe.model!r} at {shoe.port!r}"
        )
    codec = CodeReader(**settings) if shoe.model == "barcode" else Wedge(**settings, reader=True)
    port = OwnDevices(None).port("shoe", shoe)
    return lambda listener: SerialLink(port, codec, listener)


async def _learn(link: MakesLink, cards: list[str], register: dict[str, str]) -> None:
    lesson, loop = Lesson(cards, register), asyncio.get_running_loop()
    work = asyncio.current_task()
    assert work is not None  # noqa: S101 - we are in it
    with handle_end_signals(lambda *_: loop.call_soon_threadsafe(work.cancel)):
        async with aclosing(_codes(link)) as codes:
            while lesson.card_due is not None:
                click.echo(f"{lesson.card_due} ?")
                if message := lesson.take(await anext(codes)):
                    click.echo(message)


async def _codes(makes: MakesLink) -> AsyncGenerator[str, None]:
    """Yield the codes that the scanner reads, and print when it is found or lost."""
    events: asyncio.Queue[DeviceEvent] = asyncio.Queue()
    link = makes(events.put_nowait)
    link.start()
    try:
        while True:
            match await events.get():
                case CardRead(card=code):
                    yield code
                case Found(address=address):
                    click.echo(f"the scanner is there, at {address}")
                case Lost(reason=reason) | DeviceUnusable(reason=reason):
                    click.echo(reason, err=True)
    finally:
        await link.stop()


def _keep(file: Path, register: dict[str, str]) -> None:
    _write(file, register)
    click.echo(f"{len(register)} codes in {file}")


def _write(file: Path, register: dict[str, str]) -> None:
    """Write the register. Raises Unusable."""
    try:
        keep_codes(file, register)
    except OSError as error:
        raise Unusable(f"{file}: {system_message(error)}") from None
