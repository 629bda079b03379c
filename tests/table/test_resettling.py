"""Large resettlement by a live table: recorded part by part, cards between, completed after a kill."""

import asyncio
import os
import signal
import sys
from threading import get_ident

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide import resettlements
from controller.core.house import Ceilings
from controller.games import GAMES
from controller.journal import Journal, read, verify, with_past
from controller.table.loop import Table
from tests.patience import on_loop
from tests.processes import finish
from tests.table.test_slices import BETS, SIZE, SLICES, bets, each_once
from tests.table.test_table import NATURAL, JournaledTable, impatient, path, started

__all__ = ["impatient", "path"]

VOID = (e.Amendment("cancel"),)
PARTS = -(-BETS // SIZE)


def resettlement(path, table, *amendments, number=1):
    event = e.Resettle(number, amendments or VOID, "m", "misread", "n")
    return with_past(path, table.house, GAMES, table.state.revisions, event)


async def over(path, house=SLICES):
    """Start a table and play its first round until all bets are paid."""
    rig = await started(path, house)
    bets(rig)
    rig.deal(*NATURAL)
    await rig.table.wait_until_finished()
    return rig


async def between(path):
    """Start a table that has recorded only the first part of a resettlement."""
    rig = await over(path)
    rig.take(resettlement(path, rig.table))
    assert rig.kinds()[-1] == "resettled"
    assert rig.table.state.is_unfinished
    return rig


def movement_ids(path):
    """Return the ids of all movements in the record, in order."""
    return [one.id for record in read(path) if record.kind == "resettled" for one in record.what.movements]


def all_moved_once(path):
    verify(path)
    first = next(record.what for record in read(path) if record.kind == "resettled")
    return movement_ids(path) == [one.id for one in first.whole_record.movements] and len(movement_ids(path)) == BETS


def test_a_large_resettlement_goes_on_by_itself_part_by_part(path):
    async def steps():
        rig = await between(path)
        await rig.table.wait_until_finished()
        assert rig.kinds().count("resettled") == PARTS
        assert all(rig.on_disk_by_then)
        assert all_moved_once(path)
        rig.close()

    on_loop(steps)


def test_a_live_round_goes_on_between_two_parts(path):
    async def steps():
        rig = await between(path)
        rig.take(e.Open(), e.PlaceBet("late", "tie", 100), e.Close())
        rig.deal("9C")
        assert rig.kinds()[-4:] == ["opened", "bet_accepted", "closed", "dealt"]
        assert rig.table.state.is_unfinished
        await rig.table.wait_until_finished()
        assert (rig.table.state.life, all_moved_once(path)) == ("dealing", True)
        rig.close()

    on_loop(steps)


def test_a_table_that_stops_records_the_rest_first(path):
    async def steps():
        rig = await between(path)
        rig.close()
        assert all_moved_once(path)

    on_loop(steps)


def test_a_full_disk_between_parts_loses_no_movement(path):
    async def steps():
        rig = await between(path)
        rig.journal.broken = "disk full"
        await rig.tried_to_heal()
        await rig.table.wait_until_finished()  # it does not wait while the table cannot record
        assert rig.table.state.is_unfinished
        rig.journal.broken = None
        await rig.until(lambda: not rig.table.state.is_unfinished)
        assert all_moved_once(path)
        rig.close()

    on_loop(steps)


def test_the_journal_changes_files_only_after_the_last_part(path):
    async def steps():
        rig = await between(path)
        tidied = []
        rig.journal.tidy = lambda: tidied.append(rig.table.state.is_unfinished) or False
        await rig.table.wait_until_finished()
        for _ in range(3):
            await asyncio.sleep(0)
        assert set(tidied) == {False}
        rig.close()

    on_loop(steps)


def test_a_result_worked_out_beforehand_is_not_worked_out_again(path, monkeypatch):
    async def steps():
        rig = await over(path)
        event = resettlement(path, rig.table)
        result = await asyncio.to_thread(resettlements.work_out_event, rig.table.house, rig.table._position, event, 0)
        here, worked = get_ident(), []
        monkeypatch.setattr(resettlements, "compute_result", lambda *_: worked.append(get_ident() == here))
        rig.table.prepare(event, result)
        rig.take(event)
        await rig.table.wait_until_finished()
        assert (worked, all_moved_once(path)) == ([], True)
        rig.close()

    on_loop(steps)


def test_a_card_comes_while_capped_payments_are_worked_out(path, monkeypatch):
    monkeypatch.setattr("controller.core.pieces.PIECE", 5)
    ceilings = replace(SLICES, terms=replace(SLICES.terms, ceilings=Ceilings(bet=120, round=2000)))

    async def steps():
        rig = await started(path, ceilings)
        bets(rig)
        rig.deal(*NATURAL)
        turns = 0
        while "paid" not in rig.kinds():
            turns += 1
            await asyncio.sleep(0)
            if turns == 2:
                rig.deal("4D")
                assert rig.kinds()[-2:] == ["drawn", "faulted"]
        await rig.until(lambda: not rig.table.state.owes)
        won = [one.what.returned - one.what.stake for one in read(path) if one.kind == "paid"]
        assert (each_once(path), max(won) <= 120, sum(won)) == (True, True, 2000)
        rig.close()

    on_loop(steps)


# ── kills ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def die_after_parts(path, parts):
    """Resettle a round, and kill this process once so many parts are announced."""

    async def steps():
        rig = JournaledTable(path, SLICES)
        rig.table.start("d1")
        bets(rig)
        rig.deal(*NATURAL)
        await rig.table.wait_until_finished()
        left = parts

        def announced(_, records):
            nonlocal left
            left -= any(record.kind == "resettled" for record in records)
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        rig.table.subscribe(announced)
        rig.take(resettlement(path, rig.table))
        await rig.table.wait_until_finished()

    asyncio.run(steps())


@pytest.mark.parametrize("parts", range(1, PARTS + 1))
def test_a_killed_table_records_the_rest_at_its_start(path, parts):
    program = "from pathlib import Path; from tests.table.test_resettling import die_after_parts; "
    ended = finish([sys.executable, "-c", f"{program}die_after_parts(Path({str(path)!r}), {parts})"])
    assert ended.returncode == -signal.SIGKILL
    assert len(movement_ids(path)) == min(BETS, parts * SIZE)

    async def steps():
        table = Table(SLICES, Journal(path))
        table.start("d1")
        await table.wait_until_finished()
        assert table.state.revisions[1].number == 1
        table.stop()
        table.journal.close()

    on_loop(steps)
    assert all_moved_once(path)
