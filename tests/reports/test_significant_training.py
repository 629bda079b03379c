"""Significant events of training rounds are marked as training, and no others are."""

import pytest

from controller.core.views import view
from controller.reports.significant_events import significant
from tests.core.bench import Bench


@pytest.mark.parametrize("training", [True, False])
def test_significant_events_of_a_training_round_say_so(training):
    bench = Bench("baccarat", training=training)
    bench.says("open; bet p1 player 10.00; card 9C; rule cancel by anna because x")
    events = [event for _, event in significant(bench.records, lambda record: view(record, "auditor"))]
    assert {event.training for event in events if event.round == 1} == {training}
