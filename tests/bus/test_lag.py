"""How far the bus is behind a record: shown in /healthz, in the metrics and by `tablectl status`."""

from controller.bus.lag import APART, MOST, Lag
from controller.cli.state_lines import bus
from controller.outputs.families import Families
from controller.outputs.web_metrics import Backlog, WebState
from tests.bus.tables import run_table
from tests.patience import on_loop, until


class Steady:
    """Clock that moves only when the test sets it, in seconds."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def web_metrics(web_state: WebState) -> dict[str, list[tuple[dict[str, str], float]]]:
    """Return the metrics of the web server and the bus by name: labels and values."""
    families = web_state.metrics(Families("t1"))
    return {one.name: [(sample.labels, sample.value) for sample in one.samples] for one in families}


def test_the_lag_is_the_age_of_the_oldest_waiting_record():
    """Once record 3 is sent, a record made a minute later has waited for 0 seconds."""
    clock = Steady()
    lag = Lag(clock)
    for seq in (1, 2, 3):
        lag.note_records(seq)
        clock.now += APART
    assert lag.backlog(0, 3) == (3, 3 * APART)
    assert lag.backlog(1, 3) == (2, 2 * APART)
    assert lag.backlog(3, 3) == (0, 0)
    clock.now += 60
    lag.note_records(4)
    assert lag.backlog(3, 4) == (1, 0)
    assert lag.backlog(4, 4) == (0, 0)
    clock.now += APART / 2
    lag.note_records(5)
    assert lag.backlog(4, 5) == (1, 0)


def test_a_backlog_from_before_the_start_counts_from_there():
    clock = Steady()
    lag = Lag(clock)
    assert lag.backlog(10, 30) == (20, 0)
    clock.now += 5
    lag.note_records(31)
    assert lag.backlog(10, 31) == (21, 5)


def test_days_without_a_bus_keep_a_bounded_number_of_marks():
    clock = Steady()
    lag = Lag(clock)
    for seq in range(MOST + 10):
        lag.note_records(seq)
        clock.now += APART
    assert len(lag._marks) <= MOST
    assert lag.backlog(0, MOST).seconds > MOST * APART - 10


def test_a_record_waits_for_seconds_after_days_without_a_question():
    clock = Steady()
    lag = Lag(clock)
    for seq in range(2 * MOST):
        lag.note_records(seq)
        clock.now += APART
    assert lag.backlog(2 * MOST - 2, 2 * MOST - 1) == (1, APART)


def test_a_bus_trouble_has_its_own_metric():
    """A trouble of the bus is shown in the bus's own metric, not in that of the pages."""
    found = web_metrics(WebState(troubles={"sign_in": None, "bus": "bus: no answer"}, backlog=Backlog(7, 2.5)))
    assert found["tablectl_pages_trouble"] == [({"table": "t1", "what": "sign_in"}, 0)]
    assert found["tablectl_bus_trouble"] == [({"table": "t1"}, 1)]
    assert found["tablectl_bus_behind_records"] == [({"table": "t1"}, 7)]
    assert found["tablectl_bus_behind_seconds"] == [({"table": "t1"}, 2.5)]


def test_a_table_without_a_bus_has_no_lag_metrics():
    found = web_metrics(WebState(troubles={"sign_in": None}))
    assert {name: found[name] for name in found if "bus" in name} == {
        "tablectl_bus_trouble": [],
        "tablectl_bus_behind_records": [],
        "tablectl_bus_behind_seconds": [],
    }
    assert list(bus({})) == []


def test_the_status_says_how_many_records_wait_how_long():
    assert list(bus({"bus": {"records": 120, "seconds": 34.6}})) == ["bus: 120 records behind, for 35 s"]
    assert list(bus({"bus": {"records": 1, "seconds": 1.0}})) == ["bus: 1 record behind, for 1 s"]
    assert list(bus({"bus": {"records": 0, "seconds": 0.0}})) == ["bus: up to date"]


def test_records_wait_only_while_the_bus_is_down(server, tmp_path):
    async def steps():
        async with run_table(tmp_path / "t.journal", server.section()) as table:
            await table.caught_up()
            assert table.doors.web_state().backlog == (0, 0)
            server.kill()
            sent = table.sent
            table.play()
            await until(lambda: table.doors.web_state().backlog.seconds > 0)
            assert table.doors.web_state().backlog.records == table.table.state.seq - sent
            server.start()
            await until(lambda: table.doors.web_state().backlog == (0, 0))

    on_loop(steps)
