"""Account of faults: only records about the open fault change it."""

from controller.accounts.faults import Faults
from controller.core import records as r
from controller.core.causes import NoCard
from controller.core.records import Record

FAULT = r.Faulted("stalled", None, NoCard(9), ("resume",))


def test_an_escalation_of_an_unknown_fault_does_not_count():
    """A floor may lack the record of a fault and have those about it."""
    account = Faults()
    escalations = [Record(seq, seq, "t1", r.Escalated(fault, 2)) for seq, fault in ((4, 3), (6, 3), (7, 5))]
    faulted = Record(5, 5, "t1", FAULT)
    for record in (escalations[0], faulted, *escalations[1:]):
        assert (account.take(record) == []) is (record is not faulted)
    assert (account.open.seq, account.open.level) == (5, 1)


def test_an_offer_to_cancel_calls_no_further_level():
    account = Faults()
    for seq, what in enumerate((FAULT, r.Escalated(1, 2), r.Escalated(1, None), r.Escalated(1, 3)), start=1):
        account.take(Record(seq, seq, "t1", what))
    assert account.open.level == 2
