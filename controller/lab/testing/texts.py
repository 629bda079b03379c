"""Check that a game has its texts in every language of a table."""

import ast
import inspect
import warnings
from collections.abc import Iterator, Mapping, Sequence
from gettext import NullTranslations, translation

from ...games.installing.texts import BadTexts, texts_of
from ...rules.game import Game
from ...rules.procedure import seat_of
from ...text.faults import DOMAIN, LANGUAGES, LOCALE
from ...text.naming import label
from ...text.terms import NUMBERED, PLACES
from .broken import Broken

TITLES = "en"  # language of the texts in a sheet


class MissingTexts(UserWarning):
    """Warning: a game passes the checks but has no texts in a table's language."""


def check_texts(game: Game) -> dict[str, tuple[str, ...]]:
    """Texts that are missing, by language, for languages that the game's catalogue lacks.

    Raises Broken if the catalogue has a language with some texts missing.
    """
    try:
        texts = texts_of(game)
    except BadTexts as error:
        raise Broken(f"expected a catalogue of texts, {error}", change="correct this file") from None
    missing: dict[str, tuple[str, ...]] = {}
    for language in LANGUAGES:
        if language == TITLES:
            continue
        ours, theirs = _catalogue(language), texts.get(language, {})
        lacking = tuple(dict.fromkeys(text for text in texts_in(game) if text not in theirs and not ours.gettext(text)))
        if lacking and language in texts:
            file, head = f"{game.name}.toml", f"[{language}]"
            raise Broken(
                f"expected every text of the game in {language}, {lacking[0]!r} is missing",
                change=f"write it into {file}, beside the module, under {head}; missing in all: {list(lacking)}",
            )
        if lacking:
            missing[language] = lacking
    return missing


def warn_of_missing(game: Game, missing: Mapping[str, Sequence[str]]) -> None:
    """Say which languages are missing, as a warning: pytest shows it below its results."""
    for language, lacking in missing.items():
        text = (
            f"{game.name} has no texts in {language}: {len(lacking)} are shown in English, such as {lacking[0]!r}; "
            f"for others write [{language}] into {game.name}.toml, beside the module"
        )
        warnings.warn(text, MissingTexts, stacklevel=3)


class _Nothing(NullTranslations):
    """Catalogue without any texts: empty for each one."""

    def gettext(self, message: str) -> str:
        return ""


def _catalogue(language: str) -> NullTranslations:
    """Load tablectl's own catalogue; it returns an empty text for a text that it lacks."""
    catalogue = translation(DOMAIN, LOCALE, [language])
    catalogue.add_fallback(_Nothing())
    return catalogue


def texts_in(game: Game) -> Iterator[str]:
    """Yield every text of the game: those of its face and places, and phrases in its source."""
    face = game.face
    yield from (*face.markets.values(), *face.decisions.values(), *face.hands.values(), *face.results.values())
    yield from filter(None, [face.formed])
    numbered = tuple(NUMBERED)
    places = (place for place in game.places if place not in PLACES and not seat_of(place).startswith(numbered))
    yield from map(label, places)
    module = inspect.getmodule(game.procedure)
    for node in ast.walk(ast.parse(inspect.getsource(module))) if module else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Phrase":
            yield from (str(text.value) for text in node.args[:1] if isinstance(text, ast.Constant))
