"""Judge of reports: what must become a report while a fault is open, and what need not."""

import pytest

from controller.core import events as e
from controller.lab.testing.judges import Reports

from .bench import Bench

SHUFFLED = "shuffled; open; bet p1 ante 10.00; close; card AC; card 7D; card KS"
STATES = {
    "no card": "open; press manager",
    "a card": "open; bet p1 player 10.00; close; card 6H; press manager",
    "a hidden card": f"{SHUFFLED}; press manager",
    "no shoe": "open; lost shoe",
    "between rounds": "",
}
MANAGER, DROPPED, EXPOSED = (e.KeyPressed(key) for key in ("manager", "dropped", "exposed"))
LOST, FAILS, BACK = e.LostDevice("shoe", "gone"), e.ShoeFails("7", "jam"), e.JournalBack("disk full", 1)
REPORTS = {
    "no card": {MANAGER, LOST, FAILS, BACK},
    "a card": {MANAGER, DROPPED, LOST, FAILS, BACK},
    "a hidden card": {MANAGER, DROPPED, EXPOSED, LOST, FAILS, BACK},
    "no shoe": {MANAGER, FAILS, BACK},
    "between rounds": {MANAGER},
}


@pytest.mark.parametrize("state", STATES)
def test_an_event_is_a_report_in_the_right_state_only(state):
    table = Bench("casino_holdem" if state == "a hidden card" else "baccarat")
    table.says(STATES[state])
    judge = Reports(table)
    events = {MANAGER, DROPPED, EXPOSED, LOST, FAILS, BACK, e.KeyPressed("finish"), e.LostDevice("panel", "gone")}
    assert {event for event in events if judge.is_report(table.state, event)} == REPORTS[state]
