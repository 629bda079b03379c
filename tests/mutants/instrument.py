"""Insert a probe at the start of a module and of each of its functions."""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
IMPORT = "from mutants_probe import probe as _mutants_probe"


class Function(NamedTuple):
    """Lines of a function, decorators included; or of a whole module, from line 0."""

    path: str
    first: int
    last: int

    @property
    def is_module(self) -> bool:
        return self.first == 0


def functions_of(path: str, text: str) -> list[Function]:
    """Return the module itself, then its functions in the order of `ast.walk`."""
    nodes = _functions(ast.parse(text))
    own = [Function(path, _first_line(node), node.end_lineno or node.lineno) for node in nodes]
    return [Function(path, 0, text.count("\n") + 1), *own]


def innermost(functions: Sequence[Function], path: str, line: int) -> int:
    """Return the number of the smallest function that contains a line, else of the module."""
    holding = [number for number, one in enumerate(functions) if one.path == path and one.first <= line <= one.last]
    return min(holding, key=lambda number: functions[number].last - functions[number].first)


def instrumented(text: str, begin: int) -> str:
    """Return a module's text with a probe for each entry of `functions_of`, numbered from `begin`."""
    tree = ast.parse(text)
    lines = [line.encode() for line in text.split("\n")]
    places = [(_place(node.body), begin + number) for number, node in enumerate(_functions(tree), start=1)]
    for (row, column), number in sorted(places, reverse=True):
        _insert(lines, row, column, f"_mutants_probe({number})".encode())
    row, column = _place(tree.body, imports=True) if tree.body else (1, 0)
    _insert(lines, row, column, f"{IMPORT}; _mutants_probe({begin})".encode())
    return b"\n".join(lines).decode()


def _functions(tree: ast.Module) -> Iterator[FunctionNode]:
    return (node for node in ast.walk(tree) if isinstance(node, FunctionNode))


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", ()))])


def _place(body: Sequence[ast.stmt], *, imports: bool = False) -> tuple[int, int]:
    """Return line and column of the first statement after the docstring and, in a module, `__future__`."""
    for statement in body:
        future = imports and isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not future and not (statement is body[0] and _is_text(statement)):
            return _first_line(statement), statement.col_offset
    last = body[-1]
    return (last.end_lineno or last.lineno), -1


def _is_text(statement: ast.stmt) -> bool:
    constant = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(constant, ast.Constant) and isinstance(constant.value, str)


def _insert(lines: list[bytes], row: int, column: int, call: bytes) -> None:
    """Insert a call before the statement at a column, or at the end of the line if the column is -1."""
    line = lines[row - 1]
    if column == -1:
        lines[row - 1] = line + b"; " + call
    elif line[:column].strip():
        lines[row - 1] = line[:column] + call + b"; " + line[column:]
    else:
        lines[row - 1] = line[:column] + call + b"\n" + line
