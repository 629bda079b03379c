"""Money by ISO 4217: amounts in whole minor units, decimals by currency.

Invariant: no other module knows how many minor units one unit of a currency has.
"""

from collections.abc import Mapping
from decimal import Decimal

from ..rules.game import SMALLEST

USUAL = "EUR"  # currency of a table whose config names none
_BY_DECIMALS: Mapping[int, str] = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: (
        "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP"
        " CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR"
        " IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN"
        " NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP"
        " STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG"
    ),
    3: "BHD IQD JOD KWD LYD OMR TND",
}
CURRENCIES: Mapping[str, int] = {code: many for many, codes in _BY_DECIMALS.items() for code in codes.split()}


def decimals(currency: str) -> int:
    """Number of decimals of a currency; 2 for old records without one."""
    return CURRENCIES.get(currency, 2)


def minor_units(amount: Decimal, currency: str) -> int | None:
    """Convert an amount to minor units; None if it is not a whole number of them.

    `10.00` of a currency with two decimals is 1000.
    """
    units = amount.scaleb(decimals(currency))
    return int(units) if units == units.to_integral_value() else None


def to_minor_units(amount: int, currency: str) -> int:
    """Convert whole units of a currency to minor units."""
    return int(Decimal(amount).scaleb(decimals(currency)))


def to_amount(units: int, currency: str) -> Decimal:
    """Convert minor units to an amount: 1000 of EUR is `10.00`, 10 of JPY is `10`."""
    return Decimal(units).scaleb(-decimals(currency))


def sheet_stake(hundredths: int, currency: str) -> int:
    """Convert a sheet's smallest stake from hundredths of a unit to minor units, rounded up; SMALLEST becomes 1."""
    return 1 if hundredths == SMALLEST else -(-to_minor_units(hundredths, currency) // 100)
