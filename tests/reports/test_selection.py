"""Selection of records: by round, dealer, fault and time."""

from collections import defaultdict
from itertools import count, islice

import pytest

from controller.core import events as e
from controller.core import records as r
from controller.core.clock import SECOND, from_text
from controller.reports.selection import Rounds, Selection, moment, records_for
from tests.core.chance import Judge
from tests.reports.test_audit import played
from tests.reports.week import journal

TWO = """
card 5H
rule burn by m
open
card 8H
rule burn by m
close
wait 10s
card 9C
card 2D
card KH
card 3S
dealer d2
wait 60s
open
close
card 2C
card 9D
card 3H
card KS
card 4D
rule burn by m
"""


def select(selection, records):
    return list(selection.select(records, lambda record: record))


def seqs(records):
    return [record.seq for record in records]


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [("12", 12, 12), ("10..20", 10, 20), ("10..", 10, None), ("..20", 1, 20), ("..", 1, None)],
)
def test_rounds_are_named_singly_or_from_one_to_another(text, first, last):
    assert Rounds.parse(text) == Rounds(first, last)


@pytest.mark.parametrize("text", ["", "x", "0", "-1", "20..10", "1...2", "1..x", "1,2", "0..5"])
def test_an_invalid_range_of_rounds_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says, the command names the form
        Rounds.parse(text)


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-01-31", "2026-01-31T00:00:00.000000Z"),
        ("2026-01-31T14:00", "2026-01-31T14:00:00.000000Z"),
        ("2026-01-31 14:00:05", "2026-01-31T14:00:05.000000Z"),
        ("2026-01-31T14:00:00.5Z", "2026-01-31T14:00:00.500000Z"),
        ("2026-01-31T14:00+02:00", "2026-01-31T12:00:00.000000Z"),
    ],
)
def test_a_time_is_utc_unless_it_names_a_zone(text, at):
    assert moment(text) == from_text(at)


@pytest.mark.parametrize("text", ["", "today", "14:00", "2026-02-30", "31.01.2026", "99999-01-01"])
def test_an_invalid_time_is_refused(text):
    with pytest.raises(ValueError):  # noqa: PT011 - whatever it says, the command names the form
        moment(text)


def test_a_selection_applies_all_of_its_conditions():
    records = played(TWO)
    start = records[0].at
    late = select(Selection(since=start + 60 * SECOND), records)
    assert {record.at - start >= 60 * SECOND for record in late} == {True}
    assert late[0].kind == "shoe_stood_by"  # comes before the opening
    assert seqs(late)[1:] == seqs(select(Selection(Rounds(2, 2), "d2", since=start), records))
    assert select(Selection(Rounds(2, 2), "dealer"), records) == []
    early = select(Selection(until=start + 60 * SECOND), records)
    assert seqs(early) + seqs(late) == seqs(records)


def test_a_fault_code_selects_every_round_with_that_fault():
    records = played(TWO)
    assert {record.round for record in select(Selection(fault="card_before_close"), records)} == {1}
    found = select(Selection(fault="extra_card"), records)
    assert {record.round for record in found} == {None, 2}
    assert seqs(found) == [
        record.seq
        for record in records
        if record.round == 2 or record.seq < min(seqs(select(Selection(Rounds(1)), records)))
    ]


def test_a_fault_by_its_number_is_one_round():
    records = played(TWO)
    late = next(record.seq for record in records if record.round == 2 and isinstance(record.what, r.Faulted))
    assert {record.round for record in select(Selection(fault=late), records)} == {2}
    assert select(Selection(fault=late + 1), records) == []


def test_an_unknown_dealer_or_fault_selects_nothing():
    assert select(Selection(dealer="nobody"), played(TWO)) == []
    assert select(Selection(fault="no_such_fault"), played(TWO)) == []


def endless():
    """Yield rounds without end, each with two records."""
    for number in count(1):
        for seq in (2 * number - 1, 2 * number):
            yield r.Record(seq, number, "t", r.Ignored(e.CutCardOut(), "idle"), round=number)


@pytest.mark.timeout(20)
@pytest.mark.parametrize("wanted", [Selection(Rounds(5, 9)), Selection(since=3)])
def test_records_are_selected_one_by_one(wanted):
    assert len(list(islice(wanted.select(endless(), lambda record: record), 4))) == 4


CORRECTED = f"""{TWO}
resettle 1 void by m because tired
resettle 1 void by m with n because misread
open
press dropped
"""


def test_a_round_includes_its_corrections_made_in_later_rounds():
    """Corrections come after the last record of the round, so the selection must read on."""
    records = played(CORRECTED)
    opening = max(record.seq for record in records if record.kind == "opened" and record.round == 2)
    for selection in (Selection(Rounds(1, 1)), Selection(Rounds(1, 1), fault="card_before_close")):
        found = select(selection, records)
        assert {record.round for record in found} == {1}
        assert [record.kind for record in found if record.seq > opening] == ["resettle_refused", "resettled"]
    assert {record.round for record in select(Selection(Rounds(2, 2)), records)} == {2}


@pytest.mark.parametrize("rounds", [None, Rounds(1, 1), Rounds(2), Rounds(1, 2), Rounds(9, 9)])
def test_only_records_that_may_name_a_round_are_read(tmp_path, rounds):
    records = played(CORRECTED)
    file = journal(tmp_path / "t.journal", tuple(records))
    read = list(records_for(file, rounds))
    assert seqs(select(Selection(rounds), read)) == seqs(select(Selection(rounds), records))
    if rounds == Rounds(1, 1):
        later = next(record.seq for record in records if record.round == 2)
        assert {record.kind for record in read if record.seq > later} == {"resettle_refused", "resettled"}


class RecordsOfAFault(Judge):
    """Selecting by a fault's code gives the records of the rounds in which the fault occurred."""

    def end(self):
        records = self.bench.records
        first = next((record.seq for record in records if record.round), len(records) + 1)

        def number(record):
            return 0 if record.seq < first else record.round

        hits = defaultdict(set)
        for record in records:
            if isinstance(record.what, r.Faulted):
                hits[record.what.code].add(number(record))
        for code in ("extra_card", "restarted", "dealer_call", "wrong_place"):
            expected = [record.seq for record in records if number(record) in hits[code]]
            assert seqs(select(Selection(fault=code), records)) == expected
