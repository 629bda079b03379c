"""Digest of a rule sheet: the same for one game wherever it is computed, and different for another."""

import ast
import inspect
import sys
from types import ModuleType

import pytest

from controller.core import sheet
from controller.games import GAMES, casino_holdem
from controller.rules.dealing import OutOfOrder, SheetFailed

# Equal on every Python version. A change of what a sheet does changes its digest: write the new digest here.
KNOWN = {
    "baccarat": "575a50a24956fa68cf13508b50b7e14a66c706c135cb0c24d05538f6464b11d5",
    "thirty_two": "73775a50356f5fd98a3f511cbb4d17cce540cb8bb8758c0b9c3552383fd19c45",
    "casino_holdem": "624d62a0891989564465e1ce60aa08c639415c75957959596d2588b0e4afb98d",
    "blackjack": "8d78c1347111c280d26aa6110c80eb668ad965823f2700f8b803faf0c102fd26",
    "rhum32": "daf2b6b5831d32b0f6abdbf56bb97b167e0105e42eaa4cd7c59d8ea77fe83bcc",
}
# Numbers without effect on any round, bet or pay-out: the digest does not depend on them.
WITHOUT_EFFECT = {
    ("baccarat", "is_pair(hand.cards[:2])"),  # is_pair looks at the first two cards
    ("baccarat", "stake.odds or 0"),  # every bet has odds
    ("thirty_two", "stake.odds or 0"),
    ("casino_holdem", "len(cards) >= 5"),  # number of cards from which a hand has a name for people
    ("blackjack", "hands.index(hand) + 1"),  # order of the hands in the outcome
    ("rhum32", "table_pay(PLAY_PAYS, cards) or 0"),  # every winning hand has a row
}
BROKEN = (
    ArithmeticError,
    AttributeError,
    LookupError,
    OutOfOrder,
    SheetFailed,
    TypeError,
    ValueError,
)  # errors that a changed sheet may raise

SHEETS = [inspect.getmodule(game.procedure) for game in GAMES.values()]


def made(tree, name="changed"):
    """Run the syntax tree of a changed sheet; return its game."""
    module = ModuleType(f"controller.games.{name}")
    module.__package__ = "controller.games"
    sys.modules[module.__name__] = module  # msgspec looks up the names in annotations there
    try:
        exec(compile(tree, name, "exec"), module.__dict__)
        return module.GAME
    finally:
        del sys.modules[module.__name__]


def edited(module, old, new):
    """Replace one text in a sheet by another; return its game."""
    text = inspect.getsource(module)
    assert old in text
    return made(ast.parse(text.replace(old, new, 1)))


def source(module):
    return ast.parse(inspect.getsource(module))


def numbers(tree):
    """List the numbers in a sheet, quoted ones too, but for those that only describe or show results."""
    shown = {id(inner) for node in ast.walk(tree) if is_shown(node) for inner in ast.walk(node)}
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in shown)
    return [node for node in constants if is_number(node.value)]


def is_shown(node):
    return (isinstance(node, ast.FunctionDef) and node.name in ("describe", "remarks")) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Face"
    )


def is_number(value):
    quoted = isinstance(value, str) and value.replace(".", "", 1).isdigit()
    return quoted or (isinstance(value, int | float) and not isinstance(value, bool))


def one_more(value):
    return str(float(value) + 1) if isinstance(value, str) and "." in value else type(value)(int(value) + 1)


def is_another(game, than):
    """Return True if the digests differ; stops at the first difference."""
    try:
        rounds = zip(sheet.rounds(game), sheet.rounds(than), strict=True)
        return sheet.canonical(sheet.static_part(game)) != sheet.canonical(sheet.static_part(than)) or any(
            sheet.canonical(one) != sheet.canonical(other) for one, other in rounds
        )
    except BROKEN:
        return True  # not a playable game


@pytest.mark.parametrize("name", GAMES)
def test_the_digest_of_each_sheet_is_the_same_everywhere(name):
    assert sheet.digest(GAMES[name]) == KNOWN[name]


@pytest.mark.proof
@pytest.mark.timeout(0)
@pytest.mark.parametrize("module", SHEETS, ids=lambda module: module.GAME.name)
def test_each_number_in_a_sheet_is_in_its_digest(module):
    text, count = inspect.getsource(module), len(numbers(source(module)))
    for index in range(count):
        tree = source(module)
        node = numbers(tree)[index]
        node.value = one_more(node.value)
        line = text.splitlines()[node.lineno - 1]
        excused = any(name == module.GAME.name and part in line for name, part in WITHOUT_EFFECT)
        assert is_another_module(tree, module) or excused, f"{line.strip()} (column {node.col_offset})"


def is_another_module(tree, module):
    try:
        game = made(tree)
    except BROKEN:
        return True
    return is_another(game, module.GAME)


@pytest.mark.parametrize("module", SHEETS, ids=lambda module: module.GAME.name)
def test_code_names_and_docstrings_do_not_change_the_digest(module):
    tree = source(module)
    arguments = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    ours = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)} - arguments
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and node.name in ours:
            node.name = f"{node.name}_by_another_name"
        elif isinstance(node, ast.Name) and node.id in ours:
            node.id = f"{node.id}_by_another_name"
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            node.value.value = "Another docstring."
    assert ours
    assert sheet.digest(made(tree)) == sheet.digest(module.GAME)


def test_rare_pay_table_rows_are_in_the_corpus():
    for row in ('"Royal Flush": 100', '"Straight Flush": 50', '"Flush": 2'):
        name, pays = row.split(": ")
        changed = edited(casino_holdem, row, f"{name}: {int(pays) - 1}")
        assert list(sheet.rounds(changed)) != list(sheet.rounds(GAMES["casino_holdem"]))
        assert sheet.digest(changed) != sheet.digest(GAMES["casino_holdem"])


def test_every_option_of_the_house_is_in_the_corpus():
    settings = [option["settings"] for option in sheet.static_part(GAMES["blackjack"])["options"]]
    assert {one.deal_order for one in settings} == {"hands", "rounds"}
    assert {one.split_second_card for one in settings} == {"at_once", "in_turn"}
    assert {one.every_round for one in settings} == {one.draw_without_live_hand for one in settings} == {True, False}
    assert {one.decks for one in settings} == {1, 8}


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_pay_tables_are_recorded_as_plain_json_values(game):
    assert sheet.tables(game)
    assert "Fraction" not in str(sheet.tables(game))
