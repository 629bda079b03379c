"""Sentences for records: every kind is one line, with no raw code and no hidden card."""

import pytest

from controller.core.house import House, Terms
from controller.core.records import Record
from controller.core.views import view
from controller.games import GAMES
from controller.script.play import Play
from controller.script.reader import parse
from controller.text.money import money
from controller.text.outcome_words import outcome_in_words
from controller.text.records import card, sentence
from controller.text.refusals import WORDS
from tests.core.bench import Bench

BACCARAT = """
open
bet p1 banker 10.00
bet p1 banker 5.00
bet p2 tie 1.00
unbet p2 tie
gone p3
back p3
close
close
card 2C
card 3D
card JOKER
ack by manager1
rule resume by manager1
rule burn by manager1 because "not of this deck"
unread
rule enter 2D by manager1
card AS
card 7H
press manager
rule correct 6 8H by manager1 because "misread"
card 4D
rule carry seen no by manager1
cut
open
shoe change
card 9H
shoe ready
lost shoe
found shoe
open
card KD
rule burn by manager1
close
card 9C at banker
rule move player by manager1
press manager
rule cancel by manager1 because "enough"
table close
"""
HOLDEM = """
shuffled
open
bet p1 ante 10.00
bet p2 ante 10.00
close
card KS
card KD
card 5C
card 5D
card 2H
card 7S
card 9D
decide p1 call
decide p3 call
wait 15s
card JC
card 3H
open
"""


def records(game: str, script: str) -> list[Record]:
    play = Play(House(GAMES[game], GAMES[game].settings(), Terms(carry=True)))
    for _ in play.run(parse(script)):
        pass
    return play.records


ALL = records("baccarat", BACCARAT) + records("casino_holdem", HOLDEM)


def sentences_of(kind: str, audience: str = "auditor") -> list[str]:
    return [sentence(view(record, audience)) for record in ALL if record.kind == kind]


def test_the_scripts_lead_to_nearly_every_kind_of_record():
    assert len({record.kind for record in ALL}) >= 35


@pytest.mark.parametrize("audience", ["auditor", "manager", "dealer", "server"])
def test_every_record_is_one_line(audience):
    for record in ALL:
        line = sentence(view(record, audience))
        assert line.strip() == line
        assert line
        assert "\n" not in line
        assert "None" not in line, (record, line)


@pytest.mark.parametrize(
    ("units", "text"), [(0, "0.00"), (1, "0.01"), (99, "0.99"), (1000, "10.00"), (123456789, "1234567.89")]
)
def test_money_is_minor_units_with_two_decimals(units, text):
    assert money(units, "EUR") == text


def test_an_unknown_card_is_called_a_card():
    assert (card("9H"), card(None)) == ("9H", "a card")


def test_a_fault_names_what_was_expected_came_and_may_follow():
    assert (
        sentences_of("faulted")[0]
        == "FAULT foreign_card: expected card to player, got JOKER · rulings: burn, correct, void, cancel"
    )


def test_a_ruling_says_who_what_and_why():
    assert 'manager1 ruled burn draw 3 because "not of this deck"' in sentences_of("ruled")
    assert 'manager1 ruled correct draw 6: 7H → 8H because "misread"' in sentences_of("ruled")


def test_a_ruling_on_a_card_without_a_value_says_both():
    ruled = {"kind": "ruled", "by": "eva", "because": "", "ruling": "enter", "before": {"draw": 3, "card": None}}
    assert sentence({**ruled, "after": {"draw": 3, "card": "KH"}}) == "eva ruled enter draw 3: the card is KH"
    assert sentence({**ruled, "before": {}, "after": {"card": "KH"}}) == "eva ruled enter: the card is KH"
    moved = {**ruled, "ruling": "move", "before": {"draw": 3, "place": None}, "after": {"draw": 3, "place": "banker"}}
    assert sentence(moved) == "eva ruled move draw 3: to banker"


@pytest.mark.parametrize(
    ("wrong", "delayed", "said"),
    [(1, 0, "1 wrong PIN, from a"), (2, 0, "2 wrong PINs, from a"), (3, 1, "3 wrong PINs, 1 more not tried, from a")],
)
def test_wrong_pins_are_counted_in_words(wrong, delayed, said):
    assert sentence({"kind": "sign_ins_refused", "wrong": wrong, "delayed": delayed, "sources": ["a"]}) == said


def test_a_settlement_names_the_winner():
    assert "winner banker" in sentences_of("settled")[0]
    assert "(manual)" in sentences_of("settled")[0]


def test_a_decision_says_whether_the_table_made_it():
    assert sentences_of("decided") == ["p1: call, 20.00 on call", "p2: fold (by the table)"]


def test_a_hidden_card_is_not_told_to_the_manager():
    face_down = [record for record in ALL if record.kind == "dealt" and not record.what.face_up]
    assert [sentence(view(record, "manager")) for record in face_down] == ["a card to dealer, face down"] * 2
    assert [sentence(view(record, "auditor")) for record in face_down] == [
        "5C to dealer, face down", "5D to dealer, face down",
    ]  # fmt: skip


def test_a_refusal_says_why():
    assert "no round can start: the cut card is out: change the shoe" in sentences_of("start_refused")
    (bet,) = [line for line in sentences_of("bet_refused") if line.startswith("p1's bet on banker refused: ")]
    assert bet.endswith("there is a bet by this player on this market, or under this id: withdraw it first")
    assert "p3's call refused: somebody else is asked" in sentences_of("decision_refused")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"kind": "bet_refused", "player": "p1", "market": "moon"}, "p1's bet on moon refused: "),
        ({"kind": "decision_refused", "who": "p1", "decision": "call"}, "p1's call refused: "),
        ({"kind": "ruling_refused", "by": "anna", "ruling": "deal"}, "anna's deal refused: "),
        ({"kind": "start_refused"}, "no round can start: "),
        ({"kind": "ignored", "what": "unbet p1 tie", "state": "betting"}, "unbet p1 tie: "),
    ],
)
def test_no_sentence_holds_a_raw_code(event, said):
    assert [sentence({**event, "reason": reason}) for reason in WORDS] == [f"{said}{words}" for words in WORDS.values()]


def test_refusing_a_hand_of_a_past_round_names_the_hand():
    table = Bench("blackjack")
    table.says("shuffled; open; bet p1 seat1 main 1; close; card 5C; card 6C; card TH; card 7H; decide seat1 stand")
    table.says("resettle 1 void_hand seat2 by m with n because x")
    assert sentence(view(table.records[-1], "auditor")).endswith(" Or the hand to be made void was not in play")


def test_refusing_an_impossible_ruling_says_what_to_do_instead():
    refused = {"kind": "ruling_refused", "by": "anna", "ruling": "rescan", "reason": "does_not_fit"}
    assert (
        sentence(refused) == "anna's rescan refused: no second slide has read the card yet: have it slid, or enter it"
    )


def test_a_refused_acknowledgement_is_called_by_its_noun():
    table = Bench()
    table.says("press manager; rule resume by m because seen; ack by m")
    assert sentence(view(table.records[-1], "auditor")) == "m's acknowledgement refused: nothing is paused"


def test_an_ignored_input_without_a_reason_shows_the_state():
    assert (
        sentence({"kind": "ignored", "what": "close", "state": "idle", "reason": None}) == "ignored while idle: close"
    )


def test_an_unknown_kind_is_told_by_its_name():
    assert sentence({"kind": "journal_rolled"}) == "journal rolled"


def test_a_result_names_no_part_without_a_value():
    """A dealer of Rhum 32 whose seats all fold has no points; the words left "dealer " there."""
    folded = {"dealer": {"points": None, "qualified": None}, "hands": {"seat1": {"points": None, "result": "fold"}}}
    assert outcome_in_words(folded) == "hands seat1 fold"
    beaten = {"dealer": {"points": 40, "qualified": False}, "hands": {"seat1": {"points": 0, "result": "win"}}}
    assert outcome_in_words(beaten) == "dealer 40, hands seat1 0 win"
