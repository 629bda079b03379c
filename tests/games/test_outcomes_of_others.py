"""Outcomes of other people's games: fields that a table reads itself may mean something else there."""

from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from controller.core.encoding import decode, encode
from controller.core.viewers import Viewers
from controller.games import GAMES
from controller.rules.procedure import Hand, Outcome, deal
from controller.text.faults import Words
from controller.text.outcome_words import outcome_in_words
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.player import player
from tests.core.bench import Bench
from tests.web.bench_screens import bench_look


class OddOutcome(Outcome, frozen=True, omit_defaults=True):
    """Outcome with the field names of our games, and values of any form."""

    winner: object = None
    hands: object = None
    decisions: object = None


def odd_table(outcome: OddOutcome) -> Bench:
    """Deal a round with this outcome to its end, without its confirmation; return the table."""

    def play(*_):
        yield from deal(Hand("player8"))
        return outcome

    table = Bench(replace(GAMES["thirty_two"], name="odd", procedure=play, pay=lambda *_: Fraction(0)))
    table.says("shuffled; open; bet p1 player8 10.00; close; card 6C")
    return table


HANDS = [{"player8": "a pair"}, ["a pair", "a flush"], "a pair", {"player8": {"total": 6}}]


@pytest.mark.parametrize("hands", HANDS)
def test_hands_of_another_form_are_shown_without_results(hands):
    table = odd_table(OddOutcome("player8", hands))
    for shown in (dealer, manager, player):
        screen = shown(bench_look(table), Words("en"))
        assert [hand.result for place in screen.places for hand in place.hands if hand.place == "player8"] == ["WINS"]
        msgspec.json.encode(screen)


@pytest.mark.parametrize(
    ("hands", "words"), [*zip(HANDS, ["player8:a pair", "a pair a flush", "a pair", "player8 6"], strict=True)]
)
def test_hands_of_another_form_are_listed_as_they_are(hands, words):
    assert outcome_in_words({"hands": hands}) == f"hands {words}"


@pytest.mark.parametrize("decisions", [["p1"], "p1", 3])
def test_decisions_of_another_form_are_kept_from_viewers(decisions):
    assert Viewers(b"key").outcome({"winner": "a", "decisions": decisions}) == {"winner": "a", "decisions": {}}


@pytest.mark.parametrize("winner", [3, ["player8", "player9"], {"player8": 1}])
def test_a_dispute_over_any_winner_can_be_read_again(winner):
    table = odd_table(OddOutcome(winner))
    table.says("press finish; result player9")
    assert [disputed.settled for disputed in table.facts("disputed")] == [str(winner)]
    assert [decode(encode(record)).seq for record in table.records] == [record.seq for record in table.records]
