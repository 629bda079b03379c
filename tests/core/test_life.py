"""Life of a round: the transitions in the table are possible, and no others."""

from itertools import product
from typing import get_args

import pytest

from controller.core.life import STATES, TRANSITIONS, NoTransition, Trigger, next_state

RUNNING = [state for state in STATES if state != "paused"]
EXPECTED = {
    ("idle", "open"): "betting",
    ("settled", "open"): "betting",
    ("cancelled", "open"): "betting",
    ("betting", "close"): "dealing",
    ("dealing", "reopen"): "betting",
    ("dealing", "ask"): "deciding",
    ("deciding", "answer"): "dealing",
    ("dealing", "complete"): "complete",
    ("complete", "settle"): "settled",
    **{(state, "pause"): "paused" for state in RUNNING},
    **{(state, "cancel"): "cancelled" for state in ("betting", "dealing", "deciding", "complete", "paused")},
}
UNKNOWN = [
    (state, trigger)
    for state, trigger in product(STATES, get_args(Trigger))
    if (state, trigger) not in EXPECTED and (state, trigger) != ("paused", "resume")
]


@pytest.mark.parametrize(("state", "trigger"), EXPECTED)
def test_a_turn_of_the_table_is_taken(state, trigger):
    assert next_state(state, trigger) == EXPECTED[state, trigger]


@pytest.mark.parametrize("target", RUNNING)
def test_a_pause_ends_in_the_state_named(target):
    assert next_state("paused", "resume", target) == target


@pytest.mark.parametrize(("state", "trigger"), UNKNOWN)
def test_any_other_turn_is_a_wrong_turn(state, trigger):
    with pytest.raises(NoTransition, match=f"'{trigger}' from '{state}'"):
        next_state(state, trigger, "dealing" if trigger == "resume" else "")


@pytest.mark.parametrize("target", ["paused", "", "lunch"])
def test_a_pause_ends_in_no_other_state(target):
    with pytest.raises(NoTransition):
        next_state("paused", "resume", target)


def test_the_table_has_exactly_the_expected_transitions():
    rows = set()
    for row in TRANSITIONS:
        sources = [row["source"]] if isinstance(row["source"], str) else row["source"]
        rows |= {(source, row["trigger"], row["dest"]) for source in sources}
    resumes = {("paused", "resume", state) for state in RUNNING}
    assert rows == {(*key, dest) for key, dest in EXPECTED.items()} | resumes


def test_the_same_transition_twice_gives_the_same_state():
    assert next_state("idle", "open") == next_state("idle", "open") == "betting"
