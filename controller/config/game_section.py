"""The `[game]` section: the game that is played, and the house's options for it."""

import re
from fractions import Fraction
from itertools import islice
from typing import Any

from msgspec.structs import replace

from ..core.sheet import WINDOWED, digest, rounds
from ..games import FAILED, GAMES
from ..games.installing import Failed, failure, package_of
from ..rules.dealing import SheetFailed, check_return
from ..rules.game import Game, Prize, Stake
from ..rules.procedure import Outcome, Settings
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
    """Return the game of this name after playing and paying the rounds of its digest. Raises BadConfig."""
    game = find_game(name)
    try:
        digest(game)
        _check_returns(game)
    except SheetFailed as error:
        raise BadConfig(f"game.name: {Failed(name, package_of(name), str(error))}") from None
    return game


def _check_returns(game: Game) -> None:
    """Check what `pay` returns in the first rounds of the digest. Raises SheetFailed, with the wrong value."""

    def checked_pay(outcome: Outcome, stake: Stake) -> Fraction | Prize:
        try:
            return check_return(game.pay(outcome, stake))
        except TypeError as error:
            raise SheetFailed(f"for {stake.market}, {error}") from None

    for _ in islice(rounds(replace(game, pay=checked_pay)), WINDOWED):
        continue


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
