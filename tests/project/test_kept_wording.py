"""Wording of the sentences that are not in the catalogue of texts: of the command line, the lab and the drivers.

A change of what an engineer or an author reads is reviewed line by line.
"""

import ast
from pathlib import Path

import pytest

from tests.kept_files import is_kept
from tests.project.test_architecture import ROOT, SOURCES, tree
from tests.project.test_sentences import spoken, worded

HERE = Path(__file__).parent / "kept"
ROOMS = ("controller/cli", "controller/lab", "drivers")


def wording(room: str) -> list[str]:
    """Return the sentences of a room in order, each with its module; expressions of f-strings as source."""
    found = list[str]()
    for path in SOURCES:
        name = path.relative_to(ROOT).as_posix()
        if name.startswith(f"{room}/"):
            nodes = sorted(spoken(tree(path)), key=lambda node: (node.lineno, node.col_offset))
            found += [f"{name}: {worded(node, lambda one: f'{{{ast.unparse(one)}}}')!r}" for node in nodes]
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_each_sentence_is_worded_as_kept(room):
    assert is_kept(HERE / f"wording.{room.rpartition('/')[2]}.txt", "\n".join(wording(room)))
