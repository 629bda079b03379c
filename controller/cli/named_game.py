"""The game that a command is for: its name among the arguments, or in the config of a table."""

from pathlib import Path
from typing import Any

import click

from ..config import Config, load
from ..games import GAMES
from ..mistakes import BadConfig, did_you_mean, listing, shown


class GameName(click.Choice[str]):
    """The name of a game."""

    def __init__(self) -> None:
        super().__init__(sorted(GAMES))

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,
    ) -> str:
        """The name, or one line that says which there are."""
        if value not in GAMES:
            raise click.UsageError(
                f"expected a game out of {listing(GAMES)}, got {shown(value)}{did_you_mean(value, GAMES)}", ctx
            )
        return str(value)


def load_with_game(config: Path) -> Config:
    """The config of a table, which says what is played there. Raises BadConfig."""
    settings = load(config)
    if "name" not in settings.game:
        raise BadConfig(f'{config}: game.name: no game given; write one under [game], such as name = "baccarat"')
    return settings
