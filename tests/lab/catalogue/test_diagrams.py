"""Mermaid diagrams: made from the table of transitions and from the rule sheets."""

import re

import pytest
from msgspec.structs import replace

from controller.core.life import STATES, TRANSITIONS
from controller.games import GAMES
from controller.lab.catalogue.diagrams import game_diagram, round_diagram
from controller.rules.cards import FULL_DECK

ARROW = re.compile(r"\s*(\S+) --> (\S+?)(?:: (\w+))?$")


def arrows(text: str) -> list[tuple[str, str, str | None]]:
    """Return the arrows of a diagram: source, target and label."""
    return [match.groups() for line in text.splitlines() if (match := ARROW.match(line))]


def test_the_round_diagram_has_exactly_the_transitions():
    drawn = {arrow for arrow in arrows(round_diagram()) if arrow[0] != "[*]"}
    table = set()
    for row in TRANSITIONS:
        sources = row["source"] if isinstance(row["source"], list) else [row["source"]]
        table |= {(source, row["dest"], row["trigger"]) for source in sources}
    assert drawn == table


def test_the_states_of_a_round_are_those_of_the_design():
    named = {"idle", "betting", "dealing", "deciding", "complete", "settled", "paused", "cancelled"}
    assert set(STATES) == named
    assert {state for source, target, _ in arrows(round_diagram()) for state in (source, target)} == named | {"[*]"}


def test_the_round_diagram_pauses_every_state_and_settles_only_complete():
    drawn = arrows(round_diagram())
    assert {source for source, _, trigger in drawn if trigger == "pause"} == set(STATES) - {"paused"}
    assert {source for source, _, trigger in drawn if trigger == "settle"} == {"complete"}
    assert {source for source, _, trigger in drawn if trigger == "open"} == {"idle", "settled", "cancelled"}


def test_a_state_diagram_is_mermaid():
    assert round_diagram().splitlines()[0] == "stateDiagram-v2"


def orders(text: str) -> set[tuple[str, ...]]:
    """Return every path through a flowchart, by the labels of its steps."""
    labels = dict(re.findall(r'(\w+)\["([^"]+)"\]', text))
    then: dict[str, set[str]] = {name: set() for name in labels}
    for source, target, _ in arrows(text):
        then[source].add(target)
    first = set(labels) - {target for targets in then.values() for target in targets}
    found: set[tuple[str, ...]] = set()
    paths = [(name,) for name in first]
    while paths:
        path = paths.pop()
        if not then[path[-1]]:
            found.add(tuple(labels[name] for name in path))
        paths += [(*path, target) for target in then[path[-1]]]
    return found


def test_baccarat_has_exactly_four_dealing_orders():
    two = ("player", "banker", "player", "banker")
    assert orders(game_diagram(GAMES["baccarat"])) == {
        (*two, "end"),
        (*two, "player", "end"),
        (*two, "banker", "end"),
        (*two, "player", "banker", "end"),
    }


def test_casino_holdem_ends_on_a_fold_or_after_the_reveal():
    hidden = ("dealer, face down",) * 2
    first = ("player", "player", *hidden, "board", "board", "board", "call or fold?")
    assert orders(game_diagram(GAMES["casino_holdem"])) == {
        (*first, "end"),
        (*first, "board", "board", "dealer shows", "end"),
    }


def test_a_game_with_few_cards_is_drawn():
    whole = GAMES["baccarat"]
    few = replace(whole, deck=lambda settings: replace(whole.deck(settings), cards=FULL_DECK[:6], copies=1))
    assert all(path[:4] == ("player", "banker") * 2 for path in orders(game_diagram(few)))


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_diagram_is_the_same_every_time(game):
    assert game_diagram(GAMES[game]) == game_diagram(GAMES[game])
