"""The number of cards left in the shoe is never below zero, for programs and on screens."""

import pytest
from msgspec.structs import replace

from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import TimedJournal
from controller.text.faults import Words
from controller.web.api.table_state import build_state
from controller.web.screens.dealer import dealer
from controller.web.screens.manager import manager
from tests.bus.test_status import Stands
from tests.core.bench import Bench
from tests.outputs.test_metrics import AtABench, Unwritten, samples_of
from tests.web.bench_screens import bench_look

EN = Words("en")


def beyond(table):
    """Change a table's state: more cards came out of its shoe than it holds. Return the table."""
    shoe = table.state.shoe
    table.state = replace(table.state, shoe=replace(shoe, out=shoe.size + 3))
    return table


def burning(table):
    """Burn the first cards of a new shoe at a table, and return the table."""
    table.says("shoe change; shoe cut; card 2C; card 9D")
    return table


@pytest.mark.parametrize("made", [burning, beyond])
def test_programs_get_zero_cards_left_never_fewer(made):
    table = made(Bench())
    assert table.state.shoe.cards_left < 0
    shoe = build_state(table.state, None, None, "manager").shoe
    assert (shoe.left, Stands(table.house, table.state).status().shoe) == (0, 0)
    assert gauge(table) == 0


def gauge(table):
    """Return the number of cards left in the shoe as the metrics show it."""
    return samples_of(Metrics(AtABench(table), TimedJournal(Unwritten(), "table"), MetricSources()))[
        "tablectl_shoe_cards_left"
    ][""]


def test_screens_show_zero_cards_left_never_fewer():
    table = beyond(Bench())
    assert dealer(bench_look(table), EN).shoe == "Cards left: 0 · change in 0"
    assert manager(bench_look(table), EN).shoe.left == "0 of 312 cards left"
