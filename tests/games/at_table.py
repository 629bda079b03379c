"""A sheet at a table: a script goes in, and what came of it is looked at."""

import msgspec

from controller.core.house import House, Terms
from controller.rules.game import Game
from controller.script.play import Play
from controller.script.reader import parse


def table(game: Game, script: str, **settings: object) -> Play:
    """The table after the script. ` · ` parts lines, for short scripts."""
    play = Play(House(game, msgspec.convert(settings, game.settings), Terms()))
    run(play, script)
    return play


def run(play: Play, script: str) -> None:
    """More of a script."""
    for _ in play.run(parse(script.replace(" · ", "\n"))):
        pass


def cards(names: str) -> str:
    """The lines that deal these."""
    return "".join(f"card {name}\n" for name in names.split())


def of_kind(play: Play, kind: str) -> list:
    """What happened of this kind, in order."""
    return [record.what for record in play.records if record.kind == kind]


def codes(play: Play) -> list[str]:
    """The faults, in order."""
    return [what.code for what in of_kind(play, "faulted")]


def paid(play: Play) -> dict[str, int]:
    """What came back, by market."""
    return {what.market: what.returned for what in of_kind(play, "paid")}
