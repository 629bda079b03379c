"""Who is called of a fault: by a floor while one is there, once; by the table itself in ten seconds when none is."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from controller.bus.keys import credentials_in
from controller.config.alerts import Target
from controller.core import events as e
from controller.core.clock import SECOND
from controller.floor import calling as module
from controller.floor.calling import Calling, Means
from controller.floor.documents import Mailed
from controller.journal.outbox import Pace
from controller.outputs.alerts import Alerts
from controller.outputs.delivery import send
from controller.outputs.hold import Hold
from controller.table.clocks import SteadyClock
from tests.bus.rig import Server, on_loop, until
from tests.bus.tables import OnTheBus
from tests.floor.floors import AFloor
from tests.services import Webhook, free_port

WHO = {"tables": ("t1", "t2"), "floors": ("annex", "main"), "platforms": ()}
RULING = e.Rule("resume", "eva", "seen")


@pytest.fixture
def bus(tmp_path) -> Iterator[Server]:
    with Server(tmp_path / "bus", WHO) as one:
        yield one


@pytest.fixture
def hook() -> Iterator[Webhook]:
    one = Webhook()
    with one.up() as port:
        one.url = f"json://127.0.0.1:{port}/"
        yield one


class Calls(AFloor):
    """A floor that calls. `sent`: to which target, by title."""

    def __init__(self, server: Server, name: str, targets: dict[str, Target]) -> None:
        super().__init__(server, name)
        self.sent: list[str] = []
        self.noted: list[dict[str, object]] = []
        keys = server.studio.keys("floors")
        seed = credentials_in(server.seed("floors", name)).signer
        means = Means(self.line, "main", name, seed, keys, targets, self._note, self._post)
        self.calling = Calling(means, self.hall, self.shared, SteadyClock().now)

    def _note(self, kind, **what):
        self.noted.append({"kind": kind, **what})

    async def _post(self, message, patience):
        failure = await send(message, patience)
        if failure is None:
            self.sent.append(message.title)
        return failure

    async def __aenter__(self) -> "Calls":
        await super().__aenter__()
        self._tasks.append(asyncio.create_task(self.calling.run()))
        return self


@asynccontextmanager
async def calls(server: Server, name: str, *urls: str, **how: object) -> AsyncIterator[Calls]:
    targets = {f"duty{number}": Target(url=url, **how) for number, url in enumerate(urls)}
    async with Calls(server, name, targets) as floor:
        yield floor


@asynccontextmanager
async def a_table(path, server: Server, url: str, name: str = "t1") -> AsyncIterator[OnTheBus]:
    """With alerts of its own."""
    path.parent.mkdir(exist_ok=True)
    hold = Hold()
    table = OnTheBus(path, server.section(name), name, floors=hold.heard)
    end = table.journal.head.seq
    alerts = Alerts({"own": Target(url=url)}, path, end, table.table.now, Pace(first=0.1), hold)
    table.table.subscribe(alerts.hear)
    table.hold, table.alerts = hold, alerts
    alerts.start()
    try:
        async with table:
            yield table
    finally:
        await alerts.stop()


def fault(table):
    table.table.take(e.Open())
    table.table.take(e.Close())
    table.table.take(e.Pressed("manager"))
    assert table.table.state.fault is not None


def rule(table):
    table.table.take(RULING)
    table.table.take(e.Pressed("manager"))
    table.table.take(e.Rule("cancel", "eva", "over"))


def subjects(hook):
    return [one["title"] for one in hook.took]


async def held(table):
    """It hears a floor that calls."""
    await until(lambda: any(until > time.monotonic() for name, until in table.hold._until.items() if name))


def test_a_fault_is_told_once_by_the_floor_and_recorded_and_not_by_the_table(bus, hook, tmp_path):
    async def steps():
        async with (
            a_table(tmp_path / "t1" / "j", bus, hook.url) as table,
            calls(bus, "main", hook.url, language="ro") as floor,
        ):
            await held(table)
            fault(table)
            await until(lambda: hook.took)
            await until(lambda: floor.noted)
            rule(table)
            await until(lambda: floor.hall.of("t1").fault is None)
            seq = floor.noted[0]["fault"]
            kept = await floor.shared.documents.read("t1.mailed", Mailed)
            assert (kept.fault, kept.level, kept.floor, kept.epoch) == (seq, 1, "main", table.epoch)
        return floor, seq

    floor, seq = on_loop(steps)
    (one,) = [said for said in hook.took if said["title"].startswith(f"[t1#{seq}] ")]
    assert one["title"] == f"[t1#{seq}] dealer_call: masa t1, runda 1"
    assert "Dealerul cheamă" in one["message"] or "dealer" in one["message"].lower()
    about = {"kind": "alerted", "table": "t1", "fault": seq, "level": 1, "target": "duty0"}
    assert {key: floor.noted[0][key] for key in about} == about


@pytest.mark.proof
def test_with_the_floor_dead_the_table_calls_within_ten_seconds_and_is_silent_again_when_it_is_back(
    bus, hook, tmp_path
):
    own = Webhook()

    async def steps(port):
        async with a_table(tmp_path / "t1" / "j", bus, f"json://127.0.0.1:{port}/") as table:
            async with calls(bus, "main", hook.url):
                await held(table)
                fault(table)
                await until(lambda: hook.took)
                await asyncio.sleep(6)  # longer than it takes for a floor to be silent
                assert own.took == []
            gone = time.monotonic()
            await until(lambda: own.took)
            assert time.monotonic() - gone < 10
            assert subjects(own) == subjects(hook)
            async with calls(bus, "main", hook.url):
                await held(table)
                rule(table)
                fault(table)
                await until(lambda: len(hook.took) > 1)
            return table.table.state.fault.seq

    with own.up() as port:
        seq = on_loop(lambda: steps(port))
    assert len(own.took) == 1
    assert subjects(hook)[-1].startswith(f"[t1#{seq}]")
    assert len(set(subjects(hook))) == len(hook.took)


@pytest.mark.proof
def test_a_fault_that_is_over_before_the_floor_is_missed_is_told_by_nobody(bus, hook, tmp_path):
    async def steps():
        async with a_table(tmp_path / "t1" / "j", bus, hook.url) as table:
            async with calls(bus, "main", f"json://127.0.0.1:{free_port()}/"):
                pass
            table.hold.heard("main", calls=True)
            fault(table)
            rule(table)
            await until(lambda: table.hold.left == 0)
            fault(table)
            await until(lambda: hook.took)
            return table.table.state.fault.seq

    seq = on_loop(steps)
    assert [one.split("]")[0] for one in subjects(hook)] == [f"[t1#{seq}"]


@pytest.mark.proof
def test_of_two_floors_one_tells_and_the_other_when_it_is_gone(bus, hook, tmp_path):
    async def steps():
        async with AsyncExitStack() as stack:
            tables = [
                await stack.enter_async_context(a_table(tmp_path / name / "j", bus, hook.url, name))
                for name in ("t1", "t2")
            ]
            main = await stack.enter_async_context(calls(bus, "main", hook.url))
            async with calls(bus, "annex", hook.url) as annex:
                await until(lambda: annex.calling._others.get("main") and main.calling._others.get("annex"))
                for table in tables:
                    await held(table)
                    fault(table)
                await until(lambda: len(annex.noted) == 2 and not annex.calling._under_way)
                assert main.sent == []
            rule(tables[0])
            fault(tables[0])
            await until(lambda: len(main.sent) == 1)

    on_loop(steps)
    assert len(subjects(hook)) == len(set(subjects(hook))) == 3


@pytest.mark.proof
def test_a_floor_that_reaches_nobody_says_so_and_the_table_calls_at_once(bus, hook, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "AGAIN", 0.1)
    port = free_port()

    async def steps():
        async with (
            a_table(tmp_path / "t1" / "j", bus, hook.url) as table,
            calls(bus, "main", f"json://127.0.0.1:{port}/") as floor,
        ):
            await held(table)
            fault(table)
            await until(lambda: hook.took)
            assert not floor.calling.calls
            assert "the tables call by themselves" in floor.calling.trouble
            there = Webhook()
            with there.up(port):
                await until(lambda: there.took)
                await until(lambda: floor.calling.trouble is None)
            await held(table)

    on_loop(steps)
    assert len(hook.took) == 1


@pytest.mark.proof
def test_a_further_level_is_one_message_more_to_those_of_that_level(bus, tmp_path):
    first, second = Webhook(), Webhook()

    async def steps(urls):
        async with a_table(tmp_path / "t1" / "j", bus, urls[0]) as table:
            targets = {str(level): Target(url=url, level=level) for level, url in enumerate(urls, 1)}
            async with Calls(bus, "main", targets):
                await held(table)
                fault(table)
                await until(lambda: first.took)
                await asyncio.sleep(1)
                assert second.took == []
                escalate(table)
                await until(lambda: second.took)

    with first.up() as one, second.up() as two:
        on_loop(lambda: steps([f"json://127.0.0.1:{port}/" for port in (one, two)]))
    assert (len(first.took), len(second.took)) == (1, 1)
    assert "nobody came" in subjects(second)[0]


def escalate(table):
    table.table._ahead += 31 * SECOND
    table.table.take(e.Tick())


@pytest.mark.proof
def test_a_floor_killed_between_the_message_and_the_note_has_it_sent_twice_at_most_and_never_not_at_all(
    bus, hook, tmp_path
):
    async def steps():
        async with a_table(tmp_path / "t1" / "j", bus, hook.url) as table:
            async with calls(bus, "main", hook.url) as floor:
                await held(table)
                floor.calling._note = lambda _: asyncio.Event().wait()
                fault(table)
                await until(lambda: hook.took)
            async with calls(bus, "main", hook.url) as floor:
                await until(lambda: floor.noted)
                await until(lambda: not floor.calling._under_way)
            async with calls(bus, "main", hook.url) as floor:
                await until(lambda: floor.calling._done)
                assert floor.noted == []

    on_loop(steps)
    assert len(hook.took) == 2
