"""What people are told about a fault: the dealer what to do, the shift manager what happened, the players that their
bets are safe. English, or another language of `locale/`.

The one rule: it is made from a view of the fault, so that what is withheld stays withheld; players hear neither code
nor card.
"""

from collections.abc import Mapping
from functools import cache
from gettext import NullTranslations, translation
from pathlib import Path

from ..core.faults import CATALOGUE, Cause

LOCALE = Path(__file__).parent / "locale"
DOMAIN = "tablectl"
LANGUAGES = ("en", "ro")

DEALER: Mapping[str, str] = {
    "card_before_close": "A card came out while bets were open. Leave it and wait for the shift manager.",
    "extra_card": "One card too many. Leave it where it is and wait for the shift manager.",
    "unread_card": "The card was not read. Slide it again, then wait for the shift manager.",
    "foreign_card": "This card does not belong to the game. Leave it and wait for the shift manager.",
    "duplicate_card": "This card has been out before. Leave all cards as they lie and wait for the shift manager.",
    "wrong_place": "The card lies on the wrong place. Do not move it, wait for the shift manager.",
    "missing_card": "A card is still due. Do not announce a result, wait for the shift manager.",
    "result_mismatch": "The shoe has another result. Announce nothing, wait for the shift manager.",
    "shoe_error": "The shoe reports an error. Hands off the shoe, wait for the shift manager.",
    "shoe_exhausted": "The shoe is empty. Leave all cards as they lie and wait for the shift manager.",
    "device_lost": "A device is not connected. Leave all cards as they lie and wait for the shift manager.",
    "stalled": "A card is due. If you cannot deal it, wait for the shift manager.",
    "telegram_lost": "The shoe was not heard for a moment. Draw no card, wait for the shift manager.",
    "hidden_card_exposed": "Turn the card face down again and wait for the shift manager.",
    "card_dropped": "Do not pick the card up. Wait for the shift manager.",
    "dealer_call": "The shift manager has been called. Leave all cards as they lie.",
    "server_lost": "The players cannot be reached. Draw no card, wait for the shift manager.",
    "restarted": "The table was started again. Leave all cards as they lie and wait for the shift manager.",
    "replay_failed": "The round cannot go on. Leave all cards as they lie and wait for the shift manager.",
    "journal_failed": "Nothing could be recorded for a while. Draw no card, wait for the shift manager.",
}
MANAGER: Mapping[str, str] = {
    "card_before_close": "A card was dealt before betting was closed: {got}.",
    "extra_card": "A card came when none was due: {got}. Due was: {expected}.",
    "unread_card": "The reader could not read a card. Due was: {expected}.",
    "foreign_card": "A card this game's deck does not hold: {got}. Due was: {expected}.",
    "duplicate_card": "More copies of a card than the deck holds: {got}. Due was: {expected}.",
    "wrong_place": "A card on another place than the one due: {got}. Due was: {expected}.",
    "missing_card": "The round was ended ({got}) while a card is due: {expected}.",
    "result_mismatch": "The shoe's result differs from the table's: {got}.",
    "shoe_error": "The shoe reports an error: {got}. Due was: {expected}.",
    "shoe_exhausted": "No card is left in the shoe. Due was: {expected}.",
    "device_lost": "A device is gone: {got}. Due was: {expected}.",
    "stalled": "No card came in time: {got}. Due was: {expected}.",
    "telegram_lost": "Something the shoe said was not heard: {got}. Due was: {expected}.",
    "hidden_card_exposed": "The dealer reports that a face-down card was seen. Due was: {expected}.",
    "card_dropped": "The dealer reports a card off the table. Due was: {expected}.",
    "dealer_call": "The dealer called you. Due was: {expected}.",
    "server_lost": "The game server's line is gone; betting is held.",
    "restarted": "The program was started again in the middle of the round. Due was: {expected}.",
    "replay_failed": "The recorded round cannot be rebuilt: {got}.",
    "journal_failed": "Nothing could be recorded for a while: {got}.",
}
PLAYERS: Mapping[Cause, str] = {
    "procedure": "The game is paused: the dealing is being checked. Your bets are safe.",
    "device": "The game is paused: a device at the table is being checked. Your bets are safe.",
    "program": "The game is paused for a technical check. Your bets are safe.",
}
WRONG_PIN = "wrong name or PIN; tries left: {left}"
LOCKED_OUT = "locked after wrong PINs: try again in {minutes} min {seconds} s"
CROWDED = "too many people sign in at this moment: try again"
RESUMED = "The game goes on."
CANCELLED = "The round is cancelled. All bets of this round have been returned."
MANUAL = "A card of this round was entered by hand."


class Words:
    """The texts in one language."""

    def __init__(self, language: str) -> None:
        self.say = _catalogue(language).gettext  # any text, as it stands in the catalogue

    def dealer(self, code: str) -> str:
        """What the dealer is to do with the hands."""
        return self.say(DEALER[code])

    def manager(self, code: str, expected: str, got: str) -> str:
        """What happened. `expected`, `got`: in words, and as they may be told."""
        return self.say(MANAGER[code]).format(got=got, expected=expected)

    def players(self, code: str) -> str:
        """The notice while the fault is looked into."""
        return self.say(PLAYERS[CATALOGUE[code].cause])


@cache
def _catalogue(language: str) -> NullTranslations:
    """Raises LookupError for a language there is no catalogue of."""
    if language not in LANGUAGES:
        raise LookupError(f"expected one of {', '.join(LANGUAGES)}, got {language!r}")
    return translation(DOMAIN, LOCALE, [language], fallback=language == "en")
