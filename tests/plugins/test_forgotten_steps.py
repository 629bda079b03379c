"""Tests that a step without `yield from` is found in the source of a game, also in its own functions."""

import ast

import pytest

from controller.lab.testing.source import undriven_calls

SOURCE = """
def play(rules, joined):
    yield from deal(player)
    {call}
    total = points(player)

def twice(hand):
    yield from once(hand)

def once(hand):
    yield from deal(hand)

def points(hand):
    yield from counted(hand)

def counted(hand):
    yield from range(3)
"""


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("deal(player)", ["deal"]),
        ("asked = ask(joined.players)", ["ask"]),
        ("reveal(dealer)", ["reveal"]),
        ("bets(2)", ["bets"]),
        ("once(player)", ["once"]),
        ("twice(player)", ["twice"]),
        ("yield from twice(player)", []),
        ("asked = yield from ask(joined.players)", []),
        ("print(points)", []),
        ("player.deal()", []),
    ],
)
def test_a_step_or_part_without_yield_from_is_found(call, found):
    assert [node.func.id for node in undriven_calls(ast.parse(SOURCE.format(call=call)))] == found
