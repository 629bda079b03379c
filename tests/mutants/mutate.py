"""Make the mutants of a module with mutmut: its text with one small change each.

Unlike mutmut's own runs, decorated functions are changed, too.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple, TypeGuard

import libcst
from libcst import matchers
from mutmut.mutation.file_mutation import Mutation, MutationVisitor
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

from .mutant import Mutant, MutantPlace, keys, mutant_at

TYPES_NAMED = matchers.Call(
    func=matchers.Name("cast") | matchers.Name("TypeVar") | matchers.Name("NewType") | matchers.Name("ParamSpec")
)
TYPE_VARIABLE = matchers.Assign(value=matchers.Call(func=matchers.Name("TypeVar") | matchers.Name("ParamSpec")))
EXPORTS = matchers.Assign(targets=[matchers.AssignTarget(target=matchers.Name("__all__"))])
TYPE_CHECKING = matchers.If(test=matchers.Name("TYPE_CHECKING"))
STATEMENTS = (libcst.Assign, libcst.If)  # node types of NEVER_MUTATED
NEVER_MUTATED = TYPE_VARIABLE | TYPE_CHECKING | EXPORTS  # only for linters and type checkers
ENCODING = matchers.Arg(keyword=matchers.Name("encoding"), value=matchers.SimpleString())
CODEC = matchers.Call(
    func=matchers.Attribute(attr=matchers.Name("encode") | matchers.Name("decode")),
    args=[matchers.Arg(keyword=None, value=matchers.SimpleString()), matchers.ZeroOrMore()],
)
STATEMENT = re.compile(r"(?:ALTER|BEGIN|COMMIT|CREATE|DELETE|DROP|INSERT|PRAGMA|ROLLBACK|SELECT|UPDATE)\b[^'\":{]*")
NOISE = {
    "type": "names a type: nothing looks at it while the program runs",
    "encoding": "writes an encoding's name in capitals: Python knows it by either",
    "statement": "writes an SQL statement in other letters: SQLite reads keywords and names in either case",
}


class _Visitor(MutationVisitor):
    """Visitor of mutmut that also enters decorated functions and leaves out NOISE.

    It works without libcst's metadata, the lines of nodes: no lines are left out here, and metadata take half the time.
    """

    def __init__(self) -> None:
        super().__init__(mutation_operators, IgnoredCode(set(), set(), set()))
        self.noise: Counter[str] = Counter()
        self._types: set[libcst.CSTNode] = set()
        self._encodings: set[libcst.CSTNode] = set()

    def get_metadata(self, key: object, node: libcst.CSTNode, default: object = None) -> object:  # type: ignore[override] # as libcst
        """Return the default, as no metadata are computed."""
        return default

    def _skip_node_and_children(self, node: libcst.CSTNode) -> bool:
        if isinstance(node, libcst.FunctionDef) and node.decorators:
            plain = node.with_changes(decorators=())
            return super()._skip_node_and_children(plain)
        if isinstance(node, libcst.Call) and matchers.matches(node, TYPES_NAMED):
            self._types.add(node.args[0])
        if isinstance(node, libcst.Arg) and matchers.matches(node, ENCODING):
            self._encodings.add(node.value)
        if isinstance(node, libcst.Call) and matchers.matches(node, CODEC):
            self._encodings.add(node.args[0].value)
        noise = node in self._types or (isinstance(node, STATEMENTS) and matchers.matches(node, NEVER_MUTATED))
        return noise or super()._skip_node_and_children(node)

    def _create_mutations(self, node: libcst.CSTNode) -> None:
        before = len(self.mutations)
        super()._create_mutations(node)
        created = self.mutations[before:]
        mutations = [one for one in created if not (reason := self._noise(one)) or self.noise.update([reason])]
        self.mutations[before:] = mutations

    def _noise(self, mutation: Mutation) -> str:
        was, now = mutation.original_node, mutation.mutated_node
        if was in self._encodings and was.value.lower() == now.value.lower():
            return "encoding"
        if _is_statement(was) and isinstance(now, libcst.SimpleString) and was.value.lower() == now.value.lower():
            return "statement"
        if isinstance(was, libcst.Call) and matchers.matches(was, TYPES_NAMED) and len(was.args) == len(now.args):
            return "type" if was.args[0] is not now.args[0] else ""
        return ""


def _is_statement(node: libcst.CSTNode) -> TypeGuard[libcst.SimpleString]:
    """True for an SQL statement without texts, names of parameters and parts to fill in, whose letters would count."""
    value = node.evaluated_value if isinstance(node, libcst.SimpleString) else None
    return isinstance(value, str) and STATEMENT.fullmatch(value) is not None


class Survey(NamedTuple):
    """Places of all mutants of a module, and the number left out by kind of noise."""

    places: list[MutantPlace]
    noise: Counter[str]


def surveyed(tree: Path, path: str) -> Survey:
    """Return the survey of one module, which can be pickled between processes."""
    module = Module(tree, path)
    return Survey(list(module.places()), module.noise)


class Module:
    """Module with all its mutants, in the order of their places."""

    def __init__(self, tree: Path, path: str) -> None:
        self._path = path
        self._text = (tree / path).read_text(encoding="utf-8")
        visitor = _Visitor()
        self._tree = libcst.parse_module(self._text)
        self._tree.visit(visitor)
        self._mutations: Sequence[Mutation] = visitor.mutations
        self.noise = visitor.noise

    def places(self) -> Iterator[MutantPlace]:
        changes = ((self._code(one.original_node), self._code(one.mutated_node)) for one in self._mutations)
        return (MutantPlace(key, self._path, number) for number, key in enumerate(keys(self._path, changes)))

    def mutant(self, place: MutantPlace) -> Mutant:
        mutation = self._mutations[place.number]
        changed = self._tree.deep_replace(mutation.original_node, mutation.mutated_node)
        assert isinstance(changed, libcst.Module)
        return mutant_at(place, self._text, changed.code)

    def _code(self, node: libcst.CSTNode) -> str:
        return self._tree.code_for_node(node)
