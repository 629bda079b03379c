"""What people are told about a fault: the dealer what to do, the shift manager what happened, the players that their
bets are safe. English, or another language of `locale/`.

It is made from a view of the fault, so that what is withheld stays withheld; players hear neither code
nor card.
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
    """The texts in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.say = _catalogue(language).gettext  # any text, as it stands in the catalogue

    def tell(self, text: str) -> str:
        """A sentence with its parts, each in this language; another text as it stands in the catalogue, or as it is."""
        if isinstance(text, Sentence):
            return self.say(text.text).format(**{name: self._part(part) for name, part in text.parts.items()})
        return self.say(text) if text else ""

    def _part(self, part: object) -> object:
        return self.tell(part) if isinstance(part, Sentence) else part

    def head(self, code: str) -> str:
        """What is wrong, in a few words, as the dealer has it."""
        return self.say(CATALOGUE[code].head)

    def called_for(self, code: str) -> str:
        """What is wrong, in a few words, as the shift manager has it."""
        return self.say(CATALOGUE[code].called_for or CATALOGUE[code].head)

    def hands(self, code: str) -> str:
        """What the dealer is to do with the hands; nothing where that is what the head says."""
        hands = CATALOGUE[code].hands
        return self.say(hands) if hands else ""

    def dealer(self, code: str) -> str:
        """What the dealer is told."""
        return f"{self.head(code)}. {self.hands(code)}".rstrip()

    def manager(self, code: str, expected: str, got: str) -> str:
        """What happened. `expected`, `got`: in words, and as they may be told."""
        return self.say(CATALOGUE[code].says).format(got=got, expected=expected)

    def players(self, code: str) -> str:
        """The notice while the fault is looked into."""
        return self.say(PLAYERS[CATALOGUE[code].cause])


@cache
def _catalogue(language: str) -> NullTranslations:
    """Raises LookupError for a language there is no catalogue of."""
    if language not in LANGUAGES:
        raise LookupError(f"expected one of {', '.join(LANGUAGES)}, got {language!r}")
    catalogue = translation(DOMAIN, LOCALE, [language], fallback=language == "en")
    catalogue.add_fallback(_OfGames(language))
    return catalogue


class _OfGames(NullTranslations):
    """What the packages that add games have brought along: it is looked up where our own catalogue has nothing."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._texts = TEXTS.get(language, {})

    def gettext(self, message: str) -> str:
        """The text in this language, or as it is."""
        return self._texts.get(message, message)
