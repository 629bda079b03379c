"""Dealer of a demo: which card goes wrong, once a round. Also waiting times at a higher speed."""

import asyncio
import random
from types import SimpleNamespace

import pytest

from controller.lab.demo import pace as paces
from controller.lab.demo.dealer import DemoDealer
from controller.lab.demo.pace import DemoPace, StuckDemo
from controller.rules.procedure import Deal
from tests.patience import PATIENCE, on_loop

UP, DOWN = Deal("player"), Deal("dealer", face_up=False)


def dealer(error: str, wrong: int, due: object = UP, *, face_down: bool = False) -> DemoDealer:
    """Return a dealer who is to make this error with draw number `wrong`, or with a face-down card."""
    pace = SimpleNamespace(sight=SimpleNamespace(due=due))
    one = DemoDealer(None, None, pace, random.Random(1), hides=face_down)
    one._error, one._wrong, one._wrong_face_down = error, wrong, face_down
    return one


@pytest.mark.parametrize(
    ("error", "due", "face_down", "wrong_at"),
    [
        ("unread", UP, False, [3]),
        ("unread", DOWN, False, [3]),
        ("misread", UP, False, [3]),
        ("misread", DOWN, False, []),
        ("unread", UP, True, []),
        ("unread", DOWN, True, [1]),
        ("misread", UP, True, [3]),
        ("early", UP, False, []),
    ],
)
def test_an_error_is_made_once_at_its_draw(error, due, face_down, wrong_at):
    one = dealer(error, 3, due, face_down=face_down)
    draws = [(number, one._goes_wrong("unread", number), one._goes_wrong("misread", number)) for number in range(1, 6)]
    assert [number for number, *wrong in draws if any(wrong)] == wrong_at
    assert [number for number, unread, _ in draws if unread] == (wrong_at if error == "unread" else [])


class Still(DemoPace):
    """Table at which nothing happens."""

    sight = None

    def describe_state(self) -> str:
        return "betting since noon"


@pytest.mark.parametrize("hides", [True, False])
def test_an_error_comes_with_any_draw_or_a_hidden_one(hides):
    """Over 60 seeds the error falls on each of four draws; only games with hidden cards have it face down."""
    found = set()

    async def opened():
        raise StuckDemo

    async def steps():
        for seed in range(60):
            gear = SimpleNamespace(open_round=opened)
            one = DemoDealer(gear, None, Still(10**9, 1.0), random.Random(seed), hides=hides)
            with pytest.raises(StuckDemo):
                await one.play_round("unread")
            found.add((one._error, one._wrong, one._wrong_face_down))

    on_loop(steps)
    assert found == {("unread", wrong, down) for wrong in range(1, 5) for down in ({True, False} if hides else {False})}


def test_a_pause_shortens_as_the_time_runs_faster(monkeypatch):
    waited, sleep = [], asyncio.sleep

    async def noted(seconds):
        waited.append(seconds)
        await sleep(0)

    monkeypatch.setattr(paces.asyncio, "sleep", noted)
    on_loop(lambda: Still(4.0, 1.0).pause(2.0))
    assert waited == [0.5]


def test_people_wait_no_longer_than_their_patience():
    with pytest.raises(StuckDemo, match="betting since noon"):
        on_loop(lambda: Still(1.0, 0.01).wait_until(lambda: False))


def test_a_limited_wait_ends_without_its_condition():
    async def steps():
        table = Still(1000.0, PATIENCE)
        await table.wait_at_most(10.0, lambda: False)
        flags = list[bool]()
        waits = asyncio.create_task(table.wait_at_most(1000 * PATIENCE, lambda: bool(flags)))
        await asyncio.sleep(0)
        flags.append(True)
        table.changed.set()
        await waits
        await table.wait_until(lambda: True)

    on_loop(steps)
