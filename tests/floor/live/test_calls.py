"""Calls for a fault: sent once by a floor, or by the table itself within ten seconds without a floor."""

import asyncio
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest

from controller.bus.keys import credentials_in
from controller.cli.client import ask
from controller.config.alerts import Target
from controller.core import events as e
from controller.core.clock import SECOND
from controller.floor.live.calls import AGAIN, EVERY, CallContext, CallSender
from controller.floor.shared_state.documents import AlertNote
from controller.journal.outbox import DeliveryPace
from controller.outputs import alerts
from controller.outputs.alerts import LOOK, Alerts
from controller.outputs.delivery import send
from controller.outputs.hold import SILENT, Hold
from controller.table.clocks import SteadyClock
from controller.text.coded import render
from tests.bus.rig import BusServer
from tests.bus.tables import StudioTable
from tests.clocks import ManualClock
from tests.end_to_end.rig import Folder, start_table
from tests.floor.bare_floor import BareFloor
from tests.patience import eventually, on_loop, until
from tests.ports import free
from tests.services import Webhook, deliver_here


@pytest.fixture
def hook() -> Iterator[Webhook]:
    """Run a web server that receives alerts."""
    one = Webhook()
    with one.up() as port:
        one.url = f"json://127.0.0.1:{port}/"
        yield one


@pytest.fixture
def from_here(monkeypatch) -> None:
    """Send alerts from this process: a new process for each alert takes half a second to start."""
    for module in (alerts, sys.modules[__name__]):
        monkeypatch.setattr(module, "send", deliver_here)


FROM_HERE = pytest.mark.usefixtures("from_here")


class Calls(BareFloor):
    """Floor that calls. `sent`: titles of sent alerts; `noted`: recorded entries."""

    def __init__(self, server: BusServer, name: str, targets: dict[str, Target]) -> None:
        super().__init__(server, name)
        self.sent: list[str] = []
        self.noted: list[dict[str, object]] = []
        self.clock = ManualClock()
        keys = server.studio.keys("floors")
        seed = credentials_in(server.seed("floors", name)).signer
        context = CallContext(self.line, "main", name, seed, keys, targets, self._note, self._post)
        self.calling = CallSender(
            context, self.hall, self.shared, SteadyClock().now, lambda: self.live.unheard_tables, self.clock
        )

    def _note(self, kind, **what):
        self.noted.append({"kind": kind, **what})

    async def _post(self, message, patience):
        failure = await send(message, 10 * patience)
        if failure is None:
            self.sent.append(message.title)
        return failure

    async def __aenter__(self) -> "Calls":
        await super().__aenter__()
        self._tasks.append(asyncio.create_task(self.calling.run()))
        await until(lambda: self.calling._began is not None)
        self.clock.now += 2 * EVERY  # other floors had the time to be heard
        return self

    @property
    def idle(self) -> bool:
        return not self.calling._under_way


@asynccontextmanager
async def calls(server: BusServer, name: str, *urls: str, **how: object) -> AsyncIterator[Calls]:
    targets = {f"duty{number}": Target(url=url, **how) for number, url in enumerate(urls)}
    async with Calls(server, name, targets) as floor:
        yield floor


class CountingHold(Hold):
    """Hold that counts how often it was asked, and when it last heard a floor."""

    looks, last = 0, 0.0

    def take_heartbeat(self, floor: str, calls: bool) -> None:
        super().take_heartbeat(floor, calls)
        self.last = self._steady()

    @property
    def seconds_left(self) -> float:
        self.looks += 1
        return super().seconds_left


class AlertingTable(StudioTable):
    """Table that sends alerts itself."""

    def __init__(self, path, server: BusServer, url: str, name: str) -> None:
        self.clock = ManualClock()
        self.hold = CountingHold(self.clock)
        super().__init__(path, server.section(name), name, floors=self.hold.take_heartbeat)
        end = self.journal.head.seq
        self.alerts = Alerts(
            {"own": Target(url=url)}, path, end, self.table.now, DeliveryPace(first=0.1, patience=300), self.hold
        )
        self.table.subscribe(self.alerts.hear)

    async def __aenter__(self) -> "AlertingTable":
        self.alerts.start()
        await super().__aenter__()
        return self

    async def __aexit__(self, *how: object) -> None:
        await self.alerts.stop()
        await super().__aexit__(*how)

    async def held(self) -> None:
        """Wait until the table has heard a calling floor again."""
        self.hold._until = {"": 0.0}
        await until(lambda: any(self.hold._until.values()))

    async def looks(self) -> None:
        """Wait until the table has checked a few times whether floors call."""
        before = self.hold.looks
        await until(lambda: self.hold.looks > before + 3)

    def silent_for(self, seconds: float) -> None:
        """Set the clock to this many seconds after the last heartbeat of a floor."""
        self.clock.now = self.hold.last + seconds

    def miss(self) -> None:
        """Advance the clock until the floors count as silent."""
        self.clock.now += SILENT


@asynccontextmanager
async def a_table(path, server: BusServer, url: str, name: str = "t1") -> AsyncIterator[AlertingTable]:
    path.parent.mkdir(exist_ok=True)
    async with AlertingTable(path, server, url, name) as table:
        yield table


def fault(table):
    """Make a fault: the dealer calls the shift manager."""
    table.table.take(e.Open())
    table.table.take(e.Close())
    table.table.take(e.KeyPressed("manager"))
    assert table.table.state.fault is not None


def rule(table):
    """Rule on the fault: the round is cancelled."""
    table.table.take(e.Rule("cancel", "eva", "over"))
    assert table.table.state.fault is None


def subjects(hook):
    """Return the titles of the received alerts."""
    return [one["title"] for one in hook.took]


def test_the_floor_reports_a_fault_once_and_records_it(bus, hook, tmp_path):
    async def steps():
        async with (
            a_table(tmp_path / "t1" / "j", bus, hook.url) as table,
            calls(bus, "main", hook.url, language="ro") as floor,
        ):
            await table.held()
            fault(table)
            seq = table.table.state.fault.seq
            await until(lambda: floor.noted and floor.idle)
            document = await floor.shared.documents.read("t1.mailed", AlertNote)
            assert (document.fault, document.level, document.floor, document.epoch) == (seq, 1, "main", table.epoch)
            rule(table)
            await until(lambda: floor.hall.status_of("t1").fault is None)
        return floor, seq

    floor, seq = on_loop(steps)
    (one,) = hook.took
    assert one["title"] == f"[t1#{seq}] dealer_call: masa t1, runda 1"
    assert "masa t1, runda 1, dealer d1" in one["message"]
    about = {"kind": "alerted", "table": "t1", "fault": seq, "level": 1, "target": "duty0"}
    assert {key: floor.noted[0][key] for key in about} == about


@FROM_HERE
def test_a_table_calls_only_while_its_floor_is_missing(bus, hook, tmp_path):
    own = Webhook()

    async def steps(port):
        async with a_table(tmp_path / "t1" / "j", bus, f"json://127.0.0.1:{port}/") as table:
            async with calls(bus, "main", hook.url) as floor:
                await table.held()
                fault(table)
                await until(lambda: floor.noted and floor.idle)
            assert own.took == []
            table.miss()
            await until(lambda: own.took)
            async with calls(bus, "main", hook.url) as floor:
                await table.held()
                rule(table)
                fault(table)
                await until(lambda: floor.noted and floor.idle)
                rule(table)
            table.miss()
            fault(table)
            await until(lambda: len(own.took) > 1)

    with own.up() as port:
        on_loop(lambda: steps(port))
    assert subjects(hook)[0] == subjects(own)[0]
    assert [len(subjects(hook)), len(subjects(own))] == [2, 2]
    assert len({*subjects(hook), *subjects(own)}) == 3


def test_a_table_misses_its_floor_within_ten_seconds():
    assert SILENT + LOOK + EVERY < 10


@FROM_HERE
def test_a_table_calls_five_seconds_after_the_last_beat(bus, hook, tmp_path, monkeypatch):
    monkeypatch.setattr(alerts, "LOOK", 0.01)
    own = Webhook()

    async def steps(port):
        async with a_table(tmp_path / "t1" / "j", bus, f"json://127.0.0.1:{port}/") as table:
            async with calls(bus, "main", hook.url) as floor:
                await table.held()
                fault(table)
                await until(lambda: floor.noted and floor.idle)
            table.clock.now += 4.9
            await table.looks()
            assert own.took == []
            await until(lambda: own.took or table.silent_for(5.0))  # a heartbeat may still be under way

    with own.up() as port:
        on_loop(lambda: steps(port))


@FROM_HERE
@pytest.mark.proof
def test_a_fault_over_before_the_floor_is_missed_is_unreported(bus, hook, tmp_path):
    """The floor stops before it sends an alert; the fault is ruled on before the table misses the floor."""

    async def steps():
        async with a_table(tmp_path / "t1" / "j", bus, hook.url) as table:
            async with calls(bus, "main", hook.url) as floor:
                await table.held()
                floor.calling._is_ours = lambda: False  # the floor stops before it has sent an alert
                fault(table)
                await until(lambda: floor.hall.status_of("t1").fault)
            rule(table)
            table.miss()
            fault(table)
            await until(lambda: hook.took)
            return table.table.state.fault.seq

    seq = on_loop(steps)
    assert [one.partition("]")[0] for one in subjects(hook)] == [f"[t1#{seq}"]


@FROM_HERE
@pytest.mark.proof
def test_the_second_floor_calls_once_the_first_is_gone(bus, hook, tmp_path):
    async def steps():
        async with AsyncExitStack() as stack:
            tables = [
                await stack.enter_async_context(a_table(tmp_path / name / "j", bus, hook.url, name))
                for name in ("t1", "t2")
            ]
            main = await stack.enter_async_context(calls(bus, "main", hook.url))
            async with calls(bus, "annex", hook.url) as annex:
                await until(lambda: main.calling._others.get("annex") and annex.calling._others.get("main"))
                for table in tables:
                    await table.held()
                    fault(table)
                await until(lambda: len(annex.noted) == 2 and annex.idle)
                assert main.sent == []
            main.clock.now += SILENT
            rule(tables[0])
            fault(tables[0])
            await until(lambda: main.noted and main.idle)

    on_loop(steps)
    assert len(subjects(hook)) == len(set(subjects(hook))) == 3


@FROM_HERE
@pytest.mark.proof
def test_a_floor_that_reaches_nobody_lets_the_table_call(bus, hook, tmp_path):
    """The floor's target refuses connections: the floor says that it does not call, and the table calls."""
    port = free()

    async def steps():
        async with (
            a_table(tmp_path / "t1" / "j", bus, hook.url) as table,
            calls(bus, "main", f"json://127.0.0.1:{port}/") as floor,
        ):
            await table.held()
            table.clock.now += SILENT  # the time that floors get at a table's start is over
            await table.held()
            fault(table)
            await until(lambda: hook.took)
            assert not floor.calling.calls
            assert render(floor.calling.trouble).startswith("alerts.duty0: A Connection error")
            assert render(floor.calling.trouble).endswith("the tables call by themselves")
            webhook = Webhook()
            with webhook.up(port):
                floor.clock.now += AGAIN
                await until(lambda: webhook.took)
                await until(lambda: floor.calling.trouble is None)
            await table.held()

    on_loop(steps)
    assert len(hook.took) == 1


@FROM_HERE
@pytest.mark.proof
def test_each_further_level_is_one_message_to_that_level(bus, tmp_path):
    first, second = Webhook(), Webhook()

    async def steps(urls):
        async with a_table(tmp_path / "t1" / "j", bus, urls[0]) as table:
            targets = {str(level): Target(url=url, level=level) for level, url in enumerate(urls, 1)}
            async with Calls(bus, "main", targets) as floor:
                await table.held()
                fault(table)
                await until(lambda: floor.noted and floor.idle)
                assert second.took == []
                escalate(table)
                await until(lambda: len(floor.noted) == 2 and floor.idle)

    with first.up() as one, second.up() as two:
        on_loop(lambda: steps([f"json://127.0.0.1:{port}/" for port in (one, two)]))
    assert (len(first.took), len(second.took)) == (1, 1)
    assert "nobody came" in subjects(second)[0]


def escalate(table):
    """Advance the clock until the fault calls the next level."""
    table.table._clock._ahead += 31 * SECOND
    table.table.take(e.Tick())


@FROM_HERE
@pytest.mark.proof
def test_a_killed_floor_sends_a_message_once_or_twice(bus, hook, tmp_path):
    """A floor that stops between sending and noting the call leads to a second message, never a third."""

    async def steps():
        async with a_table(tmp_path / "t1" / "j", bus, hook.url) as table:
            async with calls(bus, "main", hook.url) as floor:
                await table.held()
                floor.calling._note = lambda _: asyncio.Event().wait()
                fault(table)
                await until(lambda: floor.noted)
            async with calls(bus, "main", hook.url) as floor:
                await until(lambda: floor.noted and floor.idle)
            async with calls(bus, "main", hook.url) as floor:
                await until(lambda: floor.calling._shared_notes.get("t1"))
                assert floor.noted == []

    on_loop(steps)
    assert len(hook.took) == 2


@FROM_HERE
@pytest.mark.proof
def test_a_table_whose_status_is_not_stored_calls_itself(bus, hook, tmp_path):
    """The floor runs but cannot know of the fault, as the bus does not store the table's status."""

    async def steps():
        async with a_table(tmp_path / "t1" / "j", bus, hook.url) as table, calls(bus, "main", hook.url) as floor:
            await table.held()
            async with bus.client("admin") as admin:
                await admin.jetstream().delete_stream("KV_tablectl_status")
            fault(table)
            table.clock.now += SILENT - EVERY  # the time at the start is over; the heartbeat still counts
            await until(lambda: hook.took)
            assert floor.noted == []

    on_loop(steps)
    assert len(hook.took) == 1


@FROM_HERE
def test_a_table_that_its_floor_ignores_calls_itself(bus, hook, tmp_path):
    """The roster lacks table t1; the floor still calls for all others."""

    async def steps():
        async with calls(bus, "main", hook.url) as floor:
            floor.seals.tables = {"t2": bus.studio.keys("tables")["t2"]}
            async with a_table(tmp_path / "t1" / "j", bus, hook.url) as table:
                table.miss()  # the time at the start is over
                await until(lambda: table.hold.last >= table.clock.now)
                fault(table)
                await until(lambda: hook.took)
            assert floor.noted == []

    on_loop(steps)
    assert len(hook.took) == 1


async def beats(bus: BusServer, times: int) -> None:
    """Wait for this number of heartbeats of floors from now on."""
    messages = []

    async def hear(message) -> None:
        messages.append(message)

    async with bus.client("tables", "t1") as table:
        await table.subscribe("tablectl_floor.main.*", cb=hear)
        await until(lambda: len(messages) >= times)


@pytest.mark.proof
def test_tablectl_run_leaves_faults_to_the_configured_floors(bus, hook, tmp_path):
    (tmp_path / "t").mkdir()
    folder, own = Folder(tmp_path / "t"), Webhook()
    config = folder.write_config(panel=None)

    def press() -> None:
        command = {"command": "press", "id": "p", "key": "manager"}
        eventually(lambda: ask(folder.socket, "POST", "/api/commands?role=manager", command).status == 200)

    async def steps(table):
        async with calls(bus, "main", hook.url) as floor:
            await asyncio.to_thread(eventually, lambda: "started" in table.events())
            await until(lambda: floor.hall.status_of("t1"))
            await asyncio.to_thread(press)
            await until(lambda: floor.noted and floor.idle)
            await beats(bus, round(SILENT / EVERY) + 1)  # the time that floors get at a table's start is over, too
            assert own.took == []
        await until(lambda: own.took)

    with own.up() as port:
        with config.open("a") as file:
            seed, keys = bus.seed("tables", "t1"), bus.studio.keys("floors")
            file.write(
                f'[bus]\nservers = ["{bus.url}"]\ncredentials = "{seed}"\nfloors = {{ main = "{keys["main"]}" }}\n'
            )
            file.write(f'[alerts.own]\nurl = "json://127.0.0.1:{port}/"\n')
        with start_table(config) as table:
            on_loop(lambda: steps(table))
            table.process.terminate()
            assert table.ends() == 0
    assert subjects(own) == subjects(hook)
