"""Idle work waits for everything else, and newer work replaces what is left of it."""

import asyncio
from functools import partial

from controller.table.idle import Idle
from tests.patience import turns


def test_idle_work_runs_one_piece_per_loop_turn():
    async def steps():
        idle, done, counts = Idle(), [], []
        idle.do([partial(done.append, number) for number in range(3)])
        assert done == []
        for _ in range(4):
            await turns(1)
            counts.append(len(done))
        assert (done, counts) == ([0, 1, 2], [1, 2, 3, 3])

    asyncio.run(steps())


def test_an_event_between_pieces_of_idle_work_runs_first():
    async def steps():
        idle, done = Idle(), []
        idle.do([partial(done.append, "first"), partial(done.append, "second")])
        asyncio.get_running_loop().call_soon(done.append, "a card")
        await turns(3)
        assert done == ["first", "a card", "second"]

    asyncio.run(steps())


def test_newer_idle_work_replaces_what_was_left():
    async def steps():
        idle, done = Idle(), []
        idle.do([partial(done.append, "old 1"), partial(done.append, "old 2")])
        await turns(1)
        idle.do([partial(done.append, "new")])
        await turns(4)
        assert done == ["old 1", "new"]

    asyncio.run(steps())


def test_an_empty_list_drops_the_waiting_work():
    async def steps():
        idle, done = Idle(), []
        idle.do([partial(done.append, "old")])
        idle.do(())
        await turns(3)
        assert done == []
        idle.do([partial(done.append, "new")])
        await turns(3)
        assert done == ["new"]

    asyncio.run(steps())
