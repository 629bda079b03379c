"""A bus that is away while a table stops: the log says how far the record is on the bus, and why no further."""

from structlog.testing import capture_logs

from controller.bus import unpublished_rounds
from controller.bus.unpublished_rounds import publish_rest
from controller.core import events as e
from controller.journal import recover_state
from tests.bus.tables import run_table
from tests.bus.test_witness import deal_rounds
from tests.bus.two_pcs import Wire
from tests.patience import on_loop, until
from tests.ports import free


def behind(logged):
    (line,) = (line for line in logged if line["event"] == "bus_behind")
    return {name: line[name] for name in ("sent", "head", "reason")}


def test_a_table_stopped_beside_its_bus_logs_what_is_unsent(server, tmp_path):
    async def steps():
        async with Wire(server) as wire:
            async with run_table(tmp_path / "t.journal", wire.section) as table:
                await table.caught_up()
                sent = table.sent
                wire.cut()
                await until(lambda: table.bus.trouble is not None)
                table.table.take(e.Open())
                head = table.journal.head.seq
            assert behind(logged) == {"sent": sent, "head": head, "reason": "the line to the bus is cut"}
            assert sent < head

    with capture_logs() as logged:
        on_loop(steps)


def test_a_refused_start_beside_its_bus_logs_what_is_unsent(server, tmp_path, monkeypatch):
    monkeypatch.setattr(unpublished_rounds, "PATIENCE", 0.05)
    path = tmp_path / "t.journal"
    deal_rounds(path, server.section())
    state = recover_state(path)
    away = server.section(servers=(f"nats://127.0.0.1:{free()}",))
    with capture_logs() as logged:
        on_loop(lambda: publish_rest(away, path, state))
    assert behind(logged) == {"sent": 0, "head": state.seq, "reason": "no answer in time"}
