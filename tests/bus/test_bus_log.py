"""Log lines about a bus that cannot be reached, refuses something, or does not take what a table publishes."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
import structlog
from nats.errors import ConnectionClosedError
from structlog.testing import capture_logs

from controller.bus import bus_tasks
from controller.bus.bus_client import BusClient, options
from controller.bus.bus_tasks import BusTasks
from controller.bus.keys import credentials_in
from controller.bus.names import TableNames
from controller.bus.requests import Requests
from controller.cli.bus_import import BusWitness
from controller.config.bus import BusSection
from controller.config.table_file import check
from controller.core.mark import Mark
from controller.journal.tasks import cancel_tasks
from tests.patience import on_loop, until
from tests.ports import free

CLOSED = {"log_level": "warning", "reason": "connection closed"}


async def fail(*_: object, **__: object) -> None:
    raise ConnectionClosedError


@pytest.fixture
def work(monkeypatch) -> BusTasks:
    """Bus tasks of the table t1 on a line that has just closed."""
    monkeypatch.setattr(bus_tasks, "AGAIN", 0)
    work = BusTasks.__new__(BusTasks)
    work._names, work._log = TableNames("main", "t1"), structlog.get_logger().bind(table="t1")
    there = asyncio.Event()
    there.set()
    client = SimpleNamespace(jetstream=lambda: SimpleNamespace(publish=fail))
    work._line = SimpleNamespace(client=client, there=there, up=there, trouble=None)
    return work


def logged_by(line: BusClient, event: str, steps) -> list[dict]:
    """Open the line, run the steps once it is connected, and return the lines of this event once there are any."""

    async def run() -> None:
        task = asyncio.create_task(line.open())
        try:
            await steps()
            await until(lambda: any(log["event"] == event for log in logs))
        finally:
            await cancel_tasks([task])
            await line.close()

    with capture_logs() as logs:
        on_loop(run)
    return [log for log in logs if log["event"] == event]


def line_of(section: BusSection) -> BusClient:
    return BusClient(options(section, credentials_in(Path(section.credentials or "")), "_INBOX_table.main.t1"))


def test_a_bus_that_is_not_there_is_logged_with_why(server):
    line = line_of(server.section(servers=(f"nats://127.0.0.1:{free()}",)))
    logged = logged_by(line, "bus_not_reached", lambda: asyncio.sleep(0))
    assert logged == [{"event": "bus_not_reached", "log_level": "warning", "reason": "connection refused"}]


def test_a_refusal_of_the_bus_is_logged_with_its_subject(server):
    line = line_of(server.section())

    async def steps() -> None:
        await line.there.wait()
        await line.client.publish("tablectl.main.t2.head", b"{}")

    (logged,) = logged_by(line, "bus_says", steps)
    assert logged["reason"].lower() == 'permissions violation for publish to "tablectl.main.t2.head"'


def test_a_status_that_the_bus_does_not_take_is_logged(work):
    async def steps() -> None:
        work._status, work._untold, work._news = b"{}", None, asyncio.Event()
        work._comparison = SimpleNamespace(tried=work._line.there)
        work._requests, work._seals = SimpleNamespace(is_answering=True), SimpleNamespace(seal=lambda *_: {})
        work._news.set()
        telling = asyncio.create_task(work._tell_status())
        await until(lambda: logs)
        await cancel_tasks([telling])
        assert work._untold is not None

    with capture_logs() as logs:
        on_loop(steps)
    assert logs[0] == {"event": "status_not_told", "table": "t1", **CLOSED}


def test_a_last_head_the_bus_does_not_take_is_logged(work):
    head = SimpleNamespace(seq=9)
    work._ends = SimpleNamespace(table=SimpleNamespace(journal=SimpleNamespace(head=head)))
    work._publisher = SimpleNamespace(finish=fail, acknowledged_seq=9)
    with capture_logs() as logs:
        on_loop(work._finish)
    assert logs == [{"event": "head_not_told", "table": "t1", **CLOSED}]


def test_a_failed_bus_task_is_logged_and_started_again(work):
    bug = ValueError("a bug")

    async def task() -> None:
        if work._failed is None:
            work._failed = ""
            raise bug

    work._failed = None
    with capture_logs() as logs:
        on_loop(lambda: work._keep_running(task))
    assert logs == [{"event": "bus_failed", "log_level": "error", "table": "t1", "exc_info": bug}]
    assert work._failed is None


def test_a_new_epoch_refused_by_the_bus_is_logged(server):
    bus = {"servers": [f"nats://127.0.0.1:{free()}"], "credentials": str(server.seed("tables", "t1"))}
    settings = check({"game": {"name": "baccarat"}, "table": {"name": "t1"}, "bus": bus})
    with capture_logs() as logs:
        BusWitness(settings).announce(Mark("e2", 8, "00", "t1"), 0)
    (line,) = logs
    assert (line["event"], line["table"]) == ("head_not_told", "t1")
    assert line["reason"].endswith(": connection refused")


def test_an_answer_that_cannot_be_sent_is_logged():
    requests = Requests.__new__(Requests)
    requests._client, requests._log = SimpleNamespace(publish=fail), structlog.get_logger()
    requests._names, requests._epoch = TableNames("main", "t1"), lambda: "e1"
    requests._seals = SimpleNamespace(seal=lambda *_: {})
    message = SimpleNamespace(
        subject="tablectl.main.t1.ask.floor", reply="_INBOX_floor.main.t1.1.2", headers={}, data=b"no path"
    )
    with capture_logs() as logs:
        on_loop(lambda: requests._answer(message))
    assert logs == [{"event": "bus_answer_lost", **CLOSED}]
