"""Halted table: it calls the shift manager although it cannot write its record."""

import asyncio

import pytest

import controller.table.loop
from controller.config.alerts import Target
from controller.core import events as e
from controller.outputs import halt_alert
from controller.outputs.halt_alert import HaltAlert
from tests.patience import on_loop, until
from tests.services import Webhook, deliver_here
from tests.table.test_table import JournaledTable
from tests.web.rig import capture_log


@pytest.fixture
def hook():
    """Return a web server that receives alerts."""
    return Webhook()


@pytest.fixture(autouse=True)
def impatient(monkeypatch) -> None:
    """Make the table retry at once, and send alerts from this process."""
    monkeypatch.setattr(controller.table.loop, "RETRY", 0.01)
    monkeypatch.setattr(halt_alert, "GRACE", 0.01)
    monkeypatch.setattr(halt_alert, "send", deliver_here)


def halted(path, port, steps) -> None:
    """Run the steps at a table whose record cannot be written; alerts go to this port."""

    async def at_it():
        rig = JournaledTable(path / "t.journal")
        targets = {"one": Target(f"json://127.0.0.1:{port}"), "two": Target(f"json://127.0.0.1:{port}", level=2)}
        alert = HaltAlert(targets)
        rig.table.subscribe(alert.hear)
        rig.table.start("d1")
        rig.journal.broken = "the disk is full"
        rig.take(e.Open())
        await steps(rig)
        await alert.stop()
        assert not alert._tasks
        rig.close()

    on_loop(at_it)


def test_a_halt_alerts_level_one_once_and_its_end_too(tmp_path, hook):
    async def steps(rig):
        await until(lambda: len(hook.took) == 1)
        rig.take(e.Close())
        await until(lambda: rig.journal.refused > 10)
        rig.journal.broken = None
        await until(lambda: len(hook.took) == 2)

    with hook.up() as port:
        halted(tmp_path, port, steps)
    first, last = hook.took
    assert first["title"] == "[table#halted] table table is halted"
    assert "the record cannot be written: the disk is full" in first["message"]
    assert last["title"] == "[table#halted] table table is well again"


def test_a_short_write_failure_sends_no_alert(tmp_path, hook, monkeypatch):
    monkeypatch.setattr(halt_alert, "GRACE", 60.0)

    async def steps(rig):
        rig.journal.broken = None
        await until(lambda: rig.table.halted is None)

    with hook.up() as port:
        halted(tmp_path, port, steps)
    assert hook.took == []


def test_a_refused_halt_alert_is_only_logged(tmp_path, hook):
    """The web server answers 500: the failure is logged, and the table stays halted as before."""
    hook.status = 500

    async def steps(rig):
        with capture_log() as lines:
            await until(lambda: any(line["event"] == "halt_alert_undelivered" for line in lines))
        assert rig.table.halted

    with hook.up() as port:
        halted(tmp_path, port, steps)


def test_stopping_during_a_delivery_ends_it(tmp_path, monkeypatch):
    begun = []

    async def endless(message, _):
        begun.append(message.target)
        await asyncio.Event().wait()

    monkeypatch.setattr(halt_alert, "send", endless)

    async def steps(_):
        await until(lambda: begun)

    halted(tmp_path, 1, steps)
    assert len(begun) == 1
