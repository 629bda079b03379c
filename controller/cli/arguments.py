"""Arguments that several commands take."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

Command = Callable[..., Any]
Option = Callable[[Command], Command]

PATH = click.Path(path_type=Path)
CONFIG = click.argument("config", type=PATH)


def options(*each: Option) -> Option:
    """Several options as one; the help lists them in this order."""

    def add(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return add
