"""Urgency of alerts: which alerts call a person, and which only inform. Also the length of summaries."""

import pytest
from msgspec.structs import replace

from controller.core.coded_message import coded
from controller.outputs.alert_text import SHOWN, Alert, summary
from controller.outputs.own_alerts import halted_alert, recovery_alert, service_down, trial
from controller.text.coded import render
from controller.text.faults import Words

ONE = Alert(1, 0, "t1#1", frozenset({1}), "[t1#1] one", "text")


@pytest.mark.parametrize(
    ("made", "over"),
    [
        (service_down("t1", "tablectl@t1"), False),
        (halted_alert("t1", "disk full"), False),
        (recovery_alert("t1"), True),
        (trial("t1", "mail"), True),
    ],
)
def test_only_alerts_that_need_a_person_are_urgent(made, over):
    assert made.over is over


@pytest.mark.parametrize(("count", "lines"), [(SHOWN - 1, SHOWN - 1), (SHOWN, SHOWN), (SHOWN + 1, SHOWN + 1)])
def test_a_summary_counts_the_alerts_it_leaves_out(count, lines):
    body = summary([replace(ONE, seq=seq) for seq in range(count)]).body.splitlines()
    assert len(body) == lines
    assert ("1 more came before these" in body) is (count > SHOWN)


def test_a_halt_alert_says_why_in_its_language():
    reason = coded("anchor_missing", path="/a")
    body = halted_alert("t1", reason, "ro").body
    assert render(reason, Words("ro").say) in body
    assert render(reason) not in body
