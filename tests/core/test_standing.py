"""Which epoch of a table is valid, by the heads of all epochs: the latest, in any order of storage."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET

from controller.core.coded_message import coded
from controller.core.mark import Mark
from controller.core.state import Loss, RecordIdentity, State
from controller.core.witness import contradiction, newest_head, opponent, past_of
from controller.text.coded import render

LINE = Mark("a", 9, "09", "t"), Mark("b", 12, "0c", "t", {"a": 5}), Mark("c", 20, "14", "t", {"a": 5, "b": 11})

BUS = coded("the_bus")


def record(epoch: str, seq: int, *losses: Loss, **more: object) -> State:
    return State(table="t", identity=RecordIdentity(epoch), seq=seq, losses=losses, **more)


@given(st.permutations([*LINE, Mark("a", 99, "63", "t"), Mark("b", 40, "28", "t", {"a": 5})]))
def test_the_latest_epoch_is_valid_in_any_order_of_heads(heads):
    assert newest_head(heads) == LINE[-1]
    assert opponent(record("a", 99), heads) == LINE[-1]


@given(st.permutations([Mark("x1", 30, "1e", "t", {"a": 5}), Mark("x2", 7, "07", "t", {"a": 6}), LINE[0]]))
def test_of_two_sibling_epochs_the_later_begun_is_valid(heads):
    assert newest_head(heads).epoch == "x2"
    own = record("x1", 30, Loss("a", 5, None))
    found = contradiction(own, opponent(own, heads), None, BUS)
    assert (found.first, found.elsewhere) == (6, True)
    assert "epoch x1 is not valid: the bus remembers the later epoch x2 of table t" in render(found.message)
    assert opponent(record("x2", 7, Loss("a", 6, None)), heads).epoch == "x2"


def test_of_two_records_the_last_stored_is_valid():
    other = Mark("z", 3, "03", "t")
    assert newest_head([LINE[0], other]) == other
    assert newest_head([other, LINE[0]]) == LINE[0]
    assert newest_head([]) is None
    assert opponent(record("a", 9), [other, LINE[0]]) == LINE[0]
    assert "this is another record" in render(contradiction(record("a", 9), other, None, BUS).message)


def test_an_accepted_loss_of_another_record_ends_its_epochs():
    losses = Loss("z", 3, LINE[1]), Loss("y", 8, None)
    assert past_of(losses) == {"b": 0, "a": 0, "z": 3, "y": 8}
    own = record("x", 9, *losses)
    assert opponent(own, LINE[:2]) == LINE[1]
    assert contradiction(own, LINE[1], None, BUS) is None
    assert newest_head([*LINE[:2], Mark("x", 9, "09", "t", past_of(losses))]).epoch == "x"


def test_an_unasked_epoch_outranks_no_other_until_compared():
    sibling = Mark("b1", 12, "0c", "t", {"a": 5})
    asked, unasked = (record("b2", 6, Loss("a", 5, None), doubts=doubts) for doubts in ({}, {"witness": 6}))
    assert contradiction(asked, sibling, None, BUS) is None
    assert contradiction(unasked, sibling, None, BUS).elsewhere
    later = Mark("a", 9, "09", "t")
    assert contradiction(asked, later, None, BUS) is None
    assert render(contradiction(unasked, later, None, BUS).message).startswith("records 6 to 9 are missing")


def test_an_empty_record_contradicts_every_head():
    assert opponent(State(), LINE) == LINE[-1]
    assert opponent(State(), ()) is None
    assert contradiction(State(), Mark("a", 9, "09", "t", UNSET), None, BUS).first == 1
