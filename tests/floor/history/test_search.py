"""Search for rounds of all tables, and the story of a round, at a real floor with real tables."""

import asyncio
import sqlite3
from contextlib import closing, contextmanager
from unittest.mock import AsyncMock

import pytest

from controller.bus.relay import RelayedAnswer
from controller.core import events as e
from controller.core.clock import from_text
from controller.floor.consoles.table_requests import TableClient
from controller.floor.history.search import SearchParameters, search
from controller.floor.storage.files import open_read_only
from controller.floor.storage.rows import RoundRow
from controller.floor.storage.schema import SCHEMA
from controller.floor.storage.store import Store
from tests.accounts.test_card_reads import events_of
from tests.bus.tables import ROUND
from tests.core.bench import Bench
from tests.floor.service import AUDITOR, MANAGER, paused, studio
from tests.patience import on_loop, until

CODE = "card_before_close"


def looked_for(tmp_path, server, steps, tables=("t1", "t2")):
    """Run the steps as an auditor at a floor: each table has dealt three rounds, one of them void."""

    async def at_it():
        async with studio(tmp_path, server, tables=tables) as (floor, *studio_tables):
            for table in studio_tables:
                table.play(2)
                fault = paused(table)
                assert table.table.state.fault.code == CODE
                table.table.take(e.Rule("cancel", "Maria", "wet card", fault=fault, person="103"))
            rounds = len(studio_tables) * 3
            await until(lambda: count(floor) == rounds)
            await steps(floor, await floor.signed_in(AUDITOR), *studio_tables)

    on_loop(at_it)


def count(floor):
    """Return the number of rounds in the floor's store."""
    with floor.floor.components.store.open_read_only() as db:
        return db.execute("SELECT count(*) FROM rounds").fetchone()[0]


async def found(person, query=""):
    """Search for rounds; return table and number of each."""
    answer = await person.ask("GET", f"/api/floor/rounds?{query}")
    assert answer.status == 200, answer
    return [(one["table"], one["round"]) for one in answer.body["rounds"]]


def test_rounds_are_found_by_the_given_search_fields(tmp_path, bus):
    async def steps(floor, aurel, *_):
        assert sorted(await found(aurel)) == [(table, number) for table in ("t1", "t2") for number in (1, 2, 3)]
        assert sorted(await found(aurel, "table=t2&number=2")) == [("t2", 2)]
        void = [("t1", 3), ("t2", 3)]
        for query in ("how=cancelled", f"fault={CODE}", "ruling=cancel", f"fault={CODE}&by=Maria"):
            assert sorted(await found(aurel, query)) == void, query
        for query in ("how=disputed", "ruling=burn", "by=Sandu", "dealer=nobody", "above=1", "to=2020-01-01"):
            assert await found(aurel, query) == [], query
        for wrong, code in (("from=soon", "search_time"), ("before=x", "search_word"), ("player=p1", "search_field")):
            refusal = await aurel.ask("GET", f"/api/floor/export.csv?{wrong}")
            assert (refusal.status, refusal.body["message"]["code"]) == (400, code), refusal

    looked_for(tmp_path, bus, steps)


def test_pages_continue_without_gaps_while_rounds_are_played(tmp_path, bus, monkeypatch):
    monkeypatch.setattr("controller.floor.history.history.PAGE", 2)

    async def steps(floor, aurel, table, _):
        whole, rounds, more = await asyncio.to_thread(of_store, floor), [], ""
        while True:
            answer = (await aurel.ask("GET", f"/api/floor/rounds?before={more}")).body
            rounds += [(one["table"], one["round"]) for one in answer["rounds"]]
            if (more := answer["more"]) is None:
                break
            table.play()
        assert rounds == whole

    looked_for(tmp_path, bus, steps)


def of_store(floor):
    """Return table and number of all stored rounds, newest first."""
    with floor.floor.components.store.open_read_only() as db:
        return db.execute("SELECT table_, number FROM rounds ORDER BY opened DESC, table_ DESC").fetchall()


def test_a_round_is_shown_as_its_table_did_even_offline(tmp_path, bus):
    """The floor's story of a round equals the table's page, even after the floor has lost the bus."""

    async def steps(floor, aurel, table):
        maria = await floor.signed_in(MANAGER)
        for number in (1, 3):
            for lang in ("en", "ro"):
                theirs = await maria.ask("GET", f"/tables/t1/api/rounds/{number}?lang={lang}")
                ours = await aurel.ask("GET", f"/api/floor/rounds/t1/{table.epoch}/{number}?lang={lang}")
                assert theirs.status == ours.status == 200
                assert ours.body == theirs.body
        await floor.floor.components.line.close()
        alone = await aurel.ask("GET", f"/api/floor/rounds/t1/{table.epoch}/3?lang={lang}")
        assert alone.body == ours.body
        nowhere = await aurel.ask("GET", "/api/floor/rounds/t9/none/1")
        assert nowhere.status == 404

    looked_for(tmp_path, bus, steps, tables=("t1",))


def test_a_rounds_page_for_one_player_names_no_other(tmp_path, bus):
    async def steps(floor, aurel, table):
        bets = (e.PlaceBet("anna", "banker", 1000), e.PlaceBet("bogdan", "player", 2000))
        for event in (ROUND[0], *bets, *ROUND[1:]):
            table.table.take(event)
        await until(lambda: count(floor) == 4)
        of = f"/floor/round/t1/{table.epoch}/4"
        for query, named in (("", {"anna", "bogdan"}), ("player=1", {"anna"}), ("player=2", {"bogdan"})):
            page = (await aurel.ask("GET", f"{of}?{query}")).body.decode()
            assert {name for name in ("anna", "bogdan") if name in page} == named, query
        assert (await aurel.ask("GET", f"{of}?player=3")).status == 400
        gone = await aurel.ask("GET", f"{of}0")
        assert (gone.status, gone.body["detail"]) == (404, "round 40 of table t1 is not here")

    looked_for(tmp_path, bus, steps, tables=("t1",))


def test_a_lost_round_is_never_shown_as_its_successor(tmp_path, bus):
    """A round of a lost epoch is not found, and no later round with its number is shown in its place."""

    async def steps(floor, aurel, table):
        of = f"/api/floor/rounds/t1/{table.epoch}"
        here = await aurel.ask("GET", f"{of}/2")
        with sqlite3.connect(floor.floor.components.store.path) as db:
            db.execute("DELETE FROM events")  # long ago
            names = [name for _, name, *_ in db.execute("PRAGMA table_info(rounds)")]
            was = ", ".join({"epoch": "'lost'", "opened": "'2026-01-31T04:00:00Z'"}.get(name, name) for name in names)
            db.execute(f"INSERT INTO rounds SELECT {was} FROM rounds WHERE number = 2")
        db.close()
        answer = await aurel.ask("GET", f"{of}/2")
        assert answer.body == here.body
        lost = await aurel.ask("GET", "/api/floor/rounds/t1/lost/2")
        assert (lost.status, "another one of that number" in lost.body["detail"]) == (404, True)
        never = await aurel.ask("GET", "/api/floor/rounds/t1/never/2")
        assert (never.status, never.body["detail"]) == (404, "round 2 of table t1 is not here")

    looked_for(tmp_path, bus, steps, tables=("t1",))


def test_an_invalid_answer_of_a_table_shows_no_round(tmp_path, bus, monkeypatch):
    async def steps(floor, aurel, table):
        with closing(sqlite3.connect(floor.floor.components.store.path)) as db, db:
            db.execute("DELETE FROM events")  # long ago
        for body in (b"", b"<html>", b"{}", b'{"round":{}}', b"[" * 100_000):
            monkeypatch.setattr(TableClient, "get", AsyncMock(return_value=RelayedAnswer(200, body)))
            answer = await aurel.ask("GET", f"/api/floor/rounds/t1/{table.epoch}/2")
            assert (answer.status, answer.body["detail"]) == (404, "round 2 of table t1 is not here"), body[:20]

    looked_for(tmp_path, bus, steps, tables=("t1",))


def test_visitors_who_are_not_signed_in_see_no_history(tmp_path, bus):
    async def steps(floor, aurel, *_):
        aurel.cookie = None
        for target in ("rounds", "rounds/t1/e/1", "export.csv", "numbers", "hand-over", "history-words"):
            assert (await aurel.ask("GET", f"/api/floor/{target}")).status == 401, target
        for target in ("/api/floor/reports", "/hand-over"):
            assert (await aurel.ask("GET", target)).headers["location"] == "/floor"

    looked_for(tmp_path, bus, steps, tables=("t1",))


class StepCountingStore:
    """Store with many rounds that counts the SQLite steps of each search."""

    def __init__(self, path, rounds):
        self._path, self.steps = path, 0
        row = dict.fromkeys(RoundRow.__struct_fields__, 0) | {"game": "baccarat", "dealer": "d", "how": "settled"}
        with closing(sqlite3.connect(path)) as db, db:
            db.executescript(SCHEMA)
            values = (tuple((row | {"number": n, "opened": f"2026-01-01T{n:06}"}).values()) for n in range(rounds))
            db.executemany(f"INSERT INTO rounds VALUES ({', '.join('?' * len(row))})", values)

    @contextmanager
    def open_read_only(self):
        with open_read_only(self._path) as db:
            db.set_progress_handler(self._step, 1)
            yield db

    def _step(self):
        self.steps += 1


SELDOM = (
    ("dealer", "nobody"),
    ("game", "poker"),
    ("table", "t9"),
    ("number", 10**6),
    ("how", "cancelled"),
    ("how", "disputed"),
)


@pytest.mark.parametrize(("name", "value"), [*SELDOM, ("fault", "none"), ("ruling", "none"), ("by", "nobody")])
def test_a_search_without_matches_scans_no_table(name, value, tmp_path):
    store = StepCountingStore(tmp_path / "a.floor", rounds := 3000)
    assert list(search(store, SearchParameters(**{name: value}))) == []
    assert store.steps < rounds


def test_a_round_is_found_by_its_rulings_second_person(tmp_path):
    table = Bench()
    table.says(
        "open; press manager; rule cancel by maria with ion because x; open; press manager; rule cancel by maria"
    )
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add(events_of(table.records))
        found_by = {
            person: [one.row.number for one in search(store, SearchParameters(by=person))]
            for person in ("maria", "ion", "eva")
        }
    assert found_by == {"maria": [2, 1], "ion": [1], "eva": []}


def test_a_span_holds_its_beginning_but_not_its_end(tmp_path):
    table = Bench()
    table.says("; ".join(["open; press manager; rule cancel by maria because wet; wait 5s"] * 3))
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add(events_of(table.records))
        third, second, first = (from_text(one.row.opened) for one in search(store, SearchParameters()))
        assert first < second < third
        within = [one.row.number for one in search(store, SearchParameters(since=first, until=third))]
        exactly = [one.row.number for one in search(store, SearchParameters(since=second, until=second + 1))]
    assert (within, exactly) == ([2, 1], [2])


def test_a_dealer_is_found_by_name_and_by_id(tmp_path):
    table = Bench()
    table.do(e.DealerOn("Ion", id="205"))
    table.says("open; press manager; rule cancel by maria because wet")
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add(events_of(table.records))
        found_by = {
            dealer: [one.row.number for one in search(store, SearchParameters(dealer=dealer))]
            for dealer in ("Ion", "205", "maria")
        }
    assert found_by == {"Ion": [1], "205": [1], "maria": []}
