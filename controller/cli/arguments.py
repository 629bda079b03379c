"""Arguments that several commands take."""

from typing import Any

import click

from ..games import GAMES
from ..mistakes import did_you_mean, listing


class GameName(click.Choice[str]):
    """The name of a game."""

    def __init__(self) -> None:
        super().__init__(sorted(GAMES))

    def convert(
        self,
        value: Any,  # noqa: ANN401 - click's signature
        param: click.Parameter | None,  # noqa: ARG002 - likewise
        ctx: click.Context | None,
    ) -> str:
        """The name, or one line that says which there are."""
        if value not in GAMES:
            raise click.UsageError(
                f"expected a game out of {listing(GAMES)}, got {value!r}{did_you_mean(value, GAMES)}", ctx
            )
        return str(value)
