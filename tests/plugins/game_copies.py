"""Copies of the example Three Card Poker with parts of its source replaced, to plant faults."""

import importlib.util
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from msgspec import Struct

from .site import ROOT

NAME = "three_card_poker"
PACKAGE = ROOT / "examples" / NAME

CONSTANTS = '''def counted() -> list[Exact]:
    """The returns, as somebody counted them once."""
    return [
        Exact(market="ante", returned=Fraction("0.9662701905639506"), over="all hands"),
        Exact(market="pair_plus", returned=Fraction("0.9768325791855204"), over="all hands"),
    ]


Below = '''


class GamePlant(Struct, frozen=True):
    """Replaced texts of the module, and its report: the beginning of what was expected, what to change."""

    replaced: Sequence[tuple[str, str]]
    expected: str
    change: str
    counts: bool = False  # uses the module's own `counted`, which takes a second or two
    repeats: bool = False  # a slow plant that shows the same as a cheaper one
    judged: bool = False  # by the oracle of the game's own test


def planted(plant: GamePlant, folder: Path) -> ModuleType:
    """Write the module with the fault to this folder; import it under its own name and return it."""
    text = (PACKAGE / f"{NAME}.py").read_text(encoding="utf-8")
    for old, new in plant.replaced:
        assert old in text, old
        text = text.replace(old, new)
    if not plant.counts:
        start, end = text.index("def counted() -> list[Exact]:"), text.index("Below = ")
        text = text[:start] + CONSTANTS + text[end + len("Below = ") :]
    (folder / f"{NAME}.py").write_text(text, encoding="utf-8")
    (folder / f"{NAME}.toml").write_text((PACKAGE / f"{NAME}.toml").read_text(encoding="utf-8"), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(NAME, folder / f"{NAME}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = module
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)  # may be of a copy of the same size and second
    spec.loader.exec_module(module)
    return module
