"""Commands of many requests share a transaction, in order; a card waits for at most one commit."""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import controller.table.deciding
import controller.table.loop
from controller.core import events as e
from controller.table import input_queue
from controller.table.input_queue import MANY
from controller.web.api.command_decoder import read
from controller.web.api.commands import Caller
from controller.web.api.verdicts import Verdict
from tests.patience import PATIENCE, on_loop, turns, until
from tests.web.rig import Spoken
from tests.web.test_api import bet
from tests.web.test_lists import bets, written


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)
    monkeypatch.setattr(input_queue, "LONGEST", PATIENCE)  # wait while each turn brings more commands


def ids(table: Spoken) -> list[str]:
    """Return the ids of the recorded commands, in the order of the record."""
    given = [record.input.origin for record in table.rig.recorded() if record.input and record.input.origin]
    return [origin.command for origin in given if origin.command]


def took(table: Spoken, *commands: dict) -> list[asyncio.Task]:
    """Start one request for each command; all reach the intake in this order, in one turn of the loop."""

    async def each(one: dict) -> Verdict:
        caller = Caller("server", "server", "token:platform")
        (verdict,) = [v async for v in table.api._intake.one_by_one(caller, read(json.dumps(one).encode()).commands)]
        return verdict

    return [asyncio.create_task(each(one)) for one in commands]


def test_bets_that_come_together_share_one_transaction(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sizes = written(table)
            verdicts = await asyncio.gather(*took(table, *bets(20)))
            assert {one.verdict for one in verdicts} == {"done"}
            assert sizes == [20]
            assert ids(table) == [one["id"] for one in bets(20)]

    on_loop(steps)


def test_a_card_takes_the_bets_before_it_along(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sizes, tasks = written(table), took(table, *bets(3))
            await asyncio.sleep(0)  # the bets have arrived
            table.rig.take(e.CardOut("5H"))
            assert len(sizes) == 1
            assert [one.verdict for one in await asyncio.gather(*tasks)] == ["done"] * 3
            accepted = [record.seq for record in table.rig.recorded() if record.kind == "bet_accepted"]
            assert max(accepted) < table.table.state.fault.seq
            late = await asyncio.gather(*took(table, *bets(1, 9)))
            assert [one.reason for one in late] == ["betting_closed"]

    on_loop(steps)


def test_the_same_command_twice_at_once_is_done_once(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            one, other = await asyncio.gather(*took(table, bet(1), bet(1)))
            assert one == other
            assert ids(table) == [bet(1)["id"]]

    on_loop(steps)


def test_each_refused_bet_has_its_own_reason(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sent = [bet(1), {**bet(1), "id": "again"}, {**bet(2), "round": 7}, bet(3)]
            verdicts = await asyncio.gather(*took(table, *sent))
            assert [one.reason for one in verdicts] == [None, "duplicate_bet", "other_round", None]

    on_loop(steps)


def test_bets_of_a_transaction_that_fails_wait_and_count_later(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            table.rig.journal.broken = "disk full"
            verdicts = await asyncio.gather(*took(table, *bets(5)))
            assert {one.verdict for one in verdicts} == {"waiting"}
            assert {one.verdict for one in await asyncio.gather(*took(table, *bets(5, 5)))} == {"untaken"}
            table.rig.journal.broken = None
            await table.rig.until(lambda: table.table.halted is None)
            assert ids(table) == [one["id"] for one in bets(5)]

    on_loop(steps)


def test_bets_that_wait_as_the_table_stops_are_recorded(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            tasks = took(table, *bets(5))
            await asyncio.sleep(0)
            table.table.stop()
            assert ids(table) == [one["id"] for one in bets(5)]
            assert {one.verdict for one in await asyncio.gather(*tasks)} == {"done"}
            late = await asyncio.gather(*took(table, bet(6)))
            assert [(one.verdict, one.reason) for one in late] == [("untaken", "ending")]

    on_loop(steps)


def test_a_card_waits_for_one_commit_however_many_bets_wait(tmp_path):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            sizes, before = written(table), list[int]()
            table.table.subscribe(lambda one, _: before.append(len(sizes)) if one.state.life == "paused" else None)
            tasks = took(table, *bets(3 * MANY - 10))
            await asyncio.sleep(0)  # all have arrived: two full transactions are recorded, the rest waits
            assert sizes == [MANY, MANY]
            table.rig.take(e.CardOut("5H"))
            assert before[0] == 3
            assert {one.verdict for one in await asyncio.gather(*tasks)} == {"done"}

    on_loop(steps)


def test_a_bug_in_a_shared_transaction_is_no_verdict(tmp_path, monkeypatch):
    async def steps():
        async with Spoken(tmp_path) as table:
            table.rig.take(e.Open())
            loop, bugs = asyncio.get_running_loop(), list[dict]()
            loop.set_exception_handler(lambda _, context: bugs.append(context))
            monkeypatch.setattr(controller.table.deciding, "decide_all", lambda *_: 1 / 0)
            tasks = took(table, *bets(3))
            await until(lambda: bugs)
            await turns()
            assert isinstance(bugs[0]["exception"], ZeroDivisionError)
            assert not any(task.done() for task in tasks)  # the program ends: clients send them again
            monkeypatch.undo()
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    on_loop(steps)


@settings(max_examples=15)
@given(st.lists(st.tuples(st.integers(0, 4), st.sampled_from(["bet", "unbet"])), max_size=60))
def test_commands_at_once_are_recorded_as_one_by_one(tmp_path_factory, said):
    sent = [{**bet(n), "id": f"c{i}"} for i, (n, _) in enumerate(said)]
    for one, (_, kind) in zip(sent, said, strict=True):
        if kind == "unbet":
            one["command"] = "unbet"
            del one["stake"]

    async def record(*, at_once: bool) -> tuple[list, list]:
        async with Spoken(tmp_path_factory.mktemp("t")) as table:
            table.rig.take(e.Open())
            tasks = took(table, *sent) if at_once else []
            verdicts = await asyncio.gather(*tasks)
            for one in [] if at_once else sent:
                verdicts += await asyncio.gather(*took(table, one))
            records = [(one.seq, one.kind, one.input and one.input.event) for one in table.rig.recorded()]
            return records[5:], [one.reason for one in verdicts]

    async def steps():
        assert await record(at_once=True) == await record(at_once=False)

    on_loop(steps)


REQUESTS = st.lists(
    st.tuples(
        st.sampled_from(["one_by_one", "all_or_none"]),
        st.lists(st.integers(0, 30), min_size=1, max_size=6),
        st.integers(0, 3),  # turns of the loop until the next request
        st.sampled_from([None] * 6 + ["card", "close", "broken", "mended"]),
    ),
    max_size=25,
)


@settings(max_examples=15)
@given(REQUESTS)
def test_one_id_over_all_ways_at_once_is_done_once(tmp_path_factory, requests):
    asked_in_random_order(tmp_path_factory.mktemp("t"), requests)


@pytest.mark.proof
@settings(max_examples=150)
@given(REQUESTS)
def test_one_id_over_all_ways_is_done_once_for_long(tmp_path_factory, requests):
    asked_in_random_order(tmp_path_factory.mktemp("t"), requests)


LIST_ALONE = ("id_reused", "not_all")  # reasons that may concern one list, and not the command


def asked_in_random_order(folder: Path, requests: list) -> None:
    """Send bets in random ways and order; a bet that is sent again gets its first verdict.

    Ways: alone, in lists, all or none, twice. In between are cards, closed bets and a disk that fails.
    """

    async def verdicts(table: Spoken, how: str, numbers: list[int]) -> dict[str, tuple]:
        caller = Caller("server", "server", "token:platform")
        sent = read(json.dumps([bet(number) for number in numbers]).encode()).commands
        take = getattr(table.api._intake, how)
        return {one.id: (one.verdict, one.reason) async for one in take(caller, sent)}

    async def steps():
        async with Spoken(folder) as table:
            table.rig.take(e.Open())
            tasks = []
            for how, numbers, pause, event in requests:
                tasks.append((numbers, asyncio.create_task(verdicts(table, how, numbers))))
                for _ in range(pause):
                    await asyncio.sleep(0)
                happens(table, event)
            first = [(numbers, await task) for numbers, task in tasks]
            happens(table, "mended")
            await until(lambda: table.table.halted is None)
            recorded = ids(table)
            assert len(recorded) == len(set(recorded))
            for numbers, answers in first:
                again = await verdicts(table, "one_by_one", numbers)
                for one, (verdict, reason) in answers.items():
                    if verdict in ("done", "refused") and reason not in LIST_ALONE:
                        assert one in recorded
                        assert again[one] == (verdict, reason)

    on_loop(steps)


def happens(table: Spoken, event: str | None) -> None:
    """Deal a card, close the bets, or break or repair the disk."""
    if event in ("broken", "mended"):
        table.rig.journal.broken = "disk full" if event == "broken" else None
    elif event is not None:
        table.rig.take(e.CardOut("5H") if event == "card" else e.Close())
