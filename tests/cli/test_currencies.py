"""`tablectl journal stats` and `replay` print amounts in the currency of the record."""

import json

import pytest

from controller.core.currency import to_amount
from tests.cli.test_journal_commands import edit
from tests.text.test_currency import ROUND, STAKES


@pytest.fixture
def journal(tablectl, tmp_path):
    """Return a function that plays a round in a currency and returns its journal's path."""

    def keep(currency, stake):
        config, path = tmp_path / f"{currency}.toml", tmp_path / f"{currency}.journal"
        config.write_text(f'[table]\ncurrency = "{currency}"\n[game]\nname = "baccarat"\n', encoding="utf-8")
        tablectl("play", "baccarat", "--config", config, "--journal", path, stdin=ROUND.format(stake=stake))
        return path

    return keep


@pytest.mark.parametrize(("currency", "typed", "units"), STAKES)
def test_statistics_are_in_the_currency_of_the_record(tablectl, journal, currency, typed, units):
    path = journal(currency, typed)
    assert str(to_amount(2 * units, currency)) in tablectl("journal", "stats", path).stdout.split()
    whole = json.loads(tablectl("journal", "stats", path, "--json").stdout.splitlines()[0])
    assert (whole["currency"], whole["staked"]) == (currency, 2 * units)


def test_amounts_in_two_currencies_are_not_added(tablectl, journal):
    refusal = tablectl("journal", "stats", journal("JPY", "10"), journal("EUR", "10.00"), exit_code=2).stderr
    assert refusal == "tablectl: expected records of stakes in JPY alone, these are in EUR: count them apart\n"


def test_replay_prints_amounts_in_the_currency_of_the_record(tablectl, journal):
    path = journal("JPY", "1000")
    edit(path, "UPDATE records SET record = replace(record, '\"returned\":2000', '\"returned\":2100')")
    assert "recorded 2100, computed 2000" in tablectl("journal", "replay", path, exit_code=1).stdout
