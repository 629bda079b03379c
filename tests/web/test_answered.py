"""A command sent twice is done once."""

from controller.core import records as r
from controller.core.events import Input, Open, Origin
from controller.web.api import answered as module
from controller.web.api import commands as c
from controller.web.api.answered import Answered, Span

KEY = Origin("unix:anna", "k1")
OPEN = c.Open(id="k1")


def record(seq: int, origin: Origin | None) -> r.Record:
    return r.Record(seq, 0, "t", r.StartRefused("paused"), input=Input(Open(), 0, origin))


def following(seq: int) -> r.Record:
    return r.Record(seq, 0, "t", r.StartRefused("paused"))


def test_what_a_command_led_to_is_found_under_its_key():
    answered = Answered([following(1), record(2, KEY), following(3), following(4), record(5, None), following(6)])
    assert answered.span(KEY) == Span(2, 4)
    assert answered.span(Origin("unix:anna", "k2")) is None


def test_a_key_is_its_senders_own():
    answered = Answered([record(1, KEY)])
    assert Origin("unix:bert", "k1") not in answered


def test_records_of_nobodys_are_under_no_key():
    assert Origin("unix:anna") not in Answered([record(1, Origin("unix:anna"))])


def test_a_command_that_waits_is_known_and_has_no_records():
    answered = Answered()
    answered.taken(KEY, OPEN)
    assert KEY in answered
    assert answered.span(KEY) is None
    answered.hear(record(9, KEY))
    assert answered.span(KEY) == Span(9, 9)


def test_another_command_under_the_same_key_is_noticed():
    answered = Answered()
    answered.taken(KEY, OPEN)
    assert not answered.differs(KEY, c.Open(id="k1"))
    assert answered.differs(KEY, c.Shoe(id="k1", do="change"))


def test_after_a_restart_it_is_not_noticed_and_answered_as_the_first():
    answered = Answered([record(1, KEY)])
    assert not answered.differs(KEY, c.Shoe(id="k1", do="change"))


def test_the_oldest_keys_are_forgotten(monkeypatch):
    monkeypatch.setattr(module, "KEPT", 3)
    answered = Answered()
    for number in range(5):
        answered.taken(Origin("unix:anna", str(number)), OPEN)
    assert [number for number in range(5) if Origin("unix:anna", str(number)) in answered] == [2, 3, 4]
