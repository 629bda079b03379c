"""Names of faults, rulings and reasons in the floor's history; unknown codes are shown unchanged."""

import msgspec

from ...core.causes import VoidReason
from ...core.fault_catalogue import CATALOGUE
from ...text import terms
from ...text.faults import Words
from ...text.table_words import TableWords
from ..storage.rows import RoundRow

_reason = msgspec.json.Decoder(VoidReason).decode


def fault_name(code: str, words: Words) -> str:
    """Return the name of a fault; an unknown code is returned unchanged."""
    return words.manager_title(code) if code in CATALOGUE else code


def ruling_name(ruling: str, words: Words) -> str:
    """Return the name of a ruling; an unknown one is returned unchanged."""
    return words.say(terms.LABELS[ruling]) if ruling in terms.LABELS else ruling


def void_reason(row: RoundRow, words: Words) -> str:
    """Return the reason why a round was cancelled, in its table's words; in English if only its words are stored."""
    return TableWords(words).void_reason(_reason(row.why)) if row.why else row.because
