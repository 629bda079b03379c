"""Arguments that several commands take."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

import click

from ..config import Config, load
from ..games import GAMES
from ..mistakes import BadConfig, did_you_mean, listing, shown

Command = Callable[..., Any]
Option = Callable[[Command], Command]

PATH = click.Path(path_type=Path)
CONFIG = click.argument("config", type=PATH)


class OneOf(click.Choice[str]):
    """A word out of several. `what`: what it names."""

    def __init__(self, what: str, words: Collection[str]) -> None:
        super().__init__(sorted(words))
        self._what, self._words = what, words

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,
    ) -> str:
        """The word, or one line that says which there are."""
        if value not in self._words:
            meant = did_you_mean(value, self._words)
            known = f"{self._what} out of {listing(self._words)}"
            raise click.UsageError(f"expected {known}, got {shown(value)}{meant}", ctx)
        return str(value)


class GameName(OneOf):
    """The name of a game."""

    def __init__(self) -> None:
        super().__init__("a game", GAMES)


def options(*each: Option) -> Option:
    """Several options as one; the help lists them in this order."""

    def add(command: Command) -> Command:
        for option in reversed(each):
            command = option(command)
        return command

    return add


def load_with_game(config: Path) -> Config:
    """The config of a table, which says what is played there. Raises BadConfig."""
    settings = load(config)
    if "name" not in settings.game:
        raise BadConfig(f'{config}: game.name: no game given; write one under [game], such as name = "baccarat"')
    return settings
