"""Parameters of requests for the history of all tables: a search, a grouping, a time span, a file format.

An invalid parameter raises HTTPException (400) that says what was expected.
"""

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple, get_args

from starlette.datastructures import QueryParams
from starlette.requests import Request

from ...config.shifts import Period, ShiftsSection, day_of, shift_at
from ...core.clock import Time
from ...core.coded_message import coded
from ...core.currency import USUAL
from ...reports.selection import moment
from ...text.errors import quote
from ...web.api.request_parameters import number_of
from ...web.api.round_search import Searched, amount_of, fields_of_body, shared_fields
from ...web.net.replies import RequestRefused
from ..history.export import TYPES, Format
from ..history.numbers import By
from ..history.search import BadSearch, SearchParameters, decode_cursor

OF_A_FLOOR = ("table", "game", "dealer", "number", "ruling", "by", "above", "currency")  # beside those of a table
PRIVATE = ("player", "bet")  # allowed only in the body of a request, so that no address contains them
NO_FIELDS = ("lang", "format")  # parameters of an address beside those of a search
MINOR_UNITS = "JPY"  # a currency without decimals


class AskedNumbers(NamedTuple):
    """Time span and grouping of numbers. `local`: both ends in local time of [shifts]."""

    since: Time
    until: Time
    by: By
    local: tuple[str, str]


def parse_search(query: QueryParams, shifts: ShiftsSection) -> SearchParameters:
    """Search for rounds from an address, with amounts in minor units. Raises HTTPException."""
    fields = {name: text for name, text in query.items() if name not in NO_FIELDS}
    if private := [name for name in PRIVATE if name in fields]:
        raise RequestRefused(400, coded("search_field", name=quote(private[0])))
    return _parameters(fields, MINOR_UNITS, shifts)


async def searched_rounds(request: Request, shifts: ShiftsSection) -> SearchParameters:
    """Search for rounds from the body of a request: texts by name, amounts as people write them. Raises HTTPException.

    Amounts are in `currency`, by default the usual one.
    """
    fields = await fields_of_body(request)
    return _parameters(fields, fields.get("currency") or USUAL, shifts)


def _parameters(fields: dict[str, str], currency: str, shifts: ShiftsSection) -> SearchParameters:
    """Check the fields of a search. `currency`: as which amounts are read; the field of that name is the rounds'."""
    before = fields.pop("before", "")
    values = shared_fields(fields, Searched(shifts.time_zone, currency), OF_A_FLOOR)
    values["number"] = number_of(values.get("number"), "number")
    if "above" in values:
        values["above"] = amount_of(values["above"], currency)
    try:
        return SearchParameters(**values, before=decode_cursor(before) if before else None)
    except BadSearch as error:
        raise RequestRefused(400, error.message) from None


def parse_format(query: Mapping[str, str]) -> Format:
    """Format of a file; by default CSV. Raises HTTPException."""
    name = query.get("format", "csv")
    form: Format | None = next((one for one in TYPES if one == name), None)
    if form is None:
        raise RequestRefused(400, coded("expected_format", names=", ".join(TYPES), said=quote(name)))
    return form


def parse_numbers(query: Mapping[str, str], shifts: ShiftsSection, now: Time) -> AskedNumbers:
    """Time span, by default the present day, and grouping, by default by table. Raises HTTPException."""
    by: By | None = next((one for one in get_args(By) if one == query.get("by", "table")), None)
    if by is None:
        raise RequestRefused(400, coded("expected_grouping", names=", ".join(get_args(By)), said=quote(query["by"])))
    zone = shifts.time_zone
    today = _present_day(shifts, now)
    try:
        since = moment(query["from"], zone) if query.get("from") else today.since
        until = moment(query["to"], zone) if query.get("to") else today.until
    except (ValueError, OverflowError):
        raise RequestRefused(400, coded("times")) from None
    begins, ends = (f"{today.local(at):%Y-%m-%dT%H:%M}" for at in (since, until))
    return AskedNumbers(since, until, by, (begins, ends))


def parse_period(query: Mapping[str, str], shifts: ShiftsSection, now: Time) -> Period:
    """Shift or day of a report; by default the present shift, with an empty `day` the present day.

    Raises HTTPException.
    """
    day, shift = query.get("day"), query.get("shift")
    try:
        if day == "":
            return _present_day(shifts, now)
        if day is not None:
            return day_of(date.fromisoformat(day), shifts.time_zone)
        at = now if shift is None else moment(shift, shifts.time_zone)
        return shift_at(at, shifts.minutes, shifts.time_zone)
    except (ValueError, OverflowError):
        raise RequestRefused(400, coded("time_or_date", said=quote(day or shift or ""))) from None


def _present_day(shifts: ShiftsSection, now: Time) -> Period:
    """Present day by the studio's clocks, from midnight to midnight."""
    return day_of(shift_at(now, shifts.minutes, shifts.time_zone).local(now).date(), shifts.time_zone)
