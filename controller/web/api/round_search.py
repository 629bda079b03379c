"""Search of the rounds of a table over HTTP.

    POST /api/rounds?lang=      {"player": "p7", "from": "2026-01-31", "least": "10.00"}: rounds that match all of it

The search is in the body, so that no address and no log holds a player's name. What cannot be searched for is answered
with status 400 and one sentence. The record is read in a thread, for a few at a time.
"""

from collections.abc import Collection, Mapping
from datetime import datetime, tzinfo
from decimal import Decimal, InvalidOperation
from typing import Any, get_args

import msgspec
from msgspec import Struct
from starlette.requests import Request

from ...config.shifts import local
from ...core.bounds import MOST_NUMBER
from ...core.clock import Time
from ...core.coded_message import coded
from ...core.currency import minor_units, sheet_stake
from ...core.fault_catalogue import CATALOGUE
from ...reports.round_search import RoundQuery, Way
from ...reports.selection import moment
from ...text.errors import quote
from ...text.money import money
from ..net.bodies import body_of
from ..net.replies import RequestRefused
from .request_parameters import number_of

LARGEST = 4096  # bytes of a search
LONGEST = 100  # characters of a name
WAYS: tuple[Way, ...] = get_args(Way)
SHARED = ("player", "bet", "least", "most", "from", "to", "winner", "fault", "how")
_body = msgspec.json.Decoder(dict[str, str])


class Searched(Struct, frozen=True):
    """Context of a search's text: time zone, and currency of amounts."""

    zone: tzinfo
    currency: str


async def query_of(request: Request, where: Searched) -> RoundQuery:
    """Read a search of one table from the body of a request. Raises HTTPException."""
    fields = await fields_of_body(request)
    values = shared_fields(fields, where, ["before"])
    if "before" in values:
        values["before"] = number_of(values["before"], "before")
    return RoundQuery(**values)


async def fields_of_body(request: Request) -> dict[str, str]:
    """Fields of a search in the body of a request. Raises HTTPException."""
    try:
        return _body.decode(await body_of(request, LARGEST))
    except msgspec.MsgspecError:
        raise RequestRefused(400, coded("search_body")) from None


def shared_fields(fields: Mapping[str, str], where: Searched, others: Collection[str] = ()) -> dict[str, Any]:
    """Fields that a search of a table and of a floor share, by the names of a query. Raises HTTPException.

    Empty fields are left out. `others`: names of further fields, which are copied unchanged.
    """
    texts = {name: text.strip() for name, text in fields.items() if text.strip()}
    if unknown := sorted(texts.keys() - {*SHARED, *others}):
        raise RequestRefused(400, coded("search_field", name=quote(unknown[0])))
    if long := [name for name, text in texts.items() if len(text) > LONGEST]:
        raise RequestRefused(400, coded("search_long", name=long[0], count=LONGEST))
    values: dict[str, Any] = {name: texts[name] for name in ("player", "bet", "winner", *others) if name in texts}
    values |= {name: amount_of(texts[name], where.currency) for name in ("least", "most") if name in texts}
    times = {"from": "since", "to": "until"}
    values |= {times[name]: time_of(texts[name], where.zone) for name in times if name in texts}
    words: Mapping[str, Collection[str]] = {"fault": CATALOGUE, "how": WAYS}
    values |= {name: check_known(texts[name], options, name) for name, options in words.items() if name in texts}
    if values.get("least", 0) > values.get("most", MOST_NUMBER):
        raise RequestRefused(400, coded("search_amounts"))
    if "since" in values and "until" in values and values["since"] >= values["until"]:
        raise RequestRefused(400, coded("search_times"))
    return values


def amount_of(text: str, currency: str) -> int:
    """Read an amount as people write it, `12.50` or `12,50`, in minor units. Raises HTTPException."""
    try:
        amount = Decimal(text.replace(",", "."))
        units = minor_units(amount, currency) if amount.is_finite() and abs(amount) <= MOST_NUMBER else None
    except InvalidOperation:
        units = None
    if units is None or not 0 <= units <= MOST_NUMBER:
        example = money(sheet_stake(1250, currency), currency)
        raise RequestRefused(400, coded("search_amount", example=example, said=quote(text)))
    return units


def time_of(text: str, zone: tzinfo) -> Time:
    """Read a time by the studio's clocks. Raises HTTPException for one that does not exist."""
    try:
        at = datetime.fromisoformat(text)
        instant = moment(text, zone)
        exists = at.tzinfo is not None or local(instant, zone).replace(tzinfo=None) == at  # False: the clocks skip it
    except (ValueError, OverflowError):
        exists = False
    if not exists:
        raise RequestRefused(400, coded("search_time", said=quote(text)))
    return instant


def check_known(text: str, options: Collection[str], name: str) -> str:
    """The word itself if it is known. Raises HTTPException."""
    if text not in options:
        raise RequestRefused(400, coded("search_word", name=name, said=quote(text)))
    return text
