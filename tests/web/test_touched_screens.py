"""Screens of manager, dealer and players after a misread card, before and after the ruling."""

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.records import DecisionMade
from controller.reports.preview import foresee
from controller.text.faults import LANGUAGES, Words
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from controller.web.screens.manager_words import ManagerWords
from controller.web.screens.player import player
from tests.core.bench import Bench
from tests.core.test_touched import UP
from tests.patience import on_loop
from tests.web.bench_screens import bench_look, hand_at
from tests.web.rig import Spoken

WINDOW = "open; close; card KC; bet a player 100.00; press manager"


def misread(says=f"{UP}; press manager", game="blackjack", settings=None, **terms):
    """Play a script and return the table; by default the dealer has called the shift manager."""
    table = Bench(game, settings, **terms)
    table.says(says)
    return table


def correction(card="9S", draw=7, **more):
    return e.Rule("correct", "anna", "x", draw, card, **more)


def sentence(table, ruling, language="en"):
    end = foresee(table.house, table.state, ruling, table.now)
    return ManagerWords(Words(language)).preview_sentence(ruling, end, table.state)


def test_a_correction_preview_lists_touched_decisions_and_their_fate():
    table = misread()
    before = table.state
    end = foresee(table.house, table.state, correction(), table.now)
    assert end.touched.decisions == (
        DecisionMade("seat1", "stand"),
        DecisionMade("seat2", "double", 1000),
        DecisionMade("seat3", "hit"),
    )
    assert (end.choice, end.choices, end.life) == ("anew", ("anew", "stand", "cancel"), "deciding")
    assert sentence(table, correction()) == (
        "Draw 7 is 9♠; decided since the card was dealt: SEAT 1 stand, SEAT 2 double (10.00), SEAT 3 hit; "
        "money moved: 10.00; asked anew: stakes go back, cards that followed are burnt; "
        "waiting for the decision of SEAT 1."
    )
    assert table.state is before


@pytest.mark.parametrize("choice", ["anew", "stand", "cancel"])
def test_the_preview_of_each_choice_equals_its_effect(choice):
    table = misread()
    end = foresee(table.house, table.state, correction(touched=choice), table.now)
    table.do(correction(touched=choice))
    ruled = table.facts("ruled")[-1]
    assert (end.life, end.choice, end.touched.moved) == (table.life, ruled.choice, ruled.moved)
    assert replace(end.touched, moved=0) == ruled.touched


def test_after_a_correction_screens_show_true_card_and_question():
    table = misread()
    table.do(correction())
    for shown in (dealer(bench_look(table), Words("en")), player(bench_look(table), Words("en"))):
        assert [face.card for face in hand_at(shown, "dealer").cards] == ["9S", None]
        assert [face.card for face in hand_at(shown, "seat2").cards] == ["9C", "2D"]
        assert (hand_at(shown, "seat1").asked, hand_at(shown, "seat2").said) == (True, "")
    assert dealer(bench_look(table), Words("en")).then.head == "SEAT 1"  # after the burnt cards are taken off


def test_the_manager_sees_decisions_made_after_an_exposed_card():
    table = misread(f"{UP}; press exposed")
    text = manager(bench_look(table), Words("en")).fault.touched
    decisions = "Decided before the report: SEAT 1 stand, SEAT 2 double (10.00), SEAT 3 hit"
    assert text == decisions


@pytest.mark.parametrize(("setting", "first"), [("withdraw", "withdraw"), ("lower", "stand")])
def test_a_preview_shows_wrong_odds_sum_and_default_choice(setting, first):
    table = misread(WINDOW, "baccarat", {"betting_windows": 3}, wrong_odds=setting)
    end = foresee(table.house, table.state, correction("9C", 1), table.now)
    assert (end.choice, end.choices[0], set(end.choices)) == (first, first, {"withdraw", "stand", "cancel"})
    assert "bets at wrong odds: 1, 100.00 in all" in sentence(table, correction("9C", 1))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("choice", ["withdraw", "stand", "cancel"])
def test_every_choice_has_a_sentence(choice, language):
    table = misread(WINDOW, "baccarat", {"betting_windows": 3})
    assert "{" not in sentence(table, correction("9C", 1, touched=choice), language)


def test_touched_and_seen_are_typed_fields_of_rule(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            rule = {"command": "rule", "id": "1", "fault": table.paused(), "ruling": "burn", "because": "x"}
            for field, value, error in (("touched", "perhaps", "invalid enum value"), ("seen", "yes", "bool")):
                reply = await table.ask("POST", "/api/preview?role=manager", {**rule, field: value})
                assert reply.status == 400
                assert error in str(reply.body).lower()
            reply = await table.ask("POST", "/api/preview?role=manager", {**rule, "touched": "stand", "seen": False})
            assert (reply.body["verdict"], reply.body["choices"]) == ("leads", [])
            reply = await table.ask("POST", "/api/preview?role=manager", {**rule, "touched": "anew", "seen": False})
            assert (reply.body["verdict"], reply.body["reason"]) == ("refused", "not_allowed")

    on_loop(steps)


@pytest.mark.parametrize(("language", "said"), [("en", "PLAYER no longer has 3"), ("ro", "JUCĂTOR nu mai are 3")])
def test_a_lost_total_is_told_without_a_dash(language, said):
    table = misread("open; close; card 3C; press manager", "baccarat")
    text = sentence(table, e.Rule("burn", "anna", "x", 1), language)
    assert said in text.split("; ")
    assert "–" not in text
