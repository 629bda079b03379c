"""Concurrent tasks end with certainty, even those that lose a cancellation."""

import asyncio

import pytest

from controller.journal.tasks import cancel_tasks, run_together
from tests.patience import on_loop, turns


class Deaf:
    """Task that loses its first cancellations, as `wait_for` before Python 3.12 may."""

    def __init__(self, losses: int = 1) -> None:
        self.losses, self.has_ended = losses, False

    async def run(self) -> None:
        try:
            while True:
                try:
                    await asyncio.Event().wait()
                except asyncio.CancelledError:
                    self.losses -= 1
                    if self.losses < 0:
                        raise
        finally:
            self.has_ended = True


@pytest.mark.parametrize("losses", [0, 1, 3])
def test_tasks_that_lose_cancellations_end_with_the_others(losses):
    async def steps():
        deaf, good = Deaf(losses), Deaf(0)
        task = asyncio.create_task(run_together(run_together(deaf.run(), good.run()), good.run()))
        await turns()
        await cancel_tasks([task])
        assert task.cancelled()
        assert deaf.has_ended
        assert good.has_ended

    on_loop(steps)


def test_a_failed_task_ends_the_others_and_is_raised():
    async def steps():
        deaf = Deaf()

        async def fails():
            await turns(3)
            raise OSError("the line is cut")

        with pytest.raises(OSError, match="the line is cut"):
            await run_together(deaf.run(), fails())
        assert deaf.has_ended

    on_loop(steps)


def test_a_cancellation_while_tasks_end_is_raised_after_them():
    """A task that is left running would use a connection that is closed next."""

    async def steps():
        deaf = Deaf(3)
        task = asyncio.create_task(deaf.run())
        await turns()
        ending = asyncio.create_task(cancel_tasks([task]))
        await turns()
        ending.cancel()
        await asyncio.wait([ending])
        assert ending.cancelled()
        assert deaf.has_ended

    on_loop(steps)


def test_tasks_that_end_by_themselves_are_awaited():
    async def steps():
        words = []

        async def says(word):
            await turns(3)
            words.append(word)

        await run_together(says("a"), says("b"))
        assert words == ["a", "b"]

    on_loop(steps)
