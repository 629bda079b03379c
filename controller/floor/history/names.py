"""Names of faults and rulings in the floor's history; unknown codes are shown unchanged."""

from ...core.fault_catalogue import CATALOGUE
from ...text import terms
from ...text.faults import Words


def fault_name(code: str, words: Words) -> str:
    """Return the name of a fault; an unknown code is returned unchanged."""
    return words.manager_title(code) if code in CATALOGUE else code


def ruling_name(ruling: str, words: Words) -> str:
    """Return the name of a ruling; an unknown one is returned unchanged."""
    return words.say(terms.LABELS[ruling]) if ruling in terms.LABELS else ruling
