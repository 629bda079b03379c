"""Option `--speed` of commands that play a table, and a check for nan, which click's ranges lack."""

from math import isnan

import click


def a_number(_: click.Context, __: click.Parameter, number: float) -> float:
    """Refuse nan, which click's range check lets through."""
    if isnan(number):
        raise click.BadParameter("expected a number, got nan")
    return number


SPEED = click.option(
    "--speed",
    type=click.FloatRange(0.1, 1000),
    callback=a_number,
    default=1.0,
    show_default=True,
    help="Speed as a multiple of a real table's.",
)
