"""Discovery of games by entry points in the group `tablectl.games`.

Name = game, value = its `GAME`.

Built-in games are loaded first, in the same way. A game of a package may be anybody's code: an error in it is reported
with the package's name, and only that game is missing.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import NamedTuple

from ...rules.game import Game
from .fit import Unfit, validate_game
from .texts import BadTexts, texts_of

GROUP = "tablectl.games"
OURS = ("baccarat", "thirty_two", "casino_holdem", "blackjack", "rhum32")

Texts = Mapping[str, Mapping[str, str]]  # by language, then by the English text


class Failed(NamedTuple):
    """A game that cannot be played, and why."""

    game: str
    package: str
    mistake: str

    def __str__(self) -> str:
        """Sentence for people: the failed game, its package, and what to do."""
        return (
            f"the game {self.game} of the package {self.package} failed ({self.mistake}): "
            "have it repaired, or uninstall the package"
        )


def failure(name: object, failed: Iterable[Failed]) -> Failed | None:
    """Failure of the game with this name in a package, if it has one."""
    return next((one for one in failed if one.game == name), None)


class Installed(NamedTuple):
    """Games that could be loaded, failures, and texts of packages."""

    games: dict[str, Game]
    failed: tuple[Failed, ...]
    texts: Texts


def load_games() -> Installed:
    """Load all games named by entry points; failing packages are listed and left out."""
    games, failed, texts = dict[str, Game](), list[Failed](), dict[str, dict[str, str]]()
    for entry in (*_own_entry_points(), *sorted(entry_points(group=GROUP))):
        try:
            game, game_texts = _load_game(entry, games)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - anybody's code
            failed.append(Failed(entry.name, _package(entry), _words(error)))
            continue
        games[entry.name] = game
        for language, those in game_texts.items():
            texts[language] = {**those, **texts.get(language, {})}
    return Installed(games, tuple(failed), texts)


def _own_entry_points() -> list[EntryPoint]:
    return [EntryPoint(name, f"controller.games.{name}:GAME", GROUP) for name in OURS]


def _load_game(entry: EntryPoint, games: Mapping[str, Game]) -> tuple[Game, Texts]:
    """Load a game and its texts. Raises any exception of the package's code."""
    if entry.name in games:
        raise NameTaken(f"the name {entry.name} is taken: give the game another, in its GAME and its entry point")
    game = validate_game(entry.name, entry.load())
    return game, texts_of(game)


class NameTaken(ValueError):
    """Error: two games have the same name."""


def package_of(name: str) -> str:
    """Name of the package that a game comes from."""
    return next((_package(entry) for entry in entry_points(group=GROUP, name=name)), "tablectl")


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else entry.module


def _words(error: BaseException) -> str:
    """Text of an error: of our own exceptions as it is, of any other with its type before it."""
    text = " ".join(str(error).split())
    is_own = isinstance(error, NameTaken | BadTexts | Unfit)
    return text if is_own else f"{type(error).__name__}: {text}".removesuffix(": ")
