"""Check the words of the tree, in `make lint`: `python -m tests.prose` prints a line for each finding.

A docstring begins with at least four words and ends its first paragraph as a sentence. No two public classes share a
name, except in rule sheets and device codecs; in `tests/` this holds for classes at the top of a module, except those
that pytest collects. No text contains a phrase that says nothing to a new reader.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
WORDS = 4  # of a first line, at least
TEXTS = {".py", ".md", ".js", ".css", ".html", ".sh", ".toml", ".po", ".ts", ".service", ".rules"}
OWN_NAMES = (
    "controller/games/", "drivers/beacons/", "drivers/keyboards/", "drivers/panels/", "drivers/shoes/", "tests/games/",
)  # fmt: skip
EMPTY = (
    "whose word it is", "who is not heard", "what stands", "of which nobody knows", "as it came", "the one rule",
    "who does not rule", "what is told",
)  # fmt: skip
Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


class TextFinding(NamedTuple):
    """Place in the tree, and what is wrong there."""

    path: str
    line: int
    says: str


def tracked() -> list[Path]:
    """Return the text files of the tree that are or will be committed, without kept outputs."""
    listed = subprocess.run(
        ("git", "ls-files", "--cached", "--others", "--exclude-standard"), cwd=ROOT, check=True, capture_output=True
    )
    paths = [Path(name) for name in listed.stdout.decode().splitlines()]
    return [path for path in paths if path.suffix in TEXTS and "kept" not in path.parts and (ROOT / path).exists()]


def of_docstrings(path: str, tree: ast.Module) -> Iterator[TextFinding]:
    """Yield a finding for each docstring that begins with too few words or without a full stop."""
    for node in ast.walk(tree):
        if not isinstance(node, Documented) or not (text := ast.get_docstring(node)):
            continue
        line = getattr(node, "lineno", 1)
        first, paragraph = text.splitlines()[0], text.partition("\n\n")[0]
        if len(first.split()) < WORDS:
            yield TextFinding(path, line, f"docstring of fewer than {WORDS} words: {first}")
        if not paragraph.rstrip().endswith((".", ":", "?", "!")):
            yield TextFinding(path, line, f"docstring without a full stop: {first}")


def of_phrases(path: str, text: str) -> Iterator[TextFinding]:
    """Yield a finding for each phrase of EMPTY in the text."""
    for number, line in enumerate(text.splitlines(), 1):
        for phrase in EMPTY:
            if re.search(rf"\b{phrase}\b", line, re.IGNORECASE):
                yield TextFinding(path, number, f"empty phrase: {phrase}")


def public_classes(room: str, tree: ast.Module) -> Iterator[ast.ClassDef]:
    """Yield the public classes of a module: in tests/ those at its top, elsewhere nested ones too."""
    for node in tree.body if room == "tests" else ast.walk(tree):
        if isinstance(node, ast.ClassDef) and not node.name.startswith(("_", "Test") if room == "tests" else "_"):
            yield node


def findings() -> list[TextFinding]:
    """Return all findings in the tree, by path and line."""
    found, named = list[TextFinding](), defaultdict[str, list[TextFinding]](list)
    for path in tracked():
        name, text = str(path), (ROOT / path).read_text(encoding="utf-8")
        if name != "tests/prose.py":
            found += of_phrases(name, text)
        if path.suffix != ".py":
            continue
        tree = ast.parse(text)
        found += of_docstrings(name, tree)
        room = path.parts[0]
        if room in ("controller", "drivers", "tests") and not name.startswith(OWN_NAMES):
            for node in public_classes(room, tree):
                named[node.name].append(TextFinding(name, node.lineno, f"class name stands twice: {node.name}"))
    return sorted([*found, *(one for places in named.values() if len(places) > 1 for one in places)])


def main() -> int:
    """Print all findings. Returns 1 if there are any."""
    found = findings()
    for one in found:
        print(f"{one.path}:{one.line}: {one.says}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
