"""Flat tables of a record for SQL: their columns, and the schema that goes with them.

Invariant: a column is described here and nowhere else; what is written and its schema are made from it. The schema is a
Data Package (`datapackage.json`, Frictionless Data's Table Schema): types, units, keys."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

Type = Literal["string", "integer", "boolean", "datetime", "object"]
SCHEMA = "datapackage.json"
_MINOR = "minor units of `currency` (ISO 4217)"


class Column(NamedTuple):
    """One of a table's. `of`: the table whose key it holds."""

    name: str
    type: Type
    says: str
    required: bool = False
    of: str | None = None


class Sheet(NamedTuple):
    """One table. Its first column is its key, or with `keys` so many of its first."""

    says: str
    columns: Sequence[Column]
    keys: int = 1

    @property
    def key(self) -> list[str]:
        """Names of the columns that make a row unique."""
        return [column.name for column in self.columns[: self.keys]]


_ROUND = Column("round_id", "string", "the round", of="rounds")
_TABLE = Column("table", "string", "the name of the table", required=True)
_SEQ = Column("seq", "integer", "the number of the record", required=True)
_CURRENCY = Column("currency", "string", "ISO 4217", required=True)

SHEETS: Mapping[str, Sheet] = {
    "rounds": Sheet(
        "rounds that have ended",
        (
            Column("round_id", "string", "a ULID: of all rounds of all tables", required=True),
            _TABLE,
            Column("round", "integer", "its number at the table", required=True),
            Column("game", "string", "what was played", required=True),
            Column("version", "string", "of the rule sheet", required=True),
            Column("digest", "string", "of the rule sheet", required=True),
            Column("shoe", "string", "the shoe or deck it was dealt from"),
            Column("dealer", "string", "who dealt"),
            Column("dealer_id", "string", "their badge number, where there is a registry of persons; else the name"),
            Column("opened_at", "datetime", "UTC", required=True),
            Column("ended_at", "datetime", "UTC", required=True),
            Column("end", "string", "settled or cancelled, as it is now", required=True),
            Column("manual", "boolean", "whether a card was entered or corrected by hand", required=True),
            Column("training", "boolean", "whether it was one of training, which no figure counts", required=True),
            Column("outcome", "object", "JSON, as it is settled now; none, where it is void"),
            Column("cancelled", "boolean", "whether it was cancelled when it first ended", required=True),
            Column("revision", "integer", "how often it was settled anew", required=True),
            Column("resettled_at", "datetime", "when, the last time: UTC"),
        ),
    ),
    "bets": Sheet(
        "every stake that was taken",
        (
            Column("bet", "string", "its id", required=True),
            _ROUND,
            Column("player", "string", "whose", required=True),
            Column("market", "string", "on what, with its seat in a seated game", required=True),
            Column("stake", "integer", _MINOR, required=True),
            Column("odds", "string", "as they were pinned, where they are the bet's own"),
            _CURRENCY,
            Column("placed_at", "datetime", "UTC", required=True),
            Column("end", "string", "paid, withdrawn or refunded"),
            Column("returned", "integer", f"all that went back at first, stake included; {_MINOR}"),
            Column("above_ceilings", "integer", f"winnings that ceilings of payment left unpaid; {_MINOR}"),
            Column(
                "adjusted", "integer", f"what resettlements of the round have added to that; {_MINOR}", required=True
            ),
        ),
    ),
    "cards": Sheet(
        "every card that left the shoe in a round",
        (
            _ROUND,
            Column("draw", "integer", "its number in the round", required=True),
            Column("card", "string", "what it is, by the last ruling; none: it was never known"),
            Column("read", "string", "what it was first taken for"),
            Column("place", "string", "where it lies; none: nowhere"),
            Column("face_up", "boolean", "none: nowhere"),
            Column("source", "string", "reader, manual or carried", required=True),
            Column("end", "string", "dealt, loose, burnt, carried or voided", required=True),
            Column("at", "datetime", "when it came, UTC", required=True),
        ),
        keys=2,
    ),
    "faults": Sheet(
        "what stopped play",
        (
            _TABLE,
            _SEQ,
            _ROUND,
            Column("code", "string", "the fault", required=True),
            Column("expected", "string", "what was due"),
            Column("got", "string", "what came"),
            Column("draw", "integer", "the card it is about"),
            Column("at", "datetime", "UTC", required=True),
            Column("acknowledged_at", "datetime", "UTC"),
            Column("acknowledged_by", "string", "the shift manager who saw it first"),
            Column("acknowledged_id", "string", "their badge number, or name"),
            Column("ruled_at", "datetime", "UTC"),
            Column("training", "boolean", "whether it was one of training", required=True),
        ),
        keys=2,
    ),
    "rulings": Sheet(
        "what shift managers decided",
        (
            _TABLE,
            _SEQ,
            Column("fault", "integer", "the number of the fault's record", required=True, of="faults"),
            _ROUND,
            Column("ruling", "string", "what", required=True),
            Column("by", "string", "who", required=True),
            Column("by_id", "string", "their badge number, or name"),
            Column("because", "string", "why", required=True),
            Column("second", "string", "another shift manager who ruled too, where so much was staked"),
            Column("second_id", "string", "their badge number"),
            Column("at", "datetime", "UTC", required=True),
            Column("training", "boolean", "whether it was one of training", required=True),
        ),
        keys=2,
    ),
    "movements": Sheet(
        "money: of each bet one debit and one credit, and one more each time that its round was settled anew",
        (
            Column("movement", "string", "its id", required=True),
            Column("bet", "string", "of which bet", required=True, of="bets"),
            _ROUND,
            Column("player", "string", "whose", required=True),
            Column("kind", "string", "debit or credit", required=True),
            Column("cause", "string", "the kind of the record that moved it", required=True),
            Column("amount", "integer", _MINOR, required=True),
            _CURRENCY,
            Column("at", "datetime", "UTC", required=True),
        ),
    ),
}


def schema() -> dict[str, Any]:
    """Schema of the tables, as a Data Package."""
    about = {"name": "tablectl-record", "profile": "tabular-data-package"}
    return {**about, "resources": [_resource(name, sheet) for name, sheet in SHEETS.items()]}


def _resource(name: str, sheet: Sheet) -> dict[str, Any]:
    foreign = [_foreign(column) for column in sheet.columns if column.of is not None]
    held = {"fields": [_field(column) for column in sheet.columns], "primaryKey": sheet.key, "missingValues": [""]}
    return {
        "name": name,
        "path": f"{name}.csv",
        "description": sheet.says,
        "profile": "tabular-data-resource",
        "encoding": "utf-8",
        "schema": {**held, **({"foreignKeys": foreign} if foreign else {})},
    }


def _field(column: Column) -> dict[str, Any]:
    about = {"name": column.name, "type": column.type, "description": column.says}
    return {**about, "constraints": {"required": True}} if column.required else about


def _foreign(column: Column) -> dict[str, Any]:
    key = SHEETS[str(column.of)].key
    here = [*key[:-1], column.name]
    return {"fields": here, "reference": {"resource": column.of, "fields": key}}


def columns(name: str) -> Iterator[str]:
    """The names of a table's."""
    return (column.name for column in SHEETS[name].columns)
