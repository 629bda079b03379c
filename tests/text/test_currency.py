"""Amounts by ISO 4217: typed, kept, paid and shown with as many decimals as the table's currency has."""

import tomllib

import pytest

from controller.config.mistakes import BadConfig
from controller.config.table_file import check
from controller.core.currency import CURRENCIES, sheet_stake, to_amount, to_minor_units
from controller.core.encoding import encode
from controller.core.views import view
from controller.reports.selection import Rounds
from controller.script.export import Script
from controller.script.play import Play
from controller.script.reader import parse, starting_state
from controller.text.records import sentence

ROUND = "open\nbet p1 player {stake}\nbet p2 tie {stake}\nunbet p2 tie\nclose\ncard 9C\ncard 2D\ncard KH\ncard 3S\n"
INSURED = """shuffled
open
bet p1 seat1 ante {ante}
bet p1 seat1 insurance {insurance}
close
card AS
card 2S
card 3S
card 4S
card KC
card QD
card 7H
card 9D
decide seat1 raise
card 5S
card TD
"""
STAKES = (("JPY", "1000", 1000), ("EUR", "10.00", 1000), ("KWD", "10.005", 10005))


def house(currency, game="baccarat", **limits):
    return check({"table": {"currency": currency}, "game": {"name": game}, "limits": limits}).house("auto")


def played(currency, script, game="baccarat", **limits):
    table = Play(house(currency, game, **limits))
    list(table.run(parse(script, currency)))
    return table


@pytest.mark.parametrize(("currency", "typed", "units"), STAKES)
def test_bets_and_payments_are_whole_minor_units_of_the_currency(currency, typed, units):
    table = played(currency, ROUND.format(stake=typed))
    events = [view(record, "server") for record in table.records]
    (bet, _), (paid,) = ([one for one in events if one["kind"] == kind] for kind in ("bet_accepted", "paid"))
    assert (bet["stake"], paid["returned"]) == (units, 2 * units)
    assert bet["movement"] == {"id": f"{bet['bet']}.debit", "amount": units, "currency": currency}
    assert paid["movement"] == {"id": f"{bet['bet']}.credit", "amount": 2 * units, "currency": currency}


@pytest.mark.parametrize(("currency", "typed", "units"), STAKES)
def test_an_amount_is_shown_as_it_is_typed(currency, typed, units):
    table = played(currency, ROUND.format(stake=typed))
    sentences = [sentence(view(record, "manager")) for record in table.records]
    assert f"p1 bets {typed} on player" in sentences
    assert f"p1 gets {to_amount(2 * units, currency)} for {typed} on player" in sentences


@pytest.mark.parametrize(("currency", "typed"), [("JPY", "10.50"), ("EUR", "10.005"), ("KWD", "10.0005")])
def test_a_stake_with_too_many_decimals_is_refused(currency, typed):
    table = played(currency, ROUND.format(stake=typed))
    assert [record.what.reason for record in table.records if record.kind == "bet_refused"] == ["bad_amount"] * 2


@pytest.mark.parametrize(("currency", "typed", "units"), STAKES)
def test_a_round_in_any_currency_replays_from_its_script(currency, typed, units):
    records = played(currency, ROUND.format(stake=typed)).records
    script = Script(records, Rounds(1, 1), 1)
    text = "\n".join(script.lines())
    assert f"bet p1 player {typed}" in text
    again = Play(check(tomllib.loads(script.config)).house("auto"), begin=starting_state(parse(text, currency)))
    list(again.run(parse(text, currency)))
    of_round = [encode(record) for record in records if record.round == 1]
    assert [encode(record) for record in again.records if record.round == 1] == of_round


@pytest.mark.parametrize("limits", [{}, {"ceilings": {"round": 1_000_000}}], ids=["no ceiling", "a high ceiling"])
@pytest.mark.parametrize(("currency", "prize"), [("JPY", 100_000), ("EUR", 10_000_000), ("KWD", 100_000_000)])
def test_a_fixed_prize_is_paid_in_whole_currency_units(currency, prize, limits):
    """Rhum 32, 14: the ace to five of one suit pays 100,000, whatever was staked."""
    ante, least = to_amount(to_minor_units(10, currency), currency), sheet_stake(500, currency)
    table = played(currency, INSURED.format(ante=ante, insurance=to_amount(least, currency)), "rhum32", **limits)
    (paid,) = (one.what for one in table.records if one.kind == "paid" and one.what.market == "seat1 insurance")
    assert paid.returned == least + prize


@pytest.mark.parametrize(("currency", "least", "floor"), [("JPY", 5, 4), ("EUR", 500, 324), ("KWD", 5000, 3240)])
def test_a_sheets_minimum_stake_is_rounded_up_to_the_currency(currency, least, floor):
    assert house(currency, "rhum32").limits["insurance"].minimum == least
    assert sheet_stake(324, currency) == floor
    assert house(currency, "rhum32").limits["ante"].minimum == 1


@pytest.mark.parametrize(
    ("currency", "typed", "units"), [("JPY", 500.0, 500), ("EUR", 5.25, 525), ("KWD", 5.125, 5125)]
)
def test_limits_are_in_the_tables_currency(currency, typed, units):
    assert house(currency, minimum=typed).limits["player"].minimum == units


@pytest.mark.parametrize(
    ("currency", "typed", "most"),
    [("JPY", 5.5, "no decimals"), ("EUR", 5.255, "two decimals at most"), ("KWD", 5.1255, "three decimals at most")],
)
def test_a_limit_with_too_many_decimals_is_refused(currency, typed, most):
    with pytest.raises(BadConfig, match=rf"limits\.minimum: expected an amount with {most}, got {typed}"):
        house(currency, minimum=typed)


def test_there_are_currencies_of_none_two_and_three_decimals():
    assert {CURRENCIES[code] for code in ("JPY", "KRW", "CLP")} == {0}
    assert {CURRENCIES[code] for code in ("EUR", "RON", "USD")} == {2}
    assert {CURRENCIES[code] for code in ("KWD", "BHD", "TND")} == {3}


@pytest.mark.parametrize("currency", ["JPY", "EUR", "KWD"])
def test_a_minimum_above_a_sums_maximum_is_refused(currency):
    assert house(currency, minimum=8, player={"maximum": 8})
    with pytest.raises(BadConfig, match=r"limits\.minimum: expected at most the maximum, 8"):
        house(currency, minimum=9, player={"maximum": 8})
