"""Course of a studio's demo: what starts after what, what ends it, and what is ended last."""

import asyncio
from types import SimpleNamespace

import pytest

from controller.bus.bus_client import BusFailed
from controller.bus.streams import Retention
from controller.lab.demo import studio
from controller.lab.demo.programs import Fallen
from controller.lab.demo.studio import StudioDemo, StudioLine, urls
from controller.lab.demo.studio_folder import OneTable
from tests.patience import on_loop, turns


class StubProgram:
    """Program that runs until it is ended, or falls at once. `steps`: list of all that happens."""

    def __init__(self, name: str, steps: list[str], *, falls: bool = False, over: bool = False) -> None:
        self.name, self.steps, self.falls, self.over = name, steps, falls, over
        self.stands = asyncio.Event()

    async def keep(self) -> None:
        self.steps.append(f"{self.name} begins")
        if self.falls:
            raise Fallen(f"{self.name} does not stand")
        if self.name.startswith("t"):
            self.stands.set()
        if not self.over:
            await asyncio.Event().wait()
        await turns()
        self.steps.append(f"{self.name} is over")

    async def end(self) -> None:
        self.steps.append(f"{self.name} ended")


def stub_studio(steps: list[str], *, fallen: str = "") -> StudioDemo:
    """Return a studio of two tables that end by themselves. `fallen`: the program that does not stand."""
    demo = StudioDemo.__new__(StudioDemo)
    demo.server, demo.floor = (StubProgram(name, steps, falls=name == fallen) for name in ("bus", "floor"))
    demo.tables = [StubProgram(name, steps, falls=name == fallen, over=not fallen) for name in ("t1", "t2")]
    demo.place, demo.floor_port = SimpleNamespace(admins="admins", studio="keys"), 8040
    return demo


def run_studio(monkeypatch, *, fallen: str = "", refusals: int = 2, answers: int = 2) -> list[str]:
    """Run a stub studio to its end; return what happened. `refusals`: of the bus; `answers`: looks at the floor."""
    steps, refused, looks = list[str](), iter(range(refusals)), iter(range(answers))

    async def made(*what):
        assert what == ("admins", Retention("main", events_gb=0.5), "keys")
        if next(refused, None) is not None:
            raise BusFailed("no answer")
        steps.append("streams made")

    async def is_there(port):
        assert port == 8040
        return next(looks, None) is None

    async def at_once(seconds, sleep=asyncio.sleep):
        assert seconds in (0, 0.1)
        await sleep(0)

    monkeypatch.setattr(studio, "make_streams", made)
    monkeypatch.setattr(studio, "_answers", is_there)
    monkeypatch.setattr(studio.asyncio, "sleep", at_once)

    async def whole():
        demo = stub_studio(steps, fallen=fallen)
        try:
            await demo.run(lambda: steps.append(f"ready, floor {demo.floor.stands.is_set()}"))
        finally:
            assert demo.server.stands.is_set() == ("streams made" in steps)
            assert asyncio.all_tasks() == {asyncio.current_task()}

    try:
        on_loop(whole)
    except Fallen as error:
        steps.append(str(error))
    return steps


def test_a_studio_starts_the_bus_first_and_ends_it_last(monkeypatch):
    begun, running = ["bus begins", "streams made"], ["t1 begins", "t2 begins", "floor begins", "ready, floor True"]
    over = ["t1 is over", "t2 is over"]
    assert run_studio(monkeypatch) == [*begun, *running, *over, "floor ended", "t1 ended", "t2 ended", "bus ended"]


@pytest.mark.parametrize("fallen", ["floor", "t2"])
def test_a_program_that_does_not_stand_ends_a_studio(monkeypatch, fallen):
    steps = run_studio(monkeypatch, fallen=fallen, answers=10**6)
    assert steps[-5:] == ["floor ended", "t1 ended", "t2 ended", "bus ended", f"{fallen} does not stand"]
    assert "ready, floor True" not in steps


def test_a_bus_that_does_not_stand_ends_a_studio(monkeypatch):
    steps = run_studio(monkeypatch, fallen="bus", refusals=10**6)
    assert steps[0] == "bus begins"
    assert steps[-2:] == ["bus ended", "bus does not stand"]
    assert "t1 begins" not in steps


def test_a_bus_that_never_answers_is_reported(monkeypatch):
    times = iter((0.0, studio.STANDS, studio.STANDS + 1))
    monkeypatch.setattr(studio, "time", SimpleNamespace(monotonic=lambda: next(times)))
    with pytest.raises(BusFailed, match="no answer"):
        run_studio(monkeypatch, refusals=10**6)
    assert list(times) == []


def test_an_address_is_kept_and_other_lines_are_told(tmp_path):
    lines, demo = list[StudioLine](), StudioDemo.__new__(StudioDemo)
    demo.pages, demo._tell = {}, lines.append
    demo.place = SimpleNamespace(
        folder=tmp_path, tables=[OneTable("t1", "baccarat", "2001"), OneTable("t2", "rhum32", "2002")]
    )
    program = demo._supervise("t1", "true")
    for line in ("http://127.0.0.1:1", "round 1 is void", "https://127.0.0.1:2"):
        program._hear(line)
    program._tell("started again")
    assert lines == [StudioLine("t1", "round 1 is void"), StudioLine("t1", "started again")]
    assert list(urls(demo)) == [("t1", "baccarat", "https://127.0.0.1:2"), ("t2", "rhum32", "")]
