"""`tablectl status`: where a running table stands."""

import time

import click
import msgspec

from ..web.api.state_message import Standing
from .arguments import PATH
from .hand import Hand, at_a_table, hand_of, keep
from .told import clock, lines


@click.command
@click.argument("config_", metavar="[CONFIG]", type=PATH, required=False, expose_value=False, callback=keep)
@at_a_table
@hand_of
def status(hand: Hand) -> None:
    """Say where a running table stands: that of CONFIG, or the only one here."""
    body, health = hand.state(), hand.health()
    troubles, kept, now = health["troubles"], health["clock"], time.time_ns() // 1000
    if hand.as_json:
        click.echo(msgspec.json.encode({**body, "troubles": troubles, "clock": kept}))
        return
    for line in (*lines(msgspec.convert(body, Standing), now), clock(kept, now), *troubles):
        click.echo(line)
