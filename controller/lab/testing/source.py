"""Search of a rule sheet's source: steps never yielded, and a clock, chance or a file.

A step that is not yielded deals nothing, without any error.
"""

import ast
import inspect
from collections.abc import Iterator

from ...rules.game import Game
from ...rules.strategy import Count
from .broken import Broken
from .outside_calls import find_outside_calls

GENERATORS = {"deal", "ask", "reveal", "bets"}


def check_source(game: Game) -> None:
    """Check that the source has no step without `yield from` and no calls to the outside. Raises Broken."""
    module = inspect.getmodule(game.procedure)
    if module is None:
        return
    for where, called in find_outside_calls(module, _functions_of(game)):
        raise Broken(
            f"expected a sheet that uses only the cards and decisions, {where} uses {called}",
            change="leave it out: the same cards have to give the same steps, outcome and payments years later too",
        )
    for node in undriven_calls(ast.parse(inspect.getsource(module))):
        name = getattr(node.func, "id", "")
        where = f"{inspect.getfile(game.procedure).rpartition('/')[2]}:{node.lineno}"
        raise Broken(
            f"expected `yield from` before every step, {where} calls {name}(...) alone: nothing would be dealt",
            change=f"write `yield from {name}(...)`",
        )


def _functions_of(game: Game) -> set[str]:
    """Names of a game's functions that tables call, without those that count returns."""
    face, strategy = game.face, game.strategy
    own = (game.procedure, game.pay, game.deck, game.score, game.pricing, face.result, face.remarks, face.forms)
    called: list[object] = [*own]
    called += [] if strategy is None else [strategy.signs if isinstance(strategy, Count) else strategy.decide]
    names = {getattr(one, "__name__", "") for one in called}
    return {*names, game.outcome.__name__, game.settings.__name__}


def undriven_calls(module: ast.Module) -> Iterator[ast.Call]:
    """Yield calls that make a step, or a part of a procedure, without `yield from`."""
    parts = GENERATORS | _generators(module)
    driven = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.YieldFrom)}
    for node in ast.walk(module):
        alone = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and id(node) not in driven
        if alone and isinstance(node, ast.Call) and getattr(node.func, "id", None) in parts:
            yield node


def _generators(module: ast.Module) -> set[str]:
    """Names of the module's functions that are parts of procedures: generators that yield steps."""
    parts = set[str]()
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    while names := {node.name for node in functions if node.name not in parts and _drives(node, parts)}:
        parts |= names
    return parts


def _drives(function: ast.FunctionDef, parts: set[str]) -> bool:
    calls = (node.value for node in ast.walk(function) if isinstance(node, ast.YieldFrom))
    return any(
        isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in GENERATORS | parts
        for call in calls
    )
