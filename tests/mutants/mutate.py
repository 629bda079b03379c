"""A module's mutants: its text with one small change each, as mutmut makes them."""

from collections.abc import Sequence
from difflib import ndiff
from pathlib import Path
from typing import NamedTuple

import libcst
from mutmut.mutation.file_mutation import Mutation, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode


class Mutant(NamedTuple):
    """One changed module. `was` and `now`: the lines that differ, without what they are indented by."""

    path: Path
    code: str
    line: int
    was: str
    now: str

    def __str__(self) -> str:
        return "\n".join([f"{self.path}:{self.line}", f"  - {self.was}", f"  + {self.now}"])


class Module:
    """A module and all its mutants, in the order of their places."""

    def __init__(self, folder: Path, path: Path) -> None:
        self._path = path
        self._text = (folder / path).read_text(encoding="utf-8")
        visitor = MutationVisitor(mutation_operators, IgnoredCode(set(), set(), set()))
        self._tree = libcst.MetadataWrapper(libcst.parse_module(self._text)).visit(visitor)
        self._mutations: Sequence[Mutation] = visitor.mutations

    def __len__(self) -> int:
        return len(self._mutations)

    def __getitem__(self, number: int) -> Mutant:
        mutation = self._mutations[number]
        changed = self._tree.deep_replace(mutation.original_node, mutation.mutated_node)
        assert isinstance(changed, libcst.Module)
        return Mutant(self._path, changed.code, *_difference(self._text, changed.code))


def _difference(was: str, now: str) -> tuple[int, str, str]:
    """The first line that differs, and those that do on either side."""
    lines = [line for line in ndiff(was.splitlines(), now.splitlines()) if line[0] != "?"]
    first = next(number for number, line in enumerate(lines, start=1) if line[0] != " ")
    sides = (" ".join(line[2:].strip() for line in lines if line[0] == side) for side in "-+")
    return first, *sides
