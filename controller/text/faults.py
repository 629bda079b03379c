"""Texts about a fault for each audience, in English or another language of `locale/`.

The dealer is told what to do, the shift manager what happened, and the players that their bets are safe. The texts are
made from a view of the fault, so that what is withheld stays withheld. Players are told neither code nor card.
"""

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from ..core.fault_catalogue import CATALOGUE, Cause
from ..games import TEXTS
from .sentence import Sentence

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "tablectl"
LANGUAGES = ("en", "ro")

PLAYERS: Mapping[Cause, str] = {
    "procedure": "The game is paused: the dealing is being checked. Your bets are safe.",
    "device": "The game is paused for a moment. Your bets are safe.",
    "program": "The game is paused for a moment. Your bets are safe.",
}
WRONG_PIN = "wrong name or PIN"
WRONG_PIN_WAIT = "wrong name or PIN; the next try from here is in {seconds} s"
WRONG_BADGE = "wrong badge or PIN"
WRONG_BADGE_WAIT = "wrong badge or PIN; the next try from here is in {seconds} s"
TOO_SOON = "too soon after wrong PINs: try again in {minutes} min {seconds} s"
CROWDED = "too many people sign in at this moment: try again"
RESUMED = "The game goes on."
CANCELLED = "The round is cancelled. All bets of this round have been returned."
MANUAL = "A card of this round was entered by hand."


class Words:
    """Translated texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.say = _catalogue(language).gettext  # translates any text of the catalogue

    def tell(self, text: str) -> str:
        """Translate a sentence with its parts, or any text of the catalogue; other text stays as it is."""
        if isinstance(text, Sentence):
            return self.say(text.text).format(**{name: self._part(part) for name, part in text.parts.items()})
        return self.say(text) if text else ""

    def _part(self, part: object) -> object:
        return self.tell(part) if isinstance(part, Sentence) else part

    def head(self, code: str) -> str:
        """Short title of a fault, for the dealer."""
        return self.say(CATALOGUE[code].head)

    def called_for(self, code: str) -> str:
        """Short title of a fault, for the shift manager."""
        return self.say(CATALOGUE[code].called_for or CATALOGUE[code].head)

    def hands(self, code: str) -> str:
        """Instruction for the dealer's hands; empty if the title says it."""
        hands = CATALOGUE[code].hands
        return self.say(hands) if hands else ""

    def dealer(self, code: str) -> str:
        """Title of a fault and instruction, for the dealer."""
        return f"{self.head(code)}. {self.hands(code)}".rstrip()

    def manager(self, code: str, expected: str, got: str) -> str:
        """Describe a fault to the shift manager.

        `expected`, `got`: in words, without withheld cards.
        """
        return self.say(CATALOGUE[code].says).format(got=got, expected=expected)

    def players(self, code: str) -> str:
        """Notice to players while a fault is open."""
        return self.say(PLAYERS[CATALOGUE[code].cause])


@cache
def _catalogue(language: str) -> NullTranslations:
    """Load the catalogue of a language. Raises LookupError if there is none."""
    if language not in LANGUAGES:
        raise LookupError(f"expected one of {', '.join(LANGUAGES)}, got {language!r}")
    catalogue = translation(DOMAIN, LOCALE, [language], fallback=language == "en")
    catalogue.add_fallback(_OfGames(language))
    return catalogue


class _OfGames(NullTranslations):
    """Catalogue of the games from packages, used for texts that our own catalogue lacks."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._texts = TEXTS.get(language, {})

    def gettext(self, message: str) -> str:
        """Translate a text; return it unchanged if there is no translation."""
        return self._texts.get(message, message)
