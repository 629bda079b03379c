"""Copies of Three Card Poker, with texts of the module replaced: from a file of their own, under its own name."""

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


class Plant(Struct, frozen=True):
    """Texts of the module that are replaced, and the sentence that tells of it: what was expected, what to change."""

    replaced: Sequence[tuple[str, str]]
    expected: str
    change: str
    counts: bool = False  # by the module's own function, which takes a second or two
    repeats: bool = False  # at some cost, what a cheaper plant shows
    judged: bool = False  # by the oracle of the game's own test


def planted(plant: Plant, folder: Path) -> ModuleType:
    """The module with the fault in it, from a file in this folder, under its own name."""
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
    shutil.rmtree(folder / "__pycache__", ignore_errors=True)  # of a copy as long, made in the same second
    spec.loader.exec_module(module)
    return module
