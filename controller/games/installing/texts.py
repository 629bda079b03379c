"""Texts of a game in other languages: a file `NAME.toml` beside its module.

    [ro]
    "pair plus" = "pereche plus"

A text that is not in the file is looked up in the program's own catalogue, else shown in English. Built-in games have
no such file: their texts are in that catalogue.
"""

import inspect
import tomllib
from collections.abc import Mapping
from pathlib import Path
from string import Formatter

import msgspec

from ...rules.game import Game

ENGLISH = "en"


class BadTexts(ValueError):
    """A catalogue of texts that cannot be used: which, and why."""


def texts_of(game: Game) -> Mapping[str, Mapping[str, str]]:
    """Texts of a game by language, then by the English text. Raises BadTexts."""
    path = Path(inspect.getfile(game.procedure)).with_name(f"{game.name}.toml")
    if not path.exists():
        return {}
    try:
        with path.open("rb") as file:
            texts = msgspec.convert(tomllib.load(file), dict[str, dict[str, str]])
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadTexts(f"{path.name}: {error}") from None
    if ENGLISH in texts:
        raise BadTexts(f"{path.name}: [{ENGLISH}]: the English texts are in the module: remove this section")
    for language, translations in texts.items():
        where = f"{path.name}: [{language}]"
        for text, translated in translations.items():
            if _blanks(where, text) != _blanks(where, translated):
                raise BadTexts(f"{where} {translated!r}: expected the same names in braces as in {text!r}")
    return texts


def _blanks(where: str, text: str) -> set[str | None]:
    """Return the names in braces in a text. Raises BadTexts, which begins with `where`."""
    try:
        return {name for _, name, _, _ in Formatter().parse(text)} - {None}
    except ValueError as error:
        raise BadTexts(f"{where} {text!r}: {error}") from None
