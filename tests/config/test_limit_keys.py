"""Amounts in [limits]: a mistake names the key as written, also in a class, a market or a sum."""

import pytest

from controller.config.mistakes import BadConfig
from controller.config.table_file import check

SUMS = ("minimum", "maximum")
OF_A_CLASS = (
    *SUMS, *(f"{sum_}.{bound}" for sum_ in ("player", "player_market", "markets.tie.player") for bound in SUMS),
    *(f"markets.tie.{bound}" for bound in SUMS), "ceilings.bet", "ceilings.player",
)  # fmt: skip
KEYS = (
    *(f"limits.{key}" for key in (*OF_A_CLASS, "ceilings.round", "round.minimum", "round.maximum", "prize")),
    "limits.exposure_warning",
    *(f"limits.classes.vip.{key}" for key in OF_A_CLASS),
)


def with_(key: str, amount: float) -> dict:
    """Return the config of a table with only this amount set."""
    raw: dict = {"game": {"name": "rhum32"}}
    *above, last = key.split(".")
    section = raw
    for name in above:
        section = section.setdefault(name, {})
    section[last] = amount
    return raw


@pytest.mark.parametrize("key", KEYS)
def test_an_amount_with_three_decimals_is_refused_by_its_key(key):
    with pytest.raises(BadConfig) as refused:
        check(with_(key, 100.125)).house("auto")
    assert str(refused.value) == f"{key}: expected an amount with two decimals at most, got 100.125"
    check(with_(key, 100.25)).house("auto")
