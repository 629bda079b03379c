"""The `[game]` section: the game that is played, and the house's options for it."""

import re
from typing import Any

from ..core.sheet import digest
from ..games import FAILED, GAMES
from ..games.installing import Failed, failure, package_of
from ..rules.dealing import SheetFailed
from ..rules.game import Game
from ..rules.procedure import Settings
from ..text.errors import did_you_mean, listing, quote
from .mistakes import BadConfig, convert_part


def find_game(name: object) -> Game:
    """Return the game of this name. Raises BadConfig if it is unknown or its package failed."""
    if isinstance(name, str) and name in GAMES:
        return GAMES[name]
    if failed := failure(name, FAILED):
        raise BadConfig(f"game.name: {failed}")
    meant = did_you_mean(name, GAMES) if isinstance(name, str) else ""
    raise BadConfig(f"game.name: expected one of {listing(GAMES)}, got {quote(name)}{meant}")


def playable(name: str) -> Game:
    """Return the game of this name after playing the rounds of its digest. Raises BadConfig."""
    game = find_game(name)
    try:
        digest(game)
    except SheetFailed as error:
        raise BadConfig(f"game.name: {Failed(name, package_of(name), str(error))}") from None
    return game


def settings_of(game: Game, section: dict[str, Any]) -> Settings:
    """Return the settings of a game from its section. Raises BadConfig."""
    fields = {key: value for key, value in section.items() if key not in ("name", "posted_digest")}
    return convert_part(fields, game.settings, "game")


def posted_digest(section: dict[str, Any]) -> str | None:
    """Return the digest of the rules shown to players; None if the section has none. Raises BadConfig."""
    value = section.get("posted_digest")
    if value is None or (isinstance(value, str) and re.fullmatch("[0-9a-f]{64}", value)):
        return value
    raise BadConfig(f"game.posted_digest: expected the 64 digits that `tablectl check` prints, got {quote(value)}")
