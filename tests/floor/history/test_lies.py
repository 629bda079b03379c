"""Tables with invalid messages or a wrong clock spoil no other table's history, alarms or numbers."""

import asyncio
import re
from contextlib import closing

import msgspec
import pytest
from msgspec.structs import replace
from structlog.testing import capture_logs

from controller.config.alerts import Target
from controller.config.shifts import ShiftsSection
from controller.core.clock import DAY, to_text
from controller.core.views import view
from controller.floor.consoles.table_requests import TableClient
from controller.floor.history import search
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.history import FloorHistory
from controller.floor.history.search import SearchParameters
from controller.floor.live.call_text import message
from controller.floor.shared_state.alarms import LONGEST, MOST, causes
from controller.floor.storage import schema
from controller.floor.storage.gap_requests import GapFiller
from controller.floor.storage.store import Gap, Store
from controller.floor.storage.table_events import InvalidEvent, TableEvent, Unanswered, decode_event
from tests.core.bench import Bench
from tests.floor.service import MANAGER, OneFloor
from tests.floor.statuses import START, calling_status, status
from tests.patience import on_loop, until


def event(seq: int, kind: str, table: str = "t1", **about: object) -> TableEvent:
    """Return an event of a table with these fields."""
    fields = {"seq": seq, "kind": kind, "table": table, "round": 1, "at": to_text(START), **about}
    return decode_event(table, "e1", msgspec.json.encode(fields))


def a_round(table: str = "t1", **settled: object) -> list[TableEvent]:
    """Return the events of a round; `settled`: fields of its result."""
    opened = event(1, "opened", table, game="baccarat", round_id="r1")
    return [opened, event(2, "dealt", table, draw=1, card="9C"), event(4, "settled", table, **settled)]


@pytest.fixture
def store(tmp_path):
    with closing(Store(tmp_path / "main.floor")) as one:
        yield one


def history(store: Store, counted: FigureFile | None = None) -> FloorHistory:
    """Return the history of a floor with this store."""
    return FloorHistory(store, counted, ShiftsSection(), 200)  # type: ignore[arg-type] # what is not counted needs none


@pytest.mark.parametrize("after", [{"draw": [1]}, {"draw": {}}, {"draw": 1, "card": [1]}])
def test_a_malformed_ruling_blocks_no_event_of_other_tables(store, after):
    strange = event(3, "ruled", ruling="correct", after=after)
    store.add([strange, *a_round(), *a_round("t2")], 7)
    assert [(table, last) for table, _, last in store.epochs()] == [("t1", 4), ("t2", 4)]
    assert store.cursor == 7


@pytest.mark.parametrize("outcome", [None, 1, [1], "player"])
def test_an_invalid_outcome_hides_no_other_round(store, outcome):
    """An invalid outcome leaves out only the round that has it."""
    bench = Bench()
    bench.says("open; close; card 9C; card 2D; card KC; card 3D; press finish")
    for table in ("t1", "t2"):
        for record in bench.records:
            fields = msgspec.json.decode(msgspec.json.encode(view(record, "manager"))) | {"table": table}
            lie = {"outcome": outcome} if (table, record.kind) == ("t1", "settled") else {}
            store.add([decode_event(table, "e1", msgspec.json.encode(fields | lie))])
    assert [one.table for one in history(store).rounds(SearchParameters(), "ro").rounds] == ["t2"]


@pytest.mark.parametrize("at", ["yesterday", "2026-01-01", "9999-12-31T23:59:59.999999Z", "2026-01-01T00:00:00"])
def test_an_event_with_an_invalid_time_is_refused(at):
    with pytest.raises(InvalidEvent, match="expected the time of an event"):
        event(1, "opened", at=at)


@pytest.mark.parametrize(
    ("lie", "reason"),
    [
        ({"card": [1]}, "not an event: Expected `str | null`, got `array` - at `$.card`"),
        ({"card": "9C", "draw": "1"}, "not a record: Expected `int`, got `str` - at `$.draw`"),
    ],
)
def test_the_log_says_what_an_unread_event_lacks(store, tmp_path, lie, reason):
    opened, _, settled = a_round()
    store.add([opened, event(2, "dealt", **lie), settled])
    with closing(FigureFile(tmp_path / "n", ShiftsSection())) as counted, capture_logs() as logged:
        history(store, counted).follow()
    unread = [(one["table"], one["seq"], one["reason"]) for one in logged if one["event"] == "event_unread"]
    assert ("t1", 2, reason) in unread


def test_a_round_with_too_large_sums_is_logged_not_listed(store):
    bench = Bench()
    bench.says(
        "open; bet p1 player 10; bet p2 player 10; bet p3 player 10; close; card 9C; card 2D; card KC; card 3D;"
        "press finish"
    )
    with capture_logs() as logged:
        for table, lie in (("t1", {"stake": 2**62}), ("t2", {})):
            for record in bench.records:
                fields = msgspec.json.decode(msgspec.json.encode(view(record, "manager"))) | {"table": table}
                lies = lie if record.kind == "bet_accepted" else {}
                store.add([decode_event(table, "e1", msgspec.json.encode(fields | lies))])
    assert logged
    too_large = {"event": "row_too_large", "log_level": "warning", "table": "t1", "epoch": "e1"}
    assert all(line == too_large for line in logged)
    assert [one.table for one in history(store).rounds(SearchParameters(), "ro").rounds] == ["t2"]


def test_a_clock_years_behind_adds_no_years_of_open_time(store, tmp_path):
    """The second event of a table is dated three years after the first: no figures for the hours between."""
    bench = Bench("baccarat")
    bench.says("open; close")
    opened = [msgspec.json.decode(msgspec.json.encode(view(record, "manager"))) for record in bench.records]
    opened[-1]["at"] = to_text(bench.records[-1].at + 3 * 365 * DAY)
    store.add([decode_event(one["table"], "e1", msgspec.json.encode(one)) for one in opened])
    with closing(FigureFile(tmp_path / "n", ShiftsSection())) as counted:
        history(store, counted).follow()
        assert len(list(counted.rows(0, 2**62))) < 10


# ── answers of tables ────────────────────────────────────────────────────────────────────────────────────────────


class LyingClient(TableClient):
    """Table client that gets `body` for every request."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def get(self, table: str, target: str):
        return type("Answer", (), {"status": 200, "body": self._body})


@pytest.mark.parametrize("body", [b"<html>", b"", b"{}", b"\xff", b"[" * 100_000])
def test_an_answer_without_an_event_list_is_no_answer(body):
    with pytest.raises(Unanswered, match="does not send the events after record 5: its answer is"):
        asyncio.run(LyingClient(body).events("t1", "e1", 5))


def test_an_empty_list_of_missing_events_is_no_answer():
    """An empty list of events raises Unanswered, so the events are requested again later."""
    with pytest.raises(Unanswered, match="does not send the events after record 5 in time"):
        asyncio.run(LyingClient(b"[]").events("t1", "e1", 5))


def test_a_table_answering_with_wrong_records_is_asked_later(store):
    """The table answers with a record outside the gap: no second request at once, and the gap stays."""
    store.add([event(1, "opened"), event(9, "settled")])
    requests = []

    async def ask(table: str, epoch: str, after: int) -> list[bytes]:
        requests.append(after)
        if len(requests) > 3:
            raise AssertionError("asked again and again")
        return [event(1, "opened").body]

    async def steps():
        filling = asyncio.create_task(GapFiller(store, ask, print).run())
        await until(lambda: requests)
        await asyncio.wait([filling], timeout=0.2)
        assert not filling.done(), filling.exception()
        filling.cancel()

    on_loop(steps)
    assert (requests, store.gaps()) == ([1], [Gap("t1", "e1", 2, 8)])


# ── large amounts ────────────────────────────────────────────────────────────────────────────────────────────────


def test_one_tables_many_troubles_leave_room_for_others():
    letters = [f"{chr(97 + one % 26)}{chr(97 + one // 26 % 26)}{chr(97 + one // 676)}" for one in range(10_000)]
    says = tuple(letter * 300 for letter in letters)
    found = list(causes(status(troubles=says, lost=says), heard=True, misreads=None))
    assert len(found) == 2 * MOST
    assert max(len(one.text) for one in found) == LONGEST


def test_a_round_is_found_by_index_not_by_scan(store):
    events = [event(seq, "drawn", round=1 + seq // 10) for seq in range(1, 20_000)]
    store.add(events)
    steps = []
    with store.open_read_only() as db:
        db.set_progress_handler(lambda: steps.append(1), 100)
        assert len(schema.events_of(db, "t1", "e1", 700)) == 10
    assert len(steps) < 20


@pytest.mark.parametrize("asked", [{"fault": "shoe_error"}, {"by": "Maria"}, {"number": 7}, {"table": "t1"}], ids=str)
def test_round_searches_do_not_scan_all_rounds(store, asked):
    where, values = search._where_clause(SearchParameters(**asked))
    query = f"SELECT * FROM rounds AS r WHERE {where} ORDER BY opened DESC LIMIT 50"
    with store.open_read_only() as db:
        plan = db.execute(f"EXPLAIN QUERY PLAN {query}", values).fetchall()
    assert not [step for *_, step in plan if re.match(r"SCAN r\b", step)]


def test_a_message_title_is_always_one_line():
    called = calling_status()
    fault = replace(called.fault, code="x\r\nBcc: all@studio")
    title = message(Target("mailto://studio", 1), called, fault, again=False).title
    assert title.splitlines() == [title]


def test_thousands_of_old_events_are_deleted(bus, tmp_path):
    async def steps():
        async with OneFloor(tmp_path, bus) as floor:
            store = floor.floor.components.store
            store.add([event(seq, "dealt", at="2020-01-01T00:00:00.000000Z") for seq in range(1, 3500)])
            again = asyncio.create_task(floor.floor._forget())
            try:
                await until(lambda: [one.seq for one in store.events("t1", "e1")] == [3499])
            finally:
                again.cancel()

    on_loop(steps)


def test_an_impossible_round_number_is_not_found(bus, tmp_path):
    async def steps():
        async with OneFloor(tmp_path, bus) as floor:
            maria = await floor.signed_in(MANAGER)
            for number in (2**53 - 1, 2**53, 2**70, -1, "x", "9" * 5000):
                assert (await maria.ask("GET", f"/api/floor/rounds/t1/e1/{number}")).status == 404

    on_loop(steps)
