"""A command sent twice is done once, also after a restart and after thousands of other commands."""

import gc

import pytest

from controller.core import events as e
from controller.core import records as r
from controller.core.events import Input, Open, Origin
from controller.web.api import answered_commands as module
from controller.web.api.answered_commands import AnsweredCommands, Span

KEY = Origin("unix:anna", "k1")


def record(seq: int, origin: Origin | None, event: e.Event = Open()) -> r.Record:  # noqa: B008 - it is frozen
    """Return the first record of an event."""
    return r.Record(seq, 0, "t", r.StartRefused("paused"), input=Input(event, 0, origin))


def following(seq: int) -> r.Record:
    """Return a further record of the event before."""
    return r.Record(seq, 0, "t", r.StartRefused("paused"))


def opened(seq: int, origin: Origin | None = None) -> r.Record:
    what = r.Opened("baccarat", "1", {}, {}, {}, "")
    return r.Record(seq, 0, "t", what, round=seq, input=Input(Open(), 0, origin))


def test_the_records_of_a_command_are_found_by_its_key():
    answered = AnsweredCommands(
        [following(1), record(2, KEY), following(3), following(4), record(5, None), following(6)]
    )
    assert answered.span(KEY) == Span(2, 4)
    assert answered.span(Origin("unix:anna", "k2")) is None


def test_a_key_belongs_to_its_sender():
    answered = AnsweredCommands([record(1, KEY)])
    assert Origin("unix:bert", "k1") not in answered


def test_records_of_an_origin_without_command_have_no_key():
    assert Origin("unix:anna") not in AnsweredCommands([record(1, Origin("unix:anna"))])


def test_a_command_that_waits_is_known_and_has_no_records():
    answered = AnsweredCommands()
    answered.note_taken(KEY, Open())
    assert KEY in answered
    assert answered.span(KEY) is None
    answered.hear([record(9, KEY)])
    assert answered.span(KEY) == Span(9, 9)


def test_a_bet_of_an_older_record_is_known_again():
    """A bet in an older record lacks the id of its command, which is now a field of the bet."""
    bet = e.PlaceBet("p1", "banker", 1000, round=1)
    answered = AnsweredCommands([record(1, KEY, bet)])
    assert not answered.differs(KEY, {e.PlaceBet("p1", "banker", 1000, round=1, id="k1")})
    assert answered.differs(KEY, {e.PlaceBet("p1", "banker", 2000, round=1, id="k1")})


@pytest.mark.parametrize("said", [Open(), e.NotAll(Open(), "paused")])
def test_another_command_under_a_used_key_is_noticed_after_restart(said):
    live, read = AnsweredCommands(), AnsweredCommands([record(1, KEY, said)])
    live.note_taken(KEY, Open())
    for answered in (live, read):
        assert not answered.differs(KEY, {Open()})
        assert not answered.differs(KEY, {Open("anna"), Open()})
        assert answered.differs(KEY, {e.Close()})
        assert answered.differs(KEY, {Open("anna")})
    assert not live.differs(Origin("unix:anna", "k2"), {e.Close()})


def test_another_command_kind_with_equal_fields_differs():
    answered = AnsweredCommands([record(1, KEY, e.LineCut("p1"))])
    assert answered.differs(KEY, {e.LineBack("p1")})


def test_a_key_is_known_in_its_round_and_the_next():
    answered = AnsweredCommands([opened(1), record(2, KEY), opened(3)])
    assert KEY in answered
    answered.hear([opened(4)])
    assert KEY not in answered


def test_a_key_answered_in_a_later_round_belongs_to_it():
    answered = AnsweredCommands([opened(1)])
    answered.note_taken(KEY, Open())
    answered.hear([opened(2, KEY)])
    answered.hear([opened(3)])
    assert answered.span(KEY) == Span(2, 2)
    answered.hear([opened(4)])
    assert KEY not in answered


def test_a_full_sender_is_refused_and_no_key_is_forgotten(monkeypatch):
    monkeypatch.setattr(module, "MOST", 3)
    answered = AnsweredCommands()
    for number in range(3):
        assert not answered.is_full_for("unix:anna")
        answered.note_taken(Origin("unix:anna", str(number)), Open())
    assert answered.is_full_for("unix:anna")
    assert not answered.is_full_for("unix:bert")
    assert all(Origin("unix:anna", str(number)) in answered for number in range(3))
    answered.hear([opened(1)])
    assert answered.is_full_for("unix:anna")
    answered.hear([opened(2)])
    assert not answered.is_full_for("unix:anna")


def test_a_key_is_known_after_20_000_others():
    answered = AnsweredCommands([record(1, KEY)])
    for number in range(20_000):
        answered.note_taken(Origin("unix:anna", str(number)), Open())
    assert answered.span(KEY) == Span(1, 1)


def test_known_keys_are_not_tracked_by_the_garbage_collector():
    """A collection of all tracked keys would take longer than a card may wait."""
    gc.collect()
    before = len(gc.get_objects())
    answered = AnsweredCommands(record(seq, Origin("unix:anna", f"k{seq}")) for seq in range(1, 1001))
    gc.collect()  # the collector stops tracking a tuple once it has seen its content
    assert len(gc.get_objects()) < before + 100
    assert Origin("unix:anna", "k1000") in answered
