"""A floor calls the same levels, in the same order, as the table's own alerts would."""

from controller.core import events as e
from controller.core.clock import SECOND
from controller.floor.live.due_alerts import next_alert
from controller.floor.shared_state.documents import AlertNote
from controller.outputs.alert_text import CALLS
from tests.bus.test_status import Stands
from tests.core.bench import Bench


class BothAlert:
    """Table with an open fault. `own`: levels that its own alerts call; `floors`: those that a floor calls."""

    def __init__(self) -> None:
        self.table = Bench()
        self.own: list[int] = []
        self.floors: list[int] = []
        self.noted: AlertNote | None = None
        self.table.says("open; close; press manager")
        self.looks(self.table.records)

    def looks(self, records) -> None:
        """Call the levels of these records, and those that are due by the table's status."""
        self.own += [CALLS[type(one.what)](one.what) for one in records if type(one.what) in CALLS]
        status = Stands(self.table.house, self.table.state).status()
        while (due := next_alert(status, status.fault, self.noted)) is not None:
            self.floors.append(due.called)
            self.noted = AlertNote(due.epoch, due.fault, due.level, "main", "", due.restarted, due.offer, due.since)

    def waits(self, seconds: int) -> None:
        for _ in range(0, seconds, 10):
            self.looks(self.table.wait(10))

    def restarts(self) -> None:
        self.table.now += SECOND
        self.looks(self.table.restart())

    def is_taken_over(self) -> None:
        self.looks(self.table.do(e.AcceptLoss("eva", "takeover", "e2")))
        self.restarts()


def test_after_restart_and_extension_a_floor_calls_like_the_table():
    both = BothAlert()
    both.waits(70)
    both.restarts()
    both.waits(200)
    both.looks(both.table.says("rule extend by manager1"))
    both.waits(200)
    both.restarts()
    both.waits(400)
    assert both.floors == both.own
    assert both.own == [1, 2, 3, *range(2, 8), 1, *range(8, 12), 1, *range(2, 12)]


def test_after_a_takeover_a_floor_calls_like_the_table():
    both = BothAlert()
    both.waits(70)
    both.is_taken_over()
    both.waits(70)
    assert both.floors == both.own == [1, 2, 3, 2, 3]


def test_a_floor_reports_an_offer_for_an_acknowledged_fault_too():
    both = BothAlert()
    both.looks(both.table.says("ack by manager1"))
    both.waits(200)
    assert both.floors == both.own == [1, 1]
