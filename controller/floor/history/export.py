"""Export of rounds for other programs: CSV (RFC 4180) or JSON lines, in the order of the search.

In CSV a text is never a formula (`controller.text.csv_cells`).
"""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal

import msgspec

from ...text.csv_cells import as_data
from .search import FoundRound

Format = Literal["csv", "jsonl"]
TYPES: Mapping[Format, str] = {"csv": "text/csv; charset=utf-8; header=present", "jsonl": "application/jsonl"}
COLUMNS = (
    "table", "epoch", "round", "round_id", "game", "dealer", "dealer_id", "opened_at", "ended_at", "end", "outcome",
    "because", "currency", "staked", "withdrawn", "returned", "refunded", "adjusted", "kept", "cards", "misreads",
    "faults", "rulings", "manual", "disputed", "training", "lost", "cancelled", "revision",
    "resettled_at",
)  # fmt: skip


def export_rounds(pages: Iterable[Iterable[FoundRound]], form: Format) -> Iterator[bytes]:
    """Yield all rounds as pieces of a file. Amounts are in minor units of `currency`."""
    if form == "csv":
        yield _table([COLUMNS])
    for page in pages:
        rows = [cells(one) for one in page]
        yield (
            b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
            if form == "jsonl"
            else _table([[to_cell(value) for value in row.values()] for row in rows])
        )


def _table(rows: Iterable[Iterable[object]]) -> bytes:
    piece = io.StringIO(newline="")
    csv.writer(piece).writerows(rows)
    return piece.getvalue().encode()


def cells(one: FoundRound) -> dict[str, Any]:
    """Return the values of a round by the names in COLUMNS."""
    row = one.row
    values: tuple[Any, ...] = (
        row.table_, row.epoch, row.number, row.round_id, row.game, row.dealer, row.dealer_id, row.opened, row.ended,
        row.how, msgspec.json.decode(row.outcome) if row.outcome else None, row.because, row.currency, row.staked,
        row.withdrawn, row.returned, row.refunded, row.adjusted, row.kept, row.cards, row.misreads, list(one.codes),
        [f"{ruling} by {who}" for ruling, who in one.rulings], row.manual, row.disputed, row.training, row.lost,
        row.cancelled, row.revision, row.resettled or None,
    )  # fmt: skip
    return dict(zip(COLUMNS, values, strict=True))


def to_cell(value: object) -> object:
    """Convert a value to a CSV cell: objects become JSON, lists are joined, formulas are escaped."""
    if isinstance(value, dict | list):
        value = msgspec.json.encode(value).decode() if isinstance(value, dict) else "; ".join(map(str, value))
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return as_data(value)
