"""Tests that a report shows the shortest failing round, and how exact a stated return must be."""

from fractions import Fraction
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from controller.games import GAMES
from controller.lab.testing import Broken, game, sheet
from controller.lab.testing.hidden_cards import check_hidden_payouts, keeps_what_is_hidden
from controller.lab.testing.returns import StatedReturn, _compare_exactly
from controller.lab.testing.sheet import check_asked, check_sheet
from controller.rules.returns import Exact


def path(*answers: str, **about: object) -> SimpleNamespace:
    return SimpleNamespace(answers=answers, script=lambda: iter(answers), **about)


LONG, SHORT, MIDDLE = path("9C", "2D", "KH"), path("AS"), path("3S", "4D")


def broken(monkeypatch, *rounds) -> Broken:
    monkeypatch.setattr(sheet, "rounds", lambda *_: iter(rounds))
    with pytest.raises(Broken) as found:
        check_sheet(GAMES["baccarat"])
    return found.value


def test_the_shortest_of_several_failing_rounds_is_shown(monkeypatch):
    error = broken(monkeypatch, (LONG, ValueError("long")), (SHORT, None), (MIDDLE, KeyError("two")))
    assert error.script == ("3S", "4D")
    assert error.expected.endswith("it failed (KeyError: 'two')")
    assert error.change == "have the procedure use only cards that have been dealt, and return its outcome"


def test_the_shortest_of_rounds_that_break_a_rule_is_shown(monkeypatch):
    monkeypatch.setattr(sheet, "RULES", (lambda _: None, lambda one: (f"expected {len(one.answers)}", "other")))
    error = broken(monkeypatch, (LONG, None), (SHORT, None), (MIDDLE, None))
    assert (error.script, error.expected, error.change) == (("AS",), "expected 1", "other")


def test_the_first_rule_is_tried_on_all_rounds_first(monkeypatch):
    first = lambda one: ("first", "") if len(one.answers) == 3 else None  # noqa: E731 - one of three
    monkeypatch.setattr(sheet, "RULES", (first, lambda _: ("second", "")))
    assert broken(monkeypatch, (LONG, None), (SHORT, None)).expected == "first"


@pytest.mark.parametrize("rule", [keeps_what_is_hidden, check_hidden_payouts])
def test_a_round_is_repeated_with_the_same_face_down_cards(rule, monkeypatch):
    numbers = []
    monkeypatch.setattr(f"{rule.__module__}.with_other_hidden", lambda _, dice: numbers.append(dice.random()))
    assert [rule(SHORT), rule(SHORT)] == [None, None]
    assert numbers[0] == numbers[1]


@pytest.mark.parametrize("name", GAMES)
def test_our_own_sheets_break_no_rule(name):
    check_sheet(GAMES[name], 30)


def test_a_game_whose_decisions_cost_must_ask_somebody():
    with pytest.raises(Broken) as found:
        check_asked(GAMES["casino_holdem"], [path(steps=())])
    assert "nobody is ever asked" in found.value.expected
    assert found.value.change.startswith("ask participants.seats where GAME.seats is SEATS")
    check_asked(GAMES["baccarat"], [path(steps=())])


def test_events_at_a_table_are_shrunk_without_another_fault(monkeypatch):
    """One event alone breaks rule A; without it, any 50 others break rule B, and fewer break none."""
    wrong = []

    def fault_of(_, rolled):
        if not wrong:
            wrong.append(rolled[7])
        rule = "A" if wrong[0] in rolled else "B" if len(rolled) >= 50 else None
        return None if rule is None else (rule, f"mend {rule}", [f"{len(rolled)} events"])

    monkeypatch.setattr(game, "fault_of", fault_of)
    with pytest.raises(Broken) as found:
        game._check_table(GAMES["baccarat"], 0)
    error = found.value
    assert (error.expected, error.change, error.script) == ("expected at every table: A", "mend A", ("1 events",))


MARKET = GAMES["baccarat"].markets[0]
HUNDREDTH = Fraction(1, 10_000)


@pytest.mark.parametrize(
    ("off", "exact", "told"),
    [
        (Fraction(0), True, False),
        (Fraction(1, 10**9), True, True),
        (-Fraction(1, 10**9), True, True),
        (HUNDREDTH / 2, False, False),
        (-HUNDREDTH / 2, False, False),
        (HUNDREDTH * 3, False, True),
        (-HUNDREDTH * 3, False, True),
    ],
)
def test_a_counted_return_is_exact_and_a_published_one_nearly(off, exact, told):
    figure = StatedReturn(MARKET, Fraction(98, 100), None)
    figure = replace(figure, exact=Exact(market=MARKET.name, returned=figure.returned, over="all")) if exact else figure
    if not told:
        _compare_exactly(figure, figure.returned + off)
        return
    with pytest.raises(Broken) as found:
        _compare_exactly(figure, figure.returned + off)
    kind = "counted" if exact else "published"
    assert f"it is {kind} with 98.0000 %, and all possible rounds give {float(98 + 100 * off):.4f} %" in str(
        found.value
    )
    assert found.value.change == figure.change
