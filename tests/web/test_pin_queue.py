"""Queue of PINs to check: one at a time, few of each source; no crowd takes another's place."""

import asyncio

import pytest

from controller.web.access.pin_queue import EACH, STRANGERS, PinQueue, PinQueueFull
from controller.web.access.sources import PinSource, badges_at
from tests.patience import on_loop, turns


def stranger(network: int) -> PinSource:
    return PinSource("network", f"10.0.{network}.0/24", "")


class Tries:
    """PINs in a queue; each check lasts until the test sets `go`."""

    def __init__(self) -> None:
        self.queue, self.begun, self.go = PinQueue(), [], asyncio.Event()

    def of(self, source: PinSource) -> asyncio.Task[str]:
        return asyncio.create_task(self._try(source))

    async def _try(self, source: PinSource) -> str:
        try:
            async with self.queue.turn(source):
                self.begun.append(source.key)
                await self.go.wait()
                return "tried"
        except PinQueueFull:
            return "crowded"


def with_tries(steps) -> None:
    async def of_them() -> None:
        await steps(Tries())

    on_loop(of_them)


def test_each_source_has_two_places():
    async def steps(tries):
        tasks = [tries.of(stranger(number % 2)) for number in range(2 * EACH + 2)]
        await turns()
        tries.go.set()
        assert sorted([await one for one in tasks]) == ["crowded"] * 2 + ["tried"] * 2 * EACH
        assert tries.queue.waiting == []

    with_tries(steps)


def test_a_new_network_takes_the_second_place_of_another():
    async def steps(tries):
        crowd = [tries.of(stranger(number // EACH)) for number in range(STRANGERS)]
        await turns()
        late = tries.of(stranger(99))
        await turns()
        tries.go.set()
        assert await late == "tried"
        assert [await one for one in crowd] == ["tried"] * (STRANGERS - 1) + ["crowded"]

    with_tries(steps)


def test_networks_with_one_place_each_keep_it():
    async def steps(tries):
        crowd = [tries.of(stranger(number)) for number in range(STRANGERS)]
        await turns()
        assert await tries.of(stranger(99)) == "crowded"
        tries.go.set()
        assert {await one for one in crowd} == {"tried"}

    with_tries(steps)


@pytest.mark.parametrize("kind", ["session", "pc", "marked", "badge"])
def test_known_sources_are_tried_before_all_strangers(kind):
    async def steps(tries):
        crowd = [tries.of(stranger(number)) for number in range(STRANGERS)]
        await turns()
        task = tries.of(PinSource(kind, "known", ""))
        await turns()
        tries.go.set()
        assert await task == "tried"
        await asyncio.gather(*crowd)
        assert tries.begun.index("known") == 1

    with_tries(steps)


def test_badges_from_unknown_browsers_have_places_before_pins():
    async def steps(tries):
        crowd = [tries.of(stranger(number)) for number in range(STRANGERS)]
        await turns()
        badges = [tries.of(badges_at(stranger(number))) for number in range(STRANGERS)]
        await turns()
        tries.go.set()
        assert {await one for one in (*badges, *crowd)} == {"tried"}
        assert tries.begun[1] == badges_at(stranger(0)).key

    with_tries(steps)


def test_a_known_source_is_tried_before_badges_from_unknown_browsers():
    async def steps(tries):
        badges = [tries.of(badges_at(stranger(number))) for number in range(STRANGERS)]
        await turns()
        task = tries.of(PinSource("marked", "known", ""))
        await turns()
        tries.go.set()
        assert {await one for one in (task, *badges)} == {"tried"}
        assert tries.begun.index("known") == 1

    with_tries(steps)


def test_a_place_that_was_just_left_is_taken_without_harm():
    async def steps(tries):
        crowd = [tries.of(stranger(number // EACH)) for number in range(STRANGERS)]
        await turns()
        for one in crowd:
            one.cancel()  # they leave the queue at the loop's next turn
        late = tries.of(stranger(99))
        tries.go.set()
        assert await late == "tried"
        left = await asyncio.gather(*crowd, return_exceptions=True)
        assert {type(one) for one in left} == {asyncio.CancelledError}
        assert tries.queue.waiting == []

    with_tries(steps)


def test_a_caller_that_gives_up_leaves_the_queue():
    async def steps(tries):
        first, second, third = (tries.of(stranger(number)) for number in range(3))
        await turns()
        first.cancel()
        second.cancel()
        await turns()
        tries.go.set()
        assert await third == "tried"
        assert tries.queue.waiting == []

    with_tries(steps)
