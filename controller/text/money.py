"""Amounts of money as people read them."""

from ..core.currency import to_amount


def money(minor_units: int, currency: str) -> str:
    """Format an amount: 1000 is `10.00` in euros, and `1000` in yen."""
    return f"{to_amount(minor_units, currency):f}"


def signed_money(minor_units: int, currency: str) -> str:
    """Format a difference with its sign: 1000 is `+10.00`, -50 is `-0.50`."""
    return ("-" if minor_units < 0 else "+" if minor_units else "") + money(abs(minor_units), currency)
