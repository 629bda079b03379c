"""Which alerts call somebody and which only tell; and a summary of just as many as it lists."""

import pytest
from msgspec.structs import replace

from controller.core.coded_message import coded
from controller.outputs.alert_text import SHOWN, Alert, summary
from controller.outputs.own_alerts import down, halted, trial, well
from controller.text.coded import render
from controller.text.faults import Words

ONE = Alert(1, 0, "t1#1", frozenset({1}), "[t1#1] one", "text")


@pytest.mark.parametrize(
    ("made", "over"),
    [
        (down("t1", "tablectl@t1"), False),
        (halted("t1", "disk full"), False),
        (well("t1"), True),
        (trial("t1", "mail"), True),
    ],
)
def test_only_what_somebody_must_come_for_is_urgent(made, over):
    assert made.over is over


@pytest.mark.parametrize(("count", "lines"), [(SHOWN - 1, SHOWN - 1), (SHOWN, SHOWN), (SHOWN + 1, SHOWN + 1)])
def test_a_summary_counts_those_it_does_not_list(count, lines):
    body = summary([replace(ONE, seq=seq) for seq in range(count)]).body.splitlines()
    assert len(body) == lines
    assert ("1 more came before these" in body) is (count > SHOWN)


def test_a_halt_alert_says_why_in_its_language():
    reason = coded("anchor_missing", path="/a")
    body = halted("t1", reason, "ro").body
    assert render(reason, Words("ro").say) in body
    assert render(reason) not in body
