"""Reasons that a shift manager can choose for a ruling, in English; other languages are in `locale/`.

None is chosen beforehand: the record holds only a reason that a person chose or typed.
"""

from collections.abc import Mapping

from . import fault_texts

OF_RULING: Mapping[str, tuple[str, ...]] = {
    "resume": ("As seen on camera", "As the dealer reports"),
    "enter": ("Card identified on camera", "As the dealer reports"),
    "rescan": ("Card read at the second try",),
    "correct": ("Misread: as seen on camera", "As the dealer reports"),
    "move": ("Card laid on the wrong place", "Place told wrongly by the reader"),
    "burn": ("As seen on camera", "As the dealer reports"),
    "void": ("Read twice: as seen on camera", "No card came out: as seen on camera"),
    "carry": ("One card too many was drawn", "Two cards stuck together"),
    "deal": ("A card was not dealt", "Result announced too early", "FINISH pressed by mistake"),
    "void_hand": ("A card was seen too early", "The hand was missed"),
    "cancel": ("It cannot be put right",),
    "extend": ("It is being looked into",),
}


def reasons(code: str) -> Mapping[str, tuple[str, ...]]:
    """Reasons for each ruling on a fault with this code, in the order in which they are offered."""
    own = fault_texts.FAULTS[code].reasons
    return {ruling: (*own.get(ruling, ()), *usual) for ruling, usual in OF_RULING.items()}
