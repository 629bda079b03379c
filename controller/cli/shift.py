"""`tablectl shift hand-over`: one shift manager hands a running table over to the next.

Invariant: a PIN is never an argument, since every user of the PC could read it. It is typed, or comes on standard
input.
"""

from pathlib import Path

import click

from .arguments import CONFIG
from .command_sender import CommandSender, pin_of
from .groups import Group


@click.group(cls=Group)
def shift() -> None:
    """Manage the shifts of a table."""


@shift.command("hand-over")
@CONFIG
@click.option("--from", "giver", metavar="ID", required=True, help="The person who hands over: badge number or name.")
@click.option("--to", "taker", metavar="ID", required=True, help="The person who takes over.")
@click.option("--note", default="", help="A note for the next shift.")
def hand_over(config: Path, giver: str, taker: str, note: str) -> None:
    """Hand the running table of CONFIG over; first list open points, and void rounds and notes of two shifts.

    The command asks for both PINs; if standard input is not a terminal, they are its first two lines. Recorded are both
    persons and the open points.
    """
    sender = CommandSender()
    sender.config = config
    shown, points = sender.open_points()
    for point in points:
        click.echo(point)
    pins = pin_of(giver), pin_of(taker)
    sender.hand_over({"name": giver, "pin": pins[0]}, {"name": taker, "pin": pins[1]}, shown, note)
