"""Game of a command: its name as an argument, or a table's config that names it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from ..config.mistakes import BadConfig
from ..config.table_file import Config, load
from ..games import FAILED, GAMES
from ..games.installing import Failed, failure, package_of
from ..rules.dealing import SheetFailed
from .arguments import OneOf


class GameName(OneOf):
    """Parameter type for the name of a game. `others`: further words that are accepted."""

    def __init__(self, what: str = "a game", *others: str) -> None:
        super().__init__(what, (*others, *GAMES))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401 - click's
        """Return the name; fail with a line that lists the games, or says why this one cannot be loaded."""
        if value not in GAMES and (failed := failure(value, FAILED)):
            raise click.UsageError(str(failed), ctx)
        return super().convert(value, param, ctx)


@contextmanager
def naming_failure(game: str) -> Iterator[None]:
    """Turn a failure of the game's sheet into one line that names the game and its package."""
    try:
        yield
    except SheetFailed as error:
        raise click.ClickException(str(Failed(game, package_of(game), str(error)))) from None


def load_with_game(config: Path) -> Config:
    """Load a table's config, which must name its game. Raises BadConfig."""
    settings = load(config)
    if "name" not in settings.game:
        raise BadConfig(f'{config}: game.name: no game given; write one under [game], such as name = "baccarat"')
    return settings
