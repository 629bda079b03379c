"""Describe the outcome of a round of any game field by field, even if the game is not installed."""

from collections.abc import Mapping
from typing import Any, TypeGuard


def outcome_in_words(outcome: Mapping[str, Any]) -> str:
    """Outcome of a round, field by field: `winner player, player 9, banker 5`."""
    told = (
        (name, _hands(value) if name == "hands" and is_by_hand(value) else _value_text(value))
        for name, value in outcome.items()
    )
    return ", ".join(f"{name} {text}" for name, text in told if text)


def is_by_hand(hands: object) -> TypeGuard[Mapping[str, Mapping[str, Any]]]:
    """True if `hands` of an outcome has fields for each place; a game of one's own may mean something else by it."""
    return isinstance(hands, Mapping) and all(isinstance(hand, Mapping) for hand in hands.values())


def _hands(hands: Mapping[str, Mapping[str, Any]]) -> str:
    return ", ".join(f"{place} {_hand(hand)}" for place, hand in hands.items())


def _value_text(value: object) -> str:
    """Text for any value in an outcome."""
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case dict() if {"total", "points"} & value.keys():
            return _hand(value)
        case dict() if any(isinstance(inner, dict) for inner in value.values()):
            return ", ".join(f"{name} {_value_text(inner)}" for name, inner in value.items())
        case dict():
            return " ".join(f"{name}:{_value_text(inner)}" for name, inner in value.items())
        case list():
            return " ".join(_value_text(inner) for inner in value)
    return str(value)


def _hand(hand: Mapping[str, Any]) -> str:
    """Total and result of a hand: `21 blackjack`, `19 win`, `fold`."""
    words = (name if value is True else _value_text(value) for name, value in hand.items())
    return " ".join(word for word in words if word)
