"""`tablectl diagram`: the life of a round, or the orders in which a game is dealt, as Mermaid."""

import click

from ...cli.game_argument import GameName, naming_failure
from ...games import GAMES
from ..catalogue.diagrams import game_diagram, round_diagram


@click.command
@click.argument("what", type=GameName("a drawing", "round"), metavar="GAME|round")
def diagram(what: str) -> None:
    """Print a Mermaid diagram: the state machine of a round, or the possible steps of a game."""
    with naming_failure(what):
        click.echo(round_diagram() if what == "round" else game_diagram(GAMES[what]))
