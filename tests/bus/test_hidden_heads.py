"""Heads published in mid-round do not give a hidden card away to a client that reads the whole bus."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
from msgspec.structs import replace

import controller.table.recorder
from controller.core import events as e
from controller.core.records import Record
from controller.journal import Head
from controller.journal.writer import row_chain
from controller.reports.event_records import record_of
from controller.rules.cards import Card
from tests.bus import tables
from tests.bus.rig import BusServer
from tests.bus.tables import StreamMessage, run_table, stored
from tests.core.salts import CARDS
from tests.patience import on_loop
from tests.table.test_table import HOLDEM

BEFORE = (e.NewDeck(), e.Open(), e.PlaceBet("p1", "ante", 100), e.Close(), e.CardOut("AC"), e.CardOut("7D"))


def life(path: Path, server: BusServer, *events: e.Event) -> None:
    """Run a table with these events until the bus has all of it; the head is published at the end."""

    async def steps():
        async with run_table(path, server.section()) as table:
            for event in events:
                table.table.take(event)
            await table.caught_up()

    on_loop(steps)


def stream_messages(server: BusServer, stream: str) -> list[StreamMessage]:
    """Return all messages of a stream."""

    async def steps():
        async with server.client("admin") as admin:
            return await stored(admin, stream)

    return on_loop(steps)


def guessed(records: list[Record], card: Card) -> Iterator[Record]:
    """Yield the records as they would be if `card` were the hidden card, dealt after the restart."""
    for record in records:
        match record.kind:
            case "configured":
                yield replace(record, input=e.Input(e.ProgramBack(), record.at))
            case "drawn":
                what = replace(record.what, card=card)
                yield replace(record, what=what, input=e.Input(e.CardOut(card), record.at))
            case _:
                yield record


def fitting(server: BusServer, path: Path) -> list[Card]:
    """Return each card with which the second head on the bus follows from the first by their hashes."""
    life(path, server, *BEFORE)
    life(path, server, e.CardOut("KS"))
    first, last = (
        Head(head.body["seq"], bytes.fromhex(head.body["hash"])) for head in stream_messages(server, "HEADS")[-2:]
    )
    events = [
        one for one in stream_messages(server, "EVENTS") if ".manager." in f"{one.subject}." and one.seq > first.seq
    ]
    records = [record for one in events if (record := record_of(msgspec.json.encode(one.body)))]
    assert [record.kind for record in records] == ["configured", "faulted", "drawn"]
    return [card for card in CARDS if row_chain(first, list(guessed(records, card)))[-1][-1] == last.hash]


def test_no_card_fits_the_heads_told_in_mid_round(server, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "HOUSE", HOLDEM)
    assert fitting(server, tmp_path / "t.journal") == []


def test_without_a_salt_published_heads_give_the_card_away(server, tmp_path, monkeypatch):
    monkeypatch.setattr(tables, "HOUSE", HOLDEM)
    monkeypatch.setattr(controller.table.recorder, "new_salt", lambda: None)
    assert fitting(server, tmp_path / "t.journal") == ["KS"]
