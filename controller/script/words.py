"""Kinds of words in a line of a script: names, cards, amounts, numbers, times, JSON.

Each kind reads back what it has written.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct

from ..core.bounds import MOST_CARDS, MOST_NUMBER, ODDS, YEARS, find_too_large
from ..core.clock import SECOND, Time, from_text, to_text
from ..core.currency import USUAL, minor_units, to_amount, to_minor_units
from ..rules.cards import parse_card
from ..text.errors import did_you_mean, quote

UNITS: Mapping[str, Time] = {"ms": SECOND // 1000, "s": SECOND, "m": 60 * SECOND}
_TIME = r"(\d{1,6}(?:\.\d{1,6})?)(ms|s|m)"
_DIGITS = 999_999  # the largest number of a unit
NOTHING = "-"  # word for no value
_LONG: Time = 10**6 * SECOND  # times from this length on are written with minutes
_FIRST, _LAST = (from_text(f"{year}-01-01T00:00:00Z") for year in (YEARS[0], YEARS[-1] + 1))


class MalformedLine(ValueError):
    """Error: a line of a script is malformed; the text says why."""


class Kind(Struct, frozen=True):
    """A kind of word. `read` raises ValueError. `rest`: it takes all words to the end of the line."""

    read: Callable[..., Any] = str
    write: Callable[[Any], Sequence[str]] = lambda value: [str(value)]
    might_be: Callable[[str], object] = lambda _: True  # False: the word belongs to the next field
    rest: bool = False


def choice_of(choices: Sequence[str]) -> Kind:
    """Kind of word that is one of these choices."""

    def read(word: str) -> str:
        if word not in choices:
            raise MalformedLine(f"expected one of {', '.join(choices)}, got {quote(word)}{did_you_mean(word, choices)}")
        return word

    return Kind(read)


def _read_amount(amount: str, currency: str) -> int | None:
    """Convert an amount to minor units: `10.00` is 1000. Raises ValueError for a text that is no number.

    None for a number that is no amount of money, such as 1.005, or that no record can hold.
    """
    try:
        number = Decimal(amount)
    except InvalidOperation:
        raise ValueError(
            f"expected an amount such as {to_amount(to_minor_units(10, currency), currency)}, got {quote(amount)}"
        ) from None
    units = minor_units(number, currency) if number.is_finite() and number.copy_abs() <= MOST_NUMBER else None
    return None if units is None or abs(units) > MOST_NUMBER else units


def _write_amount(stake: int | None, currency: str) -> Sequence[str]:
    return ["nan" if stake is None else f"{to_amount(stake, currency):f}"]


def amount_in(currency: str) -> Kind:
    """Kind of word for an amount in this currency."""
    return Kind(partial(_read_amount, currency=currency), partial(_write_amount, currency=currency))


def _read_time(text: str) -> Time:
    if not re.fullmatch(f"(?:{_TIME})+", text):
        raise MalformedLine(f"expected a time such as 15s, 500ms or 2m30s, got {quote(text)}")
    return sum(int(Decimal(number) * UNITS[unit]) for number, unit in re.findall(_TIME, text))


def _write_time(time: Time) -> Sequence[str]:
    minutes, rest = divmod(time, UNITS["m"]) if time >= _LONG else (0, time)
    seconds = f"{rest / SECOND:.6f}".rstrip("0").rstrip(".")
    longest, minutes = divmod(minutes, _DIGITS)
    return [f"{_DIGITS}m" * longest + (f"{minutes}m" if minutes else "") + f"{seconds}s"]


def _read_moment(text: str) -> str:
    """Read a date and time; return it as a record has it. Raises MalformedLine."""
    try:
        return to_text(check_years(from_text(text)))
    except (ValueError, OverflowError):
        years = f"of {YEARS[0]} to {YEARS[-1]}"
        raise MalformedLine(f"expected a time such as 2026-01-01T12:00:00Z, {years}, got {quote(text)}") from None


def check_years(at: Time) -> Time:
    """Return the time if it is in the years that a clock may show. Raises MalformedLine."""
    if not _FIRST <= at < _LAST:
        raise MalformedLine(f"expected a clock between the years {YEARS[0]} and {YEARS[-1]}")
    return at


def _read_odds(word: str) -> str:
    """Read decimal odds, as a record has them. Raises MalformedLine."""
    if not re.fullmatch(ODDS, word):
        raise MalformedLine(f"expected decimal odds such as 1.95, got {quote(word)}")
    return word


def number_up_to(most: int) -> Kind:
    """Kind of word for a whole number up to `most`."""

    def read(word: str) -> int:
        if not re.fullmatch(r"[0-9]{1,16}", word) or int(word) > most:
            raise MalformedLine(f"expected a whole number up to {most}, got {quote(word)}")
        return int(word)

    return Kind(read, might_be=lambda word: re.fullmatch(r"[0-9]+", word))


def _read_signed(word: str) -> int:
    number: int = NUMBER.read(word.removeprefix("-"))
    return -number if word.startswith("-") else number


def json_of(kind: object) -> Kind:
    """Kind of word for a value as JSON; numbers that no record can hold are refused."""

    def read(text: str) -> object:
        try:
            beyond = next(find_too_large(msgspec.json.decode(text)), None)
            value = msgspec.json.decode(text, type=kind)
        except RecursionError:
            raise MalformedLine("nested too deep") from None
        if beyond is not None:
            raise MalformedLine(f"expected whole numbers up to {MOST_NUMBER}, got {quote(beyond[1])}")
        return value

    return Kind(read, lambda value: [msgspec.json.encode(value).decode()])


def optional_kind(kind: Kind) -> Kind:
    """Kind of word for a value of `kind`, or a `-` for None."""
    return Kind(
        lambda word: None if word == NOTHING else kind.read(word),
        lambda value: [NOTHING] if value is None else kind.write(value),
    )


NAME = Kind()
CARD = Kind(parse_card)
NUMBER = number_up_to(MOST_NUMBER)
CARDS = number_up_to(MOST_CARDS)
DECIMAL_ODDS = Kind(_read_odds)
SIGNED = Kind(_read_signed, might_be=lambda word: re.fullmatch(r"-?[0-9]+", word))
AMOUNT = amount_in(USUAL)
TIME = Kind(_read_time, _write_time)
MOMENT = Kind(_read_moment)
TEXT = Kind(lambda *words: " ".join(words), rest=True)
LIST = Kind(lambda *words: words, list, rest=True)
