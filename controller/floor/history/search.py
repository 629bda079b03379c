"""Search for rounds of all tables, by table, dealer, number, player, bet, time, result, end, fault, ruling and stakes.

Invariant: a page of results continues behind the last round of the page before, whatever was played meanwhile.
"""

import base64
from collections.abc import Iterator, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from ...core.bounds import MOST_NUMBER, Whole
from ...core.clock import Time, to_text
from ...core.coded_message import coded
from ...core.ulid import round_of
from ...reports.round_search import Way
from ...text.coded import WithMessage
from ...text.errors import quote
from ..storage.rows import RoundRow
from ..storage.store import Store

PAGE, AT_ONCE = 50, 1000  # rounds on a page; rounds read at a time
Word = Annotated[str, Meta(max_length=100)]
PageCursor = tuple[str, str, str, Whole]  # of the last round of a page: opened, table, epoch, number


class BadSearch(WithMessage):
    """Search parameters are invalid; the message says which."""


class SearchParameters(Struct, frozen=True):
    """Search parameters; a round must match all that are given.

    `since`, `until`: opening time, `until` not included; `above`: least stakes, in minor units of `currency`;
    `before`: last round of the page before; the page begins with the round after it.
    """

    table: Word | None = None
    game: Word | None = None
    dealer: Word | None = None  # name or badge number
    number: Whole | None = None
    since: Time | None = None
    until: Time | None = None
    how: Way | None = None
    fault: Word | None = None
    ruling: Word | None = None
    by: Word | None = None  # person who ruled, alone or as the second
    above: Whole | None = None
    currency: Word | None = None  # of the round
    before: PageCursor | None = None
    player: Word | None = None
    bet: Word | None = None  # id of a bet, or of its round
    least: Whole | None = None  # stake of one bet, in minor units
    most: Whole | None = None
    winner: Word | None = None


class FoundRound(Struct, frozen=True):
    """Found round, with the codes of its faults and the rulings on them."""

    row: RoundRow
    codes: tuple[str, ...]
    rulings: tuple[tuple[str, str], ...]  # each ruling and the person who ruled


_OF_FAULTS = (  # the faults of a round; `f`: a table with a row or more for each fault
    "FROM round_faults AS o CROSS JOIN {} AS f ON (f.table_, f.epoch, f.seq) = (o.table_, o.raised, o.seq)"
    " WHERE o.table_ = ?1 AND o.epoch = ?2 AND o.number = ?3"
)
_CODES = f"SELECT code {_OF_FAULTS.format('faults')} ORDER BY o.seq"
_RULINGS = (
    f"SELECT o.seq, f.number, ruling, ruled_by {_OF_FAULTS.format('earlier_rulings')}"
    f" UNION ALL SELECT o.seq, {MOST_NUMBER}, ruling, ruled_by {_OF_FAULTS.format('faults')} AND ruling > ''"
    " ORDER BY 1, 2"
)
_RAISED = (  # each fault with the rounds that have it
    "FROM faults AS f CROSS JOIN round_faults AS o INDEXED BY round_faults_raised"
    " ON (o.table_, o.raised, o.seq) = (f.table_, f.epoch, f.seq)"
)
_EARLIER = "SELECT 1 FROM earlier_rulings AS l WHERE (l.table_, l.epoch, l.seq) = (f.table_, f.epoch, f.seq)"
_STAKED = (
    "EXISTS (SELECT 1 FROM stakes AS s INDEXED BY stakes_round"
    " WHERE s.table_ = r.table_ AND s.epoch = r.epoch AND s.number = r.number AND s.stake BETWEEN ? AND ?)"
)
_ENDS: Mapping[Way, str] = {  # written as in the partial indexes of the store
    "settled": "how = 'settled'",
    "cancelled": "how = 'cancelled'",
    "disputed": "disputed",
    "resettled": "revision > 0",
}
_CURSOR = msgspec.json.Decoder(PageCursor)


def decode_cursor(token: str) -> PageCursor:
    """Decode the `before` parameter of a query. Raises BadSearch."""
    try:
        cursor: PageCursor = _CURSOR.decode(base64.urlsafe_b64decode(token))
    except ValueError:
        raise BadSearch(coded("search_word", name="before", said=quote(token))) from None
    return cursor


def cursor_after(round_: FoundRound) -> PageCursor:
    """Return the cursor of the page that begins after this round."""
    row = round_.row
    return row.opened, row.table_, row.epoch, row.number


def encode_cursor(cursor: PageCursor) -> str:
    """Encode a cursor as the `before` parameter of a query."""
    return base64.urlsafe_b64encode(msgspec.json.encode(cursor)).decode()


def pages(store: Store, parameters: SearchParameters) -> Iterator[list[FoundRound]]:
    """Yield all matching rounds in lists; between two lists no connection is open. Raises FloorFailed."""
    while rounds := list(search(store, parameters, AT_ONCE)):
        yield rounds
        parameters = replace(parameters, before=cursor_after(rounds[-1]))


def search(store: Store, parameters: SearchParameters, most: int = PAGE) -> Iterator[FoundRound]:
    """Yield the matching rounds, the latest first, at most `most`. Raises FloorFailed."""
    where, values = _where_clause(parameters)
    columns = ", ".join(RoundRow.__struct_fields__)
    query = (
        f"SELECT {columns} FROM rounds AS r WHERE {where}"  # noqa: S608 - our own names; parameters are bound
        f" ORDER BY opened DESC, table_ DESC, epoch DESC, number DESC LIMIT ?"
    )
    with store.open_read_only() as db:
        for values_of in db.execute(query, (*values, most)):
            row = msgspec.convert(dict(zip(RoundRow.__struct_fields__, values_of, strict=True)), RoundRow, strict=False)
            of = (row.table_, row.epoch, row.number)
            rulings = tuple((ruling, by or "") for _, _, ruling, by in db.execute(_RULINGS, of))
            yield FoundRound(row, tuple(code for (code,) in db.execute(_CODES, of)), rulings)


def _where_clause(parameters: SearchParameters) -> tuple[str, list[object]]:
    clauses: list[tuple[str, tuple[object, ...]]] = [("TRUE", ())]
    since, until = (None if at is None else to_text(at) for at in (parameters.since, parameters.until))
    for text, value in (
        ("table_ = ?", parameters.table),
        ("game = ?", parameters.game),
        ("number = ?", parameters.number),
        ("opened >= ?", since),
        ("opened < ?", until),
        ("staked >= ?", parameters.above),
        ("currency = ?", parameters.currency),
    ):
        if value is not None:
            clauses.append((text, (value,)))
    if parameters.dealer is not None:
        clauses.append(("(dealer = ? OR dealer_id = ?)", (parameters.dealer, parameters.dealer)))
    if parameters.how is not None:
        clauses.append((_ENDS[parameters.how], ()))
    if parameters.before is not None:
        clauses.append(("(opened, table_, epoch, number) < (?, ?, ?, ?)", parameters.before))
    if parameters.winner is not None:
        clauses.append(("CASE WHEN outcome = '' THEN NULL ELSE outcome ->> '$.winner' END = ?", (parameters.winner,)))
    if parameters.bet is not None:
        clauses.append(("round_id = ? AND round_id <> ''", (round_of(parameters.bet),)))
    clauses += _fault_conditions(parameters)
    clauses += _stake_conditions(parameters)
    return " AND ".join(text for text, _ in clauses), [value for _, values in clauses for value in values]


def _stake_conditions(parameters: SearchParameters) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield the SQL condition that one bet of the round matches player and stake."""
    least, most = parameters.least or 0, MOST_NUMBER if parameters.most is None else parameters.most
    if parameters.player is not None:
        one = "SELECT table_, epoch, number FROM stakes WHERE player = ? AND stake BETWEEN ? AND ?"
        yield f"(table_, epoch, number) IN ({one})", (parameters.player, least, most)
    elif parameters.least is not None or parameters.most is not None:
        yield _STAKED, (least, most)


def _fault_conditions(parameters: SearchParameters) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Yield the SQL condition that one fault of the round, and one ruling on it, match all parameters about them."""
    codes = [] if parameters.fault is None else [parameters.fault]
    ways = ("{0}.ruling = ?", parameters.ruling), ("? IN ({0}.ruled_by, {0}.second)", parameters.by)
    ruling, values = " AND ".join(text for text, value in ways if value), [value for _, value in ways if value]
    conditions = ["f.code = ?" for _ in codes]
    if values:
        conditions.append(f"({ruling.format('f')} OR EXISTS ({_EARLIER} AND {ruling.format('l')}))")
    if conditions:
        one = f"SELECT o.table_, o.epoch, o.number {_RAISED} WHERE {' AND '.join(conditions)}"
        yield f"(table_, epoch, number) IN ({one})", (*codes, *values, *values)
