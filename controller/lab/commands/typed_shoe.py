"""Emulated shoe driven by typed lines, one act each."""

import asyncio
import os
import stat
import sys
from collections.abc import AsyncIterator, Callable, Mapping

import click

from drivers.emulators.port import EmulatedPort
from drivers.emulators.shoes import EmulatedShoe, RoundKeeping

from ...rules.cards import BadCard, parse_card

HELP = """\
(nothing)    the next card          9H           this card, whatever is next
unread       the next one, unread   misread      the next one, with another suit
again        slide the unread card again
garble       damage what it says next            torn      only half of what it says next
unplug       pull the cable         plug         put it back
change       other cards are put in
of a shoe that keeps rounds: blank, the next card told without suit and rank; and its keys
start  standby  cut  quit  cancel  lock  unlock"""


async def obey_typed_lines(shoe: EmulatedShoe) -> None:
    """Carry out typed commands on the shoe until standard input ends; print their answers."""
    async for line in _lines():
        if answer := obey(shoe, line.strip()):
            click.echo(answer)


async def obey_typed_badges(port: EmulatedPort) -> None:
    """Hold each typed line to the badge reader as a badge; `unplug` and `plug` work too."""
    acts = {"unplug": port.unplug, "plug": port.plug}
    async for line in _lines():
        word = line.strip()
        acts.get(word, lambda badge=word: port.write(f"{badge}\r\n".encode()))()


async def _lines() -> AsyncIterator[str]:
    """Yield the lines of standard input, from a terminal, a pipe or a file."""
    if not (sys.stdin.isatty() or stat.S_ISFIFO(os.fstat(sys.stdin.fileno()).st_mode)):
        for line in sys.stdin:  # a file, which asyncio cannot read as a pipe
            yield line
        return
    lines, loop = asyncio.StreamReader(), asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    try:
        while line := (await lines.readline()).decode(errors="replace"):
            yield line
    finally:
        transport.close()


def obey(shoe: EmulatedShoe, line: str) -> str | None:
    """Carry out one typed command on the shoe; return the text to print, if any."""
    word = line.lower()
    if word == "help":
        return HELP
    if act := keys_of(shoe).get(word):
        act()
        return None
    cards: Mapping[str, Callable[[], str | None]] = {
        "": shoe.draw,
        "unread": lambda: shoe.draw(unreadable=True),
        "misread": lambda: shoe.draw(misread=True),
        "again": shoe.redraw,
    } | ({"blank": shoe.blank} if isinstance(shoe, RoundKeeping) else {})
    if word in cards:
        return cards[word]() or ("no card is unread" if word == "again" else "the shoe is empty")
    try:
        shoe.put_on_top(parse_card(line))
    except BadCard:
        return f"expected a card such as 9H or a command of `help`, got {line!r:.40}"
    return shoe.draw()


def keys_of(shoe: EmulatedShoe) -> Mapping[str, Callable[[], object]]:
    """Acts on the shoe that let no card out, by the typed word."""
    keys: dict[str, Callable[[], object]] = {
        "garble": shoe.garble,
        "torn": lambda: shoe.garble(torn=True),
        "unplug": shoe.unplug,
        "plug": shoe.plug,
        "change": shoe.change_shoe,
    }
    if isinstance(shoe, RoundKeeping):
        keys |= {
            "start": shoe.start,
            "standby": shoe.stand_by,
            "cut": shoe.cut_card,
            "quit": shoe.force_quit,
            "cancel": shoe.cancel_error,
            "lock": lambda: shoe.lock_key(locked=True),
            "unlock": lambda: shoe.lock_key(locked=False),
        }
    return keys
