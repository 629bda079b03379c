"""Helpers that run a script at a table with a given rule sheet, and read the records."""

import msgspec

from controller.core.house import House, Terms
from controller.rules.game import Game
from controller.script.play import Play
from controller.script.reader import parse


def table(game: Game, script: str, **settings: object) -> Play:
    """Run the script at a new table of this game and return it; ` · ` separates lines of short scripts."""
    play = Play(House(game, msgspec.convert(settings, game.settings), Terms()))
    run(play, script)
    return play


def run(play: Play, script: str) -> None:
    """Run more of a script at the table."""
    for _ in play.run(parse(script.replace(" · ", "\n"))):
        pass


def cards(names: str) -> str:
    """Return the script lines that deal these cards; names are separated by spaces."""
    return "".join(f"card {name}\n" for name in names.split())


def of_kind(play: Play, kind: str) -> list:
    """Return the contents of all records of this kind, in order."""
    return [record.what for record in play.records if record.kind == kind]


def codes(play: Play) -> list[str]:
    """Return the codes of all faults, in order."""
    return [what.code for what in of_kind(play, "faulted")]


def paid(play: Play) -> dict[str, int]:
    """Return the amounts paid back, by market."""
    return {what.market: what.returned for what in of_kind(play, "paid")}
