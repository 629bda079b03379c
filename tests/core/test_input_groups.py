"""Events of an all-or-none list: all are accepted, or nothing happens and each is refused."""

from itertools import chain

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.core import events as e
from controller.core.decide import decide, decide_all
from controller.core.decide.input_groups import NOT_ALL, GroupPart, refusal

from .bench import Bench

BETS = st.builds(
    e.PlaceBet,
    st.sampled_from(["p1", "p2"]),
    st.sampled_from(["ante", "bonus", "moon"]),
    st.sampled_from([1000, 500, 0]),
    st.sampled_from([1, 1, 1, 2]),
)
OTHERS = st.sampled_from([e.WithdrawBet("p1", "ante"), e.LineCut("p1"), e.LineBack("p1"), e.Close("server"), e.Open()])
SENT = st.lists(BETS | OTHERS, min_size=2, max_size=5)
ACCEPTED = [e.PlaceBet("p1", "ante", 1000), e.PlaceBet("p1", "bonus", 500), e.LineCut("p2"), e.Close()]


def betting():
    table = Bench("casino_holdem")
    table.says("shuffled; open; bet p2 ante 5.00")
    return table


def drafts(table, *events):
    parts = [GroupPart(event) for event in events]
    return decide_all(table.house, table.position, table.state, parts, table.now)


@settings(max_examples=60)
@given(SENT)
@example(ACCEPTED)  # hardly ever drawn
def test_inputs_of_a_batch_all_succeed_or_all_are_refused(events):
    table, alone = betting(), betting()
    before, found = table.state, drafts(table, *events)
    one_by_one = [alone.do(event) for event in events]
    wrong = next((number for number, records in enumerate(one_by_one) if refusal(records)), None)
    if wrong is None:
        assert [record for draft in found for record in draft.records] == list(chain(*one_by_one))
        return
    after = found[-1].state
    assert (after.round, after.gone, after.life) == (before.round, before.gone, before.life)
    reasons = [refusal(draft.records).reason for draft in found]
    assert reasons[wrong] == refusal(one_by_one[wrong]).reason
    assert [reason for number, reason in enumerate(reasons) if number != wrong] == [NOT_ALL] * (len(events) - 1)


@settings(max_examples=20)
@given(SENT)
@example(ACCEPTED)
def test_each_batch_input_decided_alone_leads_to_the_same_records(events):
    table = betting()
    state = table.state
    for draft in drafts(table, *events):
        for record in draft.records:
            if record.input is not None:
                again = decide(table.house, table.position, state, record.input.event, record.input.at)
                assert again.records == draft.records
        state = draft.state


@pytest.mark.parametrize("events", [(e.PlaceBet("p1", "moon", 5),), (e.Close("x", round=9),)])
def test_a_batch_records_every_input_in_order(events):
    table = betting()
    assert [record.input.event for draft in drafts(table, *events) for record in draft.records] == list(events)


def test_a_deadline_before_a_refused_batch_is_still_recorded():
    table = betting()
    table.now += 3600 * 10**6
    records = [
        record for draft in drafts(table, e.PlaceBet("p1", "ante", 5, 1), e.LineCut("p1")) for record in draft.records
    ]
    assert records[0].kind == "closed"
    assert [record.kind for record in records][-2:] == ["bet_refused", "ignored"]
