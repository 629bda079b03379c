"""Flat tables of a record for SQL: columns and schema.

Invariant: a column is defined only here; the files and their schema are made from this definition. Descriptions are in
`controller.text.table_columns`. The schema is a Data Package (`datapackage.json`, Frictionless Data's Table Schema)
with types, units and keys.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from ..text.table_columns import SAYS

Type = Literal["string", "integer", "boolean", "datetime", "object"]
SCHEMA = "datapackage.json"


class Column(NamedTuple):
    """Column of a table. `of`: table that this column's key refers to; None if it refers to none."""

    name: str
    type: Type
    required: bool = False
    of: str | None = None


class Sheet(NamedTuple):
    """Flat table. Its key is the first column, or the first `keys` columns."""

    columns: Sequence[Column]
    keys: int = 1

    @property
    def key(self) -> list[str]:
        """Names of the columns that make a row unique."""
        return [column.name for column in self.columns[: self.keys]]


_ROUND = Column("round_id", "string", of="rounds")
_TABLE = Column("table", "string", required=True)
_SEQ = Column("seq", "integer", required=True)
_CURRENCY = Column("currency", "string", required=True)

SHEETS: Mapping[str, Sheet] = {
    "rounds": Sheet(
        (
            Column("round_id", "string", required=True),
            _TABLE,
            Column("round", "integer", required=True),
            Column("game", "string", required=True),
            Column("version", "string", required=True),
            Column("digest", "string", required=True),
            Column("shoe", "string"),
            Column("dealer", "string"),
            Column("dealer_id", "string"),
            Column("opened_at", "datetime", required=True),
            Column("ended_at", "datetime", required=True),
            Column("end", "string", required=True),
            Column("manual", "boolean", required=True),
            Column("training", "boolean", required=True),
            Column("outcome", "object"),
            Column("cancelled", "boolean", required=True),
            Column("revision", "integer", required=True),
            Column("resettled_at", "datetime"),
        ),
    ),
    "bets": Sheet(
        (
            Column("bet", "string", required=True),
            _ROUND,
            Column("player", "string", required=True),
            Column("market", "string", required=True),
            Column("stake", "integer", required=True),
            Column("odds", "string"),
            _CURRENCY,
            Column("placed_at", "datetime", required=True),
            Column("end", "string"),
            Column("returned", "integer"),
            Column("above_ceilings", "integer"),
            Column("adjusted", "integer", required=True),
        ),
    ),
    "cards": Sheet(
        (
            _ROUND,
            Column("draw", "integer", required=True),
            Column("card", "string"),
            Column("read", "string"),
            Column("place", "string"),
            Column("face_up", "boolean"),
            Column("source", "string", required=True),
            Column("end", "string", required=True),
            Column("at", "datetime", required=True),
        ),
        keys=2,
    ),
    "faults": Sheet(
        (
            _TABLE,
            _SEQ,
            _ROUND,
            Column("code", "string", required=True),
            Column("expected", "string"),
            Column("got", "string"),
            Column("draw", "integer"),
            Column("at", "datetime", required=True),
            Column("acknowledged_at", "datetime"),
            Column("acknowledged_by", "string"),
            Column("acknowledged_id", "string"),
            Column("ruled_at", "datetime"),
            Column("training", "boolean", required=True),
        ),
        keys=2,
    ),
    "rulings": Sheet(
        (
            _TABLE,
            _SEQ,
            Column("fault", "integer", required=True, of="faults"),
            _ROUND,
            Column("ruling", "string", required=True),
            Column("by", "string", required=True),
            Column("by_id", "string"),
            Column("because", "string", required=True),
            Column("second", "string"),
            Column("second_id", "string"),
            Column("at", "datetime", required=True),
            Column("training", "boolean", required=True),
        ),
        keys=2,
    ),
    "resettlements": Sheet(
        (
            _TABLE,
            _SEQ,
            _ROUND,
            Column("revision", "integer", required=True),
            Column("amendments", "object", required=True),
            Column("by", "string", required=True),
            Column("by_id", "string"),
            Column("because", "string", required=True),
            Column("second", "string", required=True),
            Column("second_id", "string"),
            Column("at", "datetime", required=True),
        ),
        keys=2,
    ),
    "movements": Sheet(
        (
            Column("movement", "string", required=True),
            Column("bet", "string", required=True, of="bets"),
            _ROUND,
            Column("player", "string", required=True),
            Column("kind", "string", required=True),
            Column("cause", "string", required=True),
            Column("amount", "integer", required=True),
            _CURRENCY,
            Column("at", "datetime", required=True),
        ),
    ),
}


def schema() -> dict[str, Any]:
    """Schema of the tables, as a Data Package."""
    about = {"name": "tablectl-record", "profile": "tabular-data-package"}
    return {**about, "resources": [_resource(name, sheet) for name, sheet in SHEETS.items()]}


def _resource(name: str, sheet: Sheet) -> dict[str, Any]:
    foreign = [_foreign_key(column) for column in sheet.columns if column.of is not None]
    held = {
        "fields": [_field(name, column) for column in sheet.columns],
        "primaryKey": sheet.key,
        "missingValues": [""],
    }
    return {
        "name": name,
        "path": f"{name}.csv",
        "description": SAYS[name],
        "profile": "tabular-data-resource",
        "encoding": "utf-8",
        "schema": {**held, **({"foreignKeys": foreign} if foreign else {})},
    }


def _field(sheet: str, column: Column) -> dict[str, Any]:
    about = {"name": column.name, "type": column.type, "description": SAYS[f"{sheet}.{column.name}"]}
    return {**about, "constraints": {"required": True}} if column.required else about


def _foreign_key(column: Column) -> dict[str, Any]:
    key = SHEETS[str(column.of)].key
    here = [*key[:-1], column.name]
    return {"fields": here, "reference": {"resource": column.of, "fields": key}}


def columns(name: str) -> Iterator[str]:
    """Yield the names of a table's columns."""
    return (column.name for column in SHEETS[name].columns)
