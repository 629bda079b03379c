"""Tests that the checks of a game report each mistake in a sentence, with what to change."""

import logging
import random
from fractions import Fraction
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import astuple, replace

from controller.core.life import next_state
from controller.games import GAMES
from controller.games.installing.texts import BadTexts
from controller.lab.testing.bench import Bench
from controller.lab.testing.game import JUDGES, fault_of, shrink_rolls
from controller.lab.testing.judge import Judge
from controller.lab.testing.oracle import Judgement, check_oracle
from controller.lab.testing.sheet import check_sheet
from controller.lab.testing.texts import check_texts, texts_in
from controller.rules.face import Phrase
from controller.rules.procedure import Hand, Participants, ask, deal, reveal
from controller.rules.strategy import Chart
from controller.testing import Broken, check_game
from tests.plugins.plants import assert_reported, report_of
from tests.plugins.small_game import GAME as SMALL

HOLDEM, THIRTY_TWO = GAMES["casino_holdem"], GAMES["thirty_two"]
FILE = Path(__file__).name


def asks_by_the_hidden_card(rules, joined):
    """Offer "raise" depending on the dealer's face-down card."""
    player, dealer = Hand("player"), Hand("dealer")
    yield from deal(player)
    yield from deal(dealer, face_up=False)
    options = ("call", "raise", "fold") if dealer.cards[0][0] in "23456789" else ("call", "fold")
    yield from ask(joined.players, *options, default="fold")
    yield from reveal(dealer)
    return (yield from HOLDEM.procedure(rules, joined))


DEALT = count()


def remembers(rules, joined):
    """Deal to another place in every second round."""
    yield from deal(Hand("player8" if next(DEALT) % 2 else "player9"))
    return (yield from THIRTY_TWO.procedure(rules, joined))


def goes_on(rules, joined):
    while True:
        yield from deal(Hand("player8"))


def fails_over_an_ace(rules, joined):
    player = Hand("player")
    yield from deal(player)
    "23456789TJQK".index(player.cards[0][0])
    return (yield from HOLDEM.procedure(rules, joined))


def forgets(rules, joined):
    deal(Hand("player8"))
    return (yield from THIRTY_TWO.procedure(rules, joined))


class Bettors(THIRTY_TWO.outcome, frozen=True):
    """Outcome that names the players of the round."""

    bettors: tuple[str, ...] = ()


def names_players(rules, joined):
    outcome = yield from THIRTY_TWO.procedure(rules, joined)
    return Bettors(*astuple(outcome), bettors=joined.players)


def asks_without_the_default(rules, joined):
    yield from deal(Hand("player8"))
    yield from ask(joined.players, "call", "raise", default="fold")
    return (yield from THIRTY_TWO.procedure(rules, joined))


SWAPPED = tuple(
    replace(one, odds=other.odds) for one, other in zip(THIRTY_TWO.markets, THIRTY_TWO.markets[::-1], strict=True)
)
MISTAKES = {
    "pay answers in floating point": (
        replace(THIRTY_TWO, pay=lambda *of: float(THIRTY_TWO.pay(*of))),
        "expected pay to return a Fraction from 0 on or a Prize, for player8 it returned ",
        "return Fraction(0) for a lost bet, Fraction(1) for the stake back, Fraction(2) for even money",
    ),
    "a round has no end": (
        replace(THIRTY_TWO, procedure=goes_on),
        "expected every round to end, this one still asks for Deal(to='player8', face_up=True) after 32 steps",
        "have the procedure return its outcome whatever cards come",
    ),
    "a hidden card shows in what is asked": (
        replace(HOLDEM, procedure=asks_by_the_hidden_card),
        "expected the next step to be the same whatever lies face down, it was Ask(",
        "decide on a face-down card only after `yield from reveal(hand)`",
    ),
    "something is remembered from round to round": (
        replace(THIRTY_TWO, procedure=remembers),
        "expected the same cards and decisions to lead to the same steps and outcome each time, they do not",
        "make every Hand within the procedure",
    ),
    "a card is not foreseen": (
        replace(HOLDEM, procedure=fails_over_an_ace),
        f"expected the procedure to work for every card and decision, it failed (ValueError in {FILE}, line ",
        "have the procedure use only cards that have been dealt",
    ),
    "a place is left out": (
        replace(THIRTY_TWO, places=THIRTY_TWO.places[:3]),
        "expected cards to go to GAME.places (player8, player9, player10), one went to 'player11'",
        "add 'player11' to places",
    ),
    "the outcome names a player": (
        replace(THIRTY_TWO, procedure=names_players, outcome=Bettors),
        "expected ids of players only as keys of the outcome's field decisions, bettors has 'p1'",
        "call the field decisions, with the id of a player as key, or name it in the outcome's `kept`",
    ),
    "the strategy chooses what is not offered": (
        replace(HOLDEM, strategy=Chart("raise always", lambda ask, cards: dict.fromkeys(ask.who, "raise"))),
        "expected the strategy to choose one of call, fold for each of ask.who, got {",
        "have decide return an option for each of ask.who",
    ),
    "the sentence of the result is wrong": (
        replace(THIRTY_TWO, face=replace(THIRTY_TWO.face, result=lambda _: Phrase("{who} wins"))),
        "expected a sentence for the result of every round, it failed (KeyError: 'who')",
        "have result, remarks, score and forms work for every outcome, with the fields as they are recorded",
    ),
    "the odds of two markets are swapped": (
        replace(THIRTY_TWO, counted=None, markets=SWAPPED),
        "expected the figures of player8 to agree, player8 is published with 93.99 %, and 12000 simulated rounds give ",
        "correct the procedure, the pay table that `pay` reads, or the market's `published`",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_game_names_what_to_change(mistake, monkeypatch):
    monkeypatch.setattr("controller.lab.testing.game.check_source", lambda _: None)  # this file itself has mistakes
    game, expected, change = MISTAKES[mistake]
    assert_reported(report_of(check_game, game, 30, 1), expected, change)


def test_a_step_that_no_table_can_carry_out_is_shown():
    report = report_of(check_sheet, replace(THIRTY_TWO, procedure=asks_without_the_default))
    assert ": Ask(who=('p1', 'p2'), options=('call', 'raise'), default='fold', seconds=None)), in\n" in report


def test_an_unreadable_catalogue_of_texts_is_named_with_its_file(monkeypatch):
    def unread(_):
        raise BadTexts("thirty_two.toml: line 3")

    monkeypatch.setattr("controller.lab.testing.texts.texts_of", unread)
    report = report_of(check_texts, THIRTY_TWO)
    assert report == "expected a catalogue of texts, thirty_two.toml: line 3\nto change: correct this file"


def test_places_without_a_name_of_their_own_are_texts():
    """The second hand of a seat and a numbered place are named by the program."""
    places = ("dragon", "tiger_2", "player", "player8", "seat1.2")
    assert list(texts_in(replace(SMALL, places=places))) == ["DRAGON", "TIGER 2"]


def test_a_step_without_yield_from_is_reported_with_its_line():
    report = report_of(check_game, replace(THIRTY_TWO, procedure=forgets))
    assert report.startswith(f"expected `yield from` before every step, {FILE}:")
    assert report.endswith("calls deal(...) alone: nothing would be dealt\nto change: write `yield from deal(...)`")


def test_the_script_of_a_mistake_leads_to_it():
    game = replace(HOLDEM, procedure=fails_over_an_ace)
    with pytest.raises(Broken) as broken:
        check_sheet(game, 200)
    assert broken.value.script[-1].startswith("card A")
    assert len(broken.value.script) <= 6  # shuffled, open, a bet each, close, the ace


def under_an_option(rules, joined):
    """Fail only under a house option that is off by default."""
    if rules.burn_before_street:
        yield from deal(Hand("nowhere"))
    return (yield from HOLDEM.procedure(rules, joined))


def test_a_script_names_the_house_option_under_which_it_fails():
    with pytest.raises(Broken) as broken:
        check_sheet(replace(HOLDEM, procedure=under_an_option))
    assert broken.value.script[0] == "# under [game]: burn_before_street = true"


def nobody_decides(rules, _):
    return (yield from HOLDEM.procedure(rules, Participants()))


def test_stakes_of_a_decision_that_is_never_asked_are_reported():
    report = report_of(check_sheet, replace(HOLDEM, procedure=nobody_decides), 20)
    assert_reported(
        report,
        "expected a question for the decisions of follow_ons (call), nobody is ever asked",
        "ask participants.seats where GAME.seats is SEATS, participants.players where the game has no seats",
    )


def test_an_oracle_that_fails_is_reported_with_its_round():
    def judge(played):
        return Judgement({"winner": played.cards["turn"][0]})

    with pytest.raises(Broken, match="expected the oracle to judge every round") as broken:
        check_oracle(HOLDEM, judge, 50)
    assert "KeyError" in str(broken.value)
    assert "open" in broken.value.script


def test_a_pay_that_the_oracle_contradicts_is_reported():
    report = report_of(check_oracle, THIRTY_TWO, lambda _: Judgement(returns={"p1": {"player8": Fraction(99)}}), 5)
    assert_reported(
        report,
        "expected p1's player8 to return 99, as the oracle says; pay returns ",
        "correct pay or its table, or the oracle: one of them reads the rules wrong",
    )


def test_a_table_of_the_check_writes_nothing_into_the_log(caplog):
    next_state.cache_clear()  # the library logs a transition only when it is first asked for
    with caplog.at_level(logging.DEBUG):
        Bench(THIRTY_TWO).says("shuffled; open; close")
    assert caplog.messages == []


class NoCorrection(Judge):
    """Nobody ever corrects a card."""

    def look(self, before, event, records, after):
        assert not any(record.kind == "ruled" and record.what.ruling == "correct" for record in records)


def test_a_failing_script_of_a_table_is_shrunk(monkeypatch):
    """One more judge forbids every correction: the check must find one and shrink its script."""
    monkeypatch.setattr("controller.lab.testing.game.JUDGES", (*JUDGES, NoCorrection))
    table = lambda: Bench(THIRTY_TWO)  # noqa: E731 - a table, each time anew
    dice = random.Random(1)
    rolled = [(dice.randrange(100), dice.randrange(10**6)) for _ in range(1000)]
    found = fault_of(table, rolled)
    least = shrink_rolls(rolled, lambda fewer: fault_of(table, fewer) is not None)
    rule, advice, script = fault_of(table, least)
    assert found[0] == rule == "Nobody ever corrects a card."
    assert advice == "look at what the procedure and pay return after the last line of the script"
    assert len(least) < 20
    assert script[-1].startswith("rule correct ")


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.proof) for name in GAMES])
def test_our_own_games_pass(name):
    assert check_game(GAMES[name]) == {}
