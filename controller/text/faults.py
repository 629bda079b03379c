"""Texts about a fault for each audience, in English or another language of `locale/`.

The dealer is told what to do, the shift manager what happened, and the players that their bets are safe. The texts are
made from a view of the fault, so that what is withheld stays withheld. Players are told neither code nor card.
"""

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from ..core.coded_message import CodedMessage
from ..core.fault_catalogue import CATALOGUE, CauseKind
from ..games import TEXTS
from .coded import render
from .fault_texts import FAULTS

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "tablectl"
LANGUAGES = ("en", "ro")

PLAYERS: Mapping[CauseKind, str] = {
    "procedure": "The game is paused: the dealing is being checked. Your bets are safe.",
    "device": "The game is paused for a moment. Your bets are safe.",
    "program": "The game is paused for a moment. Your bets are safe.",
}
RESUMED = "The game goes on."
CANCELLED = "The round is cancelled. All bets of this round have been returned."
MANUAL = "A card of this round was entered by hand."


class Words:
    """Translated texts of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.say = _catalogue(language).gettext  # translates any text of the catalogue

    def tell(self, message: CodedMessage | str) -> str:
        """Translate a coded message with its parts; text without a code stays as it is."""
        return render(message, self.say)

    def head(self, code: str) -> str:
        """Short title of a fault, for the dealer."""
        return self.say(FAULTS[code].head)

    def manager_title(self, code: str) -> str:
        """Short title of a fault, for the shift manager."""
        return self.say(FAULTS[code].called_for or FAULTS[code].head)

    def hands(self, code: str) -> str:
        """Instruction for the dealer's hands; empty if the title says it."""
        hands = FAULTS[code].hands
        return self.say(hands) if hands else ""

    def dealer(self, code: str) -> str:
        """Title of a fault and instruction, for the dealer."""
        return f"{self.head(code)}. {self.hands(code)}".rstrip()

    def manager(self, code: str, expected: str, got: str) -> str:
        """Describe a fault to the shift manager.

        `expected`, `got`: in words, without withheld cards.
        """
        return self.say(FAULTS[code].says).format(got=got, expected=expected)

    def players(self, code: str) -> str:
        """Notice to players while a fault is open."""
        return self.say(PLAYERS[CATALOGUE[code].cause])


@cache
def _catalogue(language: str) -> NullTranslations:
    """Load the catalogue of a language. Raises LookupError if there is none."""
    if language not in LANGUAGES:
        raise LookupError(f"expected one of {', '.join(LANGUAGES)}, got {language!r}")
    catalogue = translation(DOMAIN, LOCALE, [language], fallback=language == "en")
    if language in TEXTS:
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
