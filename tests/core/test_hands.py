"""Hands and decisions of a round, as shown to people: splits, burnt cards, face-up cards."""

from controller.core.hands import decisions, face_up_cards, hands
from controller.games import GAMES
from tests.games.table_scripts import cards, run, table

SPLIT = "shuffled · open · bet p1 seat2 main 10.00 · close\n" + cards("8C 8D 6C 5H") + "decide seat2 split\n"


def lying(play) -> dict[str, list[str]]:
    return {place: [draw.card for draw in draws] for place, draws in hands(play.state.round).items()}


def test_a_split_moves_the_second_card_to_its_own_hand():
    play = table(GAMES["blackjack"], SPLIT)
    assert lying(play) == {"seat2": ["8C"], "seat2.2": ["8D"], "dealer": ["6C", "5H"]}
    run(play, cards("2C 3C") + "decide seat2 hit\ncard 4C\ndecide seat2 stand\ndecide seat2.2 stand\n")
    assert lying(play)["seat2"] == ["8C", "2C", "4C"]
    assert lying(play)["seat2.2"] == ["8D", "3C"]


def test_hands_are_right_after_a_ruling_on_a_split():
    play = table(GAMES["blackjack"], SPLIT + "card 2C\npress manager\nrule correct 2 8H touched stand by m1")
    assert (lying(play)["seat2"], lying(play)["seat2.2"]) == (["8C", "2C"], ["8H"])
    run(play, "press manager\nrule correct 2 9H by m1 because misread")  # no pair any more: the split is undone
    assert lying(play)["seat2"] == ["8C", "9H"]
    assert "seat2.2" not in lying(play)


def test_a_card_that_is_burnt_lies_in_no_hand():
    play = table(GAMES["baccarat"], "open · close · card 2C\npress manager\nrule cancel by m1")
    assert lying(play) == {"player": ["2C"]}
    play = table(GAMES["baccarat"], "open · card 2C\nrule burn by m1\nclose\ncard 3C")
    assert lying(play) == {"player": ["3C"]}


def test_decisions_of_closed_windows_and_the_open_one_are_listed():
    play = table(GAMES["blackjack"], SPLIT + cards("2C 3C") + "decide seat2 hit")
    assert decisions(play.state.round) == {"seat2": ["split", "hit"]}
    script = "shuffled · open · bet p1 ante 10.00 · bet p2 ante 10.00 · close\n"
    play = table(GAMES["casino_holdem"], script + cards("2C 3C 4C 5C 6C 7C 8C") + "decide p2 fold")
    assert decisions(play.state.round) == {"p2": ["fold"]}


def test_no_decision_of_a_void_hand_is_listed():
    script = "shuffled · open · bet p1 seat1 ante 10.00 · bet p2 seat2 ante 10.00 · close\n"
    play = table(GAMES["rhum32"], script + cards("2H 5D 9C KD 3H 4D 8C QS 2S 7H TD 6C") + "press manager\n")
    run(play, "rule void_hand seat2 by m1\nrule resume by m1\ndecide seat1 raise\n")
    assert decisions(play.state.round) == {"seat1": ["raise"]}


def test_a_hidden_card_is_not_listed_as_face_up():
    play = table(GAMES["blackjack"], SPLIT)
    assert face_up_cards(hands(play.state.round)["dealer"]) == ["6C"]
