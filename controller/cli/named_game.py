"""The game that a command is for: its name among the arguments, or in the config of a table."""

from pathlib import Path
from typing import Any

import click

from ..config.mistakes import BadConfig
from ..config.table_file import Config, load
from ..games import FAILED, GAMES
from ..games.installing import failure
from .arguments import OneOf


class GameName(OneOf):
    """The name of a game. `others`: words that are taken as well."""

    def __init__(self, what: str = "a game", *others: str) -> None:
        super().__init__(what, (*others, *GAMES))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's
        """The name, or one line that says which there are, or why this one is not among them."""
        if value not in GAMES and (failed := failure(value, FAILED)):
            raise click.UsageError(str(failed), ctx)
        return super().convert(value, param, ctx)


def load_with_game(config: Path) -> Config:
    """The config of a table, which says what is played there. Raises BadConfig."""
    settings = load(config)
    if "name" not in settings.game:
        raise BadConfig(f'{config}: game.name: no game given; write one under [game], such as name = "baccarat"')
    return settings
