"""Live table that pays a large book in slices: a card comes in between, a key waits for the last one."""

import asyncio
import os
import signal
import sys
from collections import Counter

import pytest
from msgspec.structs import replace

from controller.core import events as e
from controller.core.decide.input_groups import GroupPart
from controller.journal import Journal, read, verify
from controller.table.loop import Table
from tests.patience import on_loop
from tests.processes import finish
from tests.table.test_table import HOLDEM, HOUSE, NATURAL, JournaledTable, impatient, path, started

__all__ = ["impatient", "path"]

BETS, SIZE = 40, 7
SLICES = replace(HOUSE, slice=SIZE, terms=replace(HOUSE.terms, confirm="auto"))


def bets(rig, count=BETS):
    rig.take(e.Open(), *(e.PlaceBet(f"p{number}", "player", 100 + number) for number in range(count)), e.Close())


async def settled(path):
    """Start a table and deal a round's last card; all its bets are still unpaid."""
    rig = await started(path, SLICES)
    bets(rig)
    rig.deal(*NATURAL)
    assert (rig.table.state.life, rig.table.state.owes, rig.kinds()[-1]) == ("settled", True, "settled")
    return rig


def paid(path):
    """Return how often each bet of the record was paid."""
    return Counter(record.what.bet for record in read(path) if record.kind == "paid")


def each_once(path):
    verify(path)
    return sorted(paid(path).values()) == [1] * BETS


def test_a_large_book_is_paid_by_itself_slice_by_slice(path):
    async def steps():
        rig = await settled(path)
        await rig.until(lambda: not rig.table.state.owes)
        slices = [count for _, count in rig.calls if count > 3]
        assert slices == [*[SIZE] * (BETS // SIZE), BETS % SIZE + 1]
        assert each_once(path)
        assert all(rig.on_disk_by_then)
        rig.close()

    on_loop(steps)


def test_a_card_comes_between_two_slices(path):
    async def steps():
        rig = await settled(path)
        await rig.until(lambda: paid(path))
        rig.deal("4D")
        assert rig.kinds()[-2:] == ["drawn", "faulted"]
        assert rig.table.state.owes
        await rig.until(lambda: not rig.table.state.owes)
        assert (rig.table.state.life, each_once(path)) == ("paused", True)
        rig.close()

    on_loop(steps)


def test_a_key_for_the_next_round_waits_for_payment(path):
    async def steps():
        rig = await settled(path)
        rig.take(e.KeyPressed("open"))
        assert rig.kinds()[-1] == "settled"
        await rig.until(lambda: rig.table.state.life == "betting")
        kinds = rig.kinds()
        assert kinds[-2:] == ["checkpoint", "opened"]
        assert each_once(path)
        rig.close()

    on_loop(steps)


def test_a_list_of_bets_is_answered_between_slices(path):
    async def steps():
        rig = await settled(path)
        parts = [GroupPart(e.PlaceBet("late", "tie", 100)), GroupPart(e.LineCut("late"))]
        assert rig.table.take_soon(parts) == 2
        rig.table._work()
        assert rig.kinds()[-2:] == ["bet_refused", "player_gone"]
        assert rig.table.state.owes
        rig.close()

    on_loop(steps)


def test_paid_returns_after_the_last_slice(path):
    async def steps():
        rig = await settled(path)
        await rig.table.wait_until_paid()
        assert (rig.table.state.owes, each_once(path)) == (False, True)
        await rig.table.wait_until_paid()
        rig.close()

    on_loop(steps)


def test_a_table_that_stops_pays_first(path):
    async def steps():
        rig = await settled(path)
        rig.take(e.KeyPressed("open"))
        rig.close()
        assert [record.kind for record in read(path)][-1] == "opened"
        assert each_once(path)

    on_loop(steps)


def test_a_full_disk_between_slices_loses_no_payment(path):
    async def steps():
        rig = await settled(path)
        rig.journal.broken = "disk full"
        await rig.tried_to_heal()
        await rig.table.wait_until_paid()  # it does not wait while the table cannot pay
        assert rig.table.state.owes
        rig.journal.broken = None
        await rig.until(lambda: not rig.table.state.owes)
        assert each_once(path)
        rig.close()

    on_loop(steps)


def test_the_journal_changes_files_only_after_the_last_slice(path):
    async def steps():
        rig = await settled(path)
        tidied = []
        rig.journal.tidy = lambda: tidied.append(rig.table.state.owes) or False
        await rig.until(lambda: not rig.table.state.owes)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert set(tidied) == {False}
        rig.close()

    on_loop(steps)


def killed_after(path, slices):
    """Settle a round in another process, which kills itself once so many slices are announced."""
    program = "from pathlib import Path; from tests.table.test_slices import die_after_slices; "
    ended = finish([sys.executable, "-c", f"{program}die_after_slices(Path({str(path)!r}), {slices})"])
    assert ended.returncode == -signal.SIGKILL, ended.stderr


def die_after_slices(path, slices):
    async def steps():
        rig = JournaledTable(path, SLICES)
        rig.table.start("d1")
        left = slices

        def announced(_, records):
            nonlocal left
            left -= any(record.kind in ("settled", "paid") for record in records)
            if left < 0:
                os.kill(os.getpid(), signal.SIGKILL)

        rig.table.subscribe(announced)
        bets(rig)
        rig.deal(*NATURAL)
        await rig.table.wait_until_paid()

    asyncio.run(steps())


@pytest.mark.parametrize("slices", range(BETS // SIZE + 1))
def test_a_killed_table_pays_the_rest_at_its_start(path, slices):
    killed_after(path, slices)
    before = sum(paid(path).values())

    async def steps():
        table = Table(SLICES, Journal(path))
        table.start("d1")
        await table.wait_until_paid()
        table.stop()
        table.journal.close()

    on_loop(steps)
    assert before <= BETS
    assert each_once(path)


def test_a_key_behind_the_last_decision_waits_for_payment(path):
    """Both are in one transaction: the decision ends the round, the key is decided once all bets are paid."""

    async def steps():
        terms = replace(HOLDEM.terms, confirm="auto")
        rig = await started(path, replace(HOLDEM, slice=1, terms=terms))
        players = ("a", "b", "c")
        rig.take(e.KeyPressed("shuffled"), e.Open(), *(e.PlaceBet(one, "ante", 100) for one in players), e.Close())
        rig.deal("AS", "KH", "9S", "9D", "QD", "2C", "3C")
        number = rig.table.state.round.number
        assert rig.table.take_soon([GroupPart(e.Choose(one, "fold")) for one in players]) == len(players)
        rig.take(e.KeyPressed("shuffled"))
        assert (rig.table.state.life, rig.table.state.owes, rig.kinds()[-1]) == ("settled", True, "settled")
        await rig.table.wait_until_recorded()
        kinds = rig.kinds()
        assert kinds.index("checkpoint", kinds.index("settled")) < len(kinds) - 1
        assert kinds.count("paid") == len(players) * number
        rig.close()

    on_loop(steps)
