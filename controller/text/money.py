"""Amounts of money as people read them."""

from ..core.currency import in_currency


def money(minor_units: int, currency: str) -> str:
    """1000 as `10.00` in euros, as `1000` in yen."""
    return f"{in_currency(minor_units, currency):f}"


def signed(minor_units: int, currency: str) -> str:
    """1000 as `+10.00`, -50 as `-0.50`."""
    return ("-" if minor_units < 0 else "+" if minor_units else "") + money(abs(minor_units), currency)
