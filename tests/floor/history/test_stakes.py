"""Search for rounds by player, bet, stake and result: it uses indexes and agrees with the table's."""

import sqlite3
from contextlib import closing

import msgspec
import pytest
from starlette.datastructures import QueryParams

from controller.config.shifts import ShiftsSection
from controller.core.views import view
from controller.floor.history import search
from controller.floor.history.search import SearchParameters
from controller.floor.site.history_parameters import parse_search
from controller.floor.storage.store import Store
from controller.floor.storage.table_events import decode_event
from controller.reports.round_search import RoundQuery, find_rounds
from tests.core.bench import Bench
from tests.floor.history.test_search import MANAGER, looked_for
from tests.reports.week import journal

EVENING = (
    "open; bet anna banker 10.00; bet bogdan player 25.00; close; card 9C; card 2D; card KC; card 3D; press finish; "
    "open; bet bogdan tie 5.00; close; card 2S; card KC; card 3H; card 3S; card 8D; press finish"
)


def two_rounds_store(path):
    """Return a store at this path with two rounds, and their records."""
    bench, store = Bench(), Store(path)
    bench.says(EVENING)
    store.add([decode_event("table", "e1", msgspec.json.encode(view(one, "manager"))) for one in bench.records])
    return store, bench.records


@pytest.fixture
def evening(tmp_path):
    store, records = two_rounds_store(tmp_path / "main.floor")
    with closing(store):
        yield store, records


def found(store, **parameters):
    """Return the numbers of the rounds that the search finds."""
    return [one.row.number for one in search.search(store, SearchParameters(**parameters))]


def test_rounds_are_found_by_player_stake_bet_and_result(evening):
    store, records = evening
    bet = next(one.what.bet for one in records if one.kind == "bet_accepted" and one.round == 2)
    for parameters, numbers in (
        ({"player": "anna"}, [1]),
        ({"player": "bogdan"}, [2, 1]),
        ({"player": "bogdan", "least": 600}, [1]),
        ({"player": "anna", "least": 1100}, []),  # player and stake must be of the same bet
        ({"least": 500, "most": 999}, [2]),
        ({"winner": "tie"}, [2]),
        ({"bet": bet}, [2]),
        ({"how": "resettled"}, []),
    ):
        assert found(store, **parameters) == numbers, parameters


def test_stakes_are_compared_in_their_own_currency(evening):
    store, records = evening
    bodies = (msgspec.json.encode(view(one, "manager")) for one in records)
    store.add([decode_event("table", "e2", body.replace(b'"EUR"', b'"JPY"')) for body in bodies])
    for currency in ("EUR", "JPY"):
        parameters = parse_search(QueryParams(least="1000", currency=currency), ShiftsSection())
        assert [one.row.currency for one in search.search(store, parameters)] == [currency]


def test_table_and_floor_find_the_same_rounds_by_id(evening, tmp_path):
    """Searched by the id of a round, of a bet, and by misspelt ids."""
    store, records = evening
    ids = [one.what.round_id for one in records if one.kind == "opened"]
    of_bets = [one.what.bet for one in records if one.kind == "bet_accepted"]
    kept_by_table = journal(tmp_path / "t1.journal", tuple(records))
    for bet in (*ids, *of_bets, ids[0].lower(), f"{ids[1]}.99", f"{ids[0]}9", ids[0][:-1], f".{ids[0]}", ".1", "."):
        at_floor = found(store, bet=bet)
        at_table = find_rounds(kept_by_table, RoundQuery(bet=bet), 50)
        assert [one.round for one in at_table.rounds] == at_floor, bet
        assert at_floor == [ids.index(one) + 1 for one in ids if one == bet.upper().partition(".")[0]], bet
    assert found(store, bet=ids[0], player="anna") == [1]
    assert found(store, bet=ids[1], player="anna") == []


@pytest.mark.parametrize(("stake", "finds"), [(2**53 - 1, [1]), (2**53, []), (2**70, [])])
def test_a_stake_beyond_the_largest_number_is_not_searchable(tmp_path, stake, finds):
    """No table takes such a bet; an event of a false table may claim one."""
    bench = Bench()
    bench.says(EVENING)
    whole = [msgspec.to_builtins(view(one, "manager")) for one in bench.records]
    bodies = [{**one, "stake": stake} if one["kind"] == "bet_accepted" else one for one in whole]
    with closing(Store(tmp_path / "main.floor")) as store:
        store.add([decode_event("table", "e1", msgspec.json.encode(one)) for one in bodies])
        assert found(store, player="anna") == finds


def test_a_store_of_version_2_gets_stakes(tmp_path):
    store, _ = two_rounds_store(tmp_path / "main.floor")
    store.close()
    with closing(sqlite3.connect(store.path)) as db, db:
        whole = db.execute("SELECT * FROM stakes").fetchall()
        db.execute("DELETE FROM stakes")
        db.execute("PRAGMA user_version = 2")
    assert len(whole) == 3
    with closing(Store(store.path)) as again, again.open_read_only() as db:
        assert db.execute("SELECT * FROM stakes").fetchall() == whole


@pytest.mark.parametrize("asked", [{"player": "anna"}, {"bet": "R.1"}, {"player": "anna", "least": 5}], ids=str)
def test_a_players_rounds_are_found_by_index(evening, asked):
    store, _ = evening
    where, values = search._where_clause(SearchParameters(**asked))
    with store.open_read_only() as db:
        plan = db.execute(f"EXPLAIN QUERY PLAN SELECT * FROM rounds AS r WHERE {where}", values).fetchall()
    assert not [step for *_, step in plan if step.startswith("SCAN r")]


def test_a_bad_floor_search_is_refused_in_a_sentence(tmp_path, bus):
    async def steps(floor, aurel, *_):
        answer = await aurel.ask("POST", "/api/floor/rounds", {"table": "t2", "number": "2"})
        assert [(one["table"], one["round"]) for one in answer.body["rounds"]] == [("t2", 2)]
        for query, why in (
            ({"least": "-5"}, "amount: expected 0 or more, such as 12.50, got '-5'"),
            ({"from": "2026-02-30"}, "time: expected one that exists"),
            ({"number": "x"}, "number: expected a number from 1 on, got 'x'"),
            ({"colour": "red"}, "'colour' cannot be searched for"),
        ):
            answer = await aurel.ask("POST", "/api/floor/rounds", query)
            assert (answer.status, answer.body["detail"].startswith(why)) == (400, True), answer
        maria = await floor.signed_in(MANAGER)
        maria.csrf = None
        assert (await maria.ask("POST", "/api/floor/rounds", {})).status in (401, 403)

    looked_for(tmp_path, bus, steps)
