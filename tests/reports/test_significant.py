"""Significant events: who acted, by whose authority, why, and what changed."""

from functools import partial
from typing import get_args

import msgspec
import pytest
from msgspec.structs import replace

from controller.core import records as r
from controller.core.events import CloseTable, Input, LostDevice, Origin
from controller.core.house import StakeLimits, SumLimits
from controller.core.records import kind_of
from controller.core.views import view
from controller.reports.significant_events import ORDINARY, significant
from tests.core.bench import Bench
from tests.reports.test_audit import played

AUDITOR = partial(view, audience="auditor")
TROUBLE = """
open
bet p1 player 10.00
card 8H
wait 5s
ack by anna
rule burn by anna because "too early"
close
card 2C
card 3D
press manager
rule correct 2 7H by bo because misread
rule burn by bo
restart
rule cancel by bo because "cannot be put right"
"""
ROUND = "open; bet p1 player 10.00; close; card 9C; card 2D; card KH; card 3S"


def events(records, tell=AUDITOR):
    return [event for _, event in significant(records, tell)]


def events_of_kind(text, kind, *, game="baccarat"):
    return [event for event in events(played(text, game)) if event.kind == kind]


def test_an_ordinary_round_has_no_significant_event():
    text = "open\nbet p1 player 10.00\nunbet p1 player\nclose\nclose\ncard 9C\ncard 2D\ncard KH\ncard 3S\n"
    assert [event.kind for event in events(played(text))] == ["table_opened", "dealer_changed", "shoe_ready"]


def test_a_fault_is_told_with_who_was_dealing_and_why():
    fault = events_of_kind(TROUBLE, "faulted")[0]
    assert (fault.code, fault.fault, fault.round) == ("card_before_close", fault.seq, 1)
    assert (fault.actor, fault.dealer, fault.authoriser) == ("dealer", "dealer", None)
    assert fault.reason == "expected no more bets, got 8H"


def test_an_acknowledgement_names_who_has_seen_the_fault():
    (event,) = events_of_kind(TROUBLE, "acknowledged")
    assert (event.actor, event.authoriser, event.code) == ("anna", None, "card_before_close")


def test_an_override_has_actor_authoriser_reason_and_both_values():
    burn, correct = events_of_kind(TROUBLE, "ruled")[:2]
    assert (burn.actor, burn.authoriser, burn.reason) == ("anna", "anna", "too early")
    assert (burn.before, burn.after) == ({"draw": 1, "card": "8H"}, {"draw": 1, "fate": "burnt"})
    assert (correct.actor, correct.reason, correct.code) == ("bo", "misread", "dealer_call")
    assert (correct.before, correct.after) == ({"draw": 2, "card": "2C"}, {"draw": 2, "card": "7H"})


def test_consequences_of_a_ruling_name_its_maker_as_authoriser():
    (cancelled,) = events_of_kind(TROUBLE, "cancelled")
    assert (cancelled.actor, cancelled.authoriser, cancelled.code) == ("table", "bo", "restarted")
    assert cancelled.reason == "cannot be put right"
    resumed = events_of_kind(TROUBLE, "resumed")[0]
    assert (resumed.actor, resumed.authoriser, resumed.after) == ("table", "anna", {"state": "betting"})


def test_a_card_voided_by_a_cancellation_is_told():
    (voided,) = events_of_kind("open\ncard 9C\nrule cancel by anna because x\n", "voided")
    assert (voided.authoriser, voided.before, voided.after) == (
        "anna", {"draw": 1, "card": "9C"}, {"draw": 1, "fate": "void"},
    )  # fmt: skip


def test_a_round_cancelled_without_seats_has_no_authoriser():
    text = "shuffled\nopen\npress manager\nrule resume by anna because x\nclose\n"
    (cancelled,) = events_of_kind(text, "cancelled", game="blackjack")
    assert (cancelled.actor, cancelled.authoriser, cancelled.fault) == ("table", None, None)


def test_a_round_that_the_clock_cancels_has_no_authoriser():
    """The ruling on an earlier fault of the round is not its authority."""
    table = Bench(unruled="cancel")
    table.says("open; press manager; rule resume by anna because x; press manager; wait 180s")
    (cancelled,) = (event for event in events(table.records) if event.kind == "cancelled")
    assert (cancelled.actor, cancelled.authoriser, cancelled.code) == ("table", None, "dealer_call")


def test_a_fault_while_a_large_book_is_paid_stays_open():
    """The checkpoint follows the last payment, so a fault after the end of the round can come before it."""
    table = Bench()
    table.says(f"{ROUND}; card 4D; rule burn by anna because x")
    others = [record for record in table.records if record.kind != "checkpoint"]
    (checkpoint,) = (record for record in table.records if record.kind == "checkpoint")
    others.insert([record.kind for record in others].index("faulted") + 1, checkpoint)
    (resumed,) = (event for event in events(others) if event.kind == "resumed")
    assert (resumed.authoriser, resumed.code) == ("anna", "extra_card")


def test_a_refused_ruling_is_told_with_its_reason():
    (refused,) = events_of_kind("open\npress manager\nrule deal by anna because x\n", "ruling_refused")
    assert (refused.actor, refused.authoriser, refused.reason, refused.code) == (
        "anna", None, "not_allowed", "dealer_call",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "actor"),
    [
        ("restart", "program"),
        ("lost shoe", "shoe"),
        ("shoe error 7", "shoe"),
        ("unread", "shoe"),
        ("card JOKER", "dealer"),
    ],
)
def test_a_fault_of_a_device_or_program_names_no_dealer(line, actor):
    assert events_of_kind(f"open\nclose\n{line}\n", "faulted")[0].actor == actor


def test_steps_rewound_by_a_correction_are_listed():
    text = "open|close|card 2C|card 3D|card 2D|card AS|card 2H|press manager|rule correct 1 6C by anna because x"
    (rewound,) = events_of_kind(f"{text}|rule burn by anna".replace("|", "\n"), "rewound")
    assert (rewound.actor, rewound.authoriser, rewound.code) == ("table", "anna", "dealer_call")
    assert (rewound.before, rewound.after) == ({"decisions": {}}, {"answers": 4})


def test_a_result_confirmed_by_a_ruling_names_who_ruled():
    text = "open\nclose\ncard 9C\ncard 2D\ncard KH\nunread\nrule enter 3S by anna because seen\n"
    (settled,) = events_of_kind(text, "settled")
    assert (settled.actor, settled.authoriser) == ("table", "anna")
    assert settled.after["outcome"]["winner"] == "player"


@pytest.mark.parametrize(
    ("lines", "kind", "actor", "before", "after"),
    [
        ("dealer d2", "dealer_changed", "d2", {"dealer": "dealer"}, {"dealer": "d2"}),
        ("dealer d2 by eva", "dealer_changed", "eva", {"dealer": "dealer"}, {"dealer": "d2"}),
        ("dealer -", "dealer_changed", "dealer", {"dealer": "dealer"}, {"dealer": None}),
        ("shoe change by eva", "shoe_change", "eva", {"shoe": "1"}, None),
        ("shoe change\nshoe ready 77", "shoe_ready", "dealer", {"shoe": None}, {"shoe": "77", "cards": 312}),
        ("shoe change\nshoe uncut by eva because late", "cut_skipped", "eva", None, None),
        ("table close by eva", "table_closed", "eva", None, None),
        ("lost panel because unplugged", "device_lost", "panel", None, None),
        ("found panel", "device_found", "panel", None, None),
        ("dealer -\nopen", "start_refused", None, None, None),
        ("shoe change\nopen", "start_refused", "dealer", None, None),
        ("gap 2 4", "telegrams_missing", "shoe", None, None),
        ("babble shoe 700 9", "device_cut_off", "shoe", None, None),
        ("babble shoe 700 9\nrule resume by anna because x", "device_taken_back", "anna", None, None),
        ("clock 2026-01-01T02:00:00Z", "clock_set", "program", None, None),
    ],
)
def test_changes_of_table_dealer_shoe_and_devices(lines, kind, actor, before, after):
    event = events_of_kind(lines, kind)[-1]
    assert (event.actor, event.before, event.after) == (actor, before, after)


def test_an_outage_that_concerns_no_round_is_told():
    (outage,) = events_of_kind("shoe error 3 because jam\npress finish\n", "ignored")
    assert "shoe error 3: jam" in outage.what


def test_a_fault_that_waits_too_long_is_told():
    (escalated,) = events_of_kind("press manager\nwait 31s", "escalated")
    assert (escalated.actor, escalated.code) == ("table", "dealer_call")


def test_changed_settings_of_a_round_are_listed_with_both_values():
    first, second = Bench(), Bench(carry=True, betting_seconds=20)
    first.says("open; press manager; rule cancel by m because x; open; press manager; rule cancel by m because x")
    second.records, second.state, second.now = first.records, first.state, first.now
    second.says("open")
    (opened,) = [event for event in events(second.records) if event.kind == "opened"]
    assert opened.round == 3
    assert opened.before == {"terms.carry": False, "terms.betting_seconds": 15}
    assert opened.after == {"terms.carry": True, "terms.betting_seconds": 20}


def test_the_account_that_a_command_came_from_is_told():
    closed = r.Record(1, 0, "t", r.TableClosed("eva"), input=Input(CloseTable("eva"), 0, Origin("unix:eva")))
    following = r.Record(2, 0, "t", r.TableClosed("eva"))
    lost = r.Record(3, 0, "t", r.DeviceLost("shoe"), input=Input(LostDevice("shoe"), 0))
    assert [event.via for event in events([closed, following, lost])] == ["unix:eva", "unix:eva", None]


def test_significant_events_withhold_cards_hidden_from_the_reader():
    live = "shuffled|open|bet p1 ante 1.00|close|card KS|card KD|card 5D|card 5C at board|ack by m"
    records = played(live.replace("|", "\n"), "casino_holdem")
    text = msgspec.json.encode(events(records, partial(view, audience="manager"))).decode()
    assert "wrong_place" in text
    assert "5C" not in text


def test_a_kind_not_listed_as_ordinary_is_significant():
    """A new kind of record is shown until it is listed as ordinary play."""
    kinds = {kind_of(what) for what in get_args(r.What)}
    assert kinds >= ORDINARY

    class Novel(r.Fact, frozen=True, tag="novel"):
        by: str

    (event,) = events([r.Record(1, 0, "t", Novel("eva"))])
    assert (event.kind, event.what, event.actor) == ("novel", "novel", "eva")


def test_an_uncut_shoe_is_told_with_the_reason():
    (ready,) = events_of_kind("shoe change\nshoe uncut by eva because late\npress ready", "shoe_ready")[1:]
    assert ready.reason == "late"
    assert "NOT CUT: late" in ready.what


def test_a_change_of_terms_behind_a_rotation_is_significant():
    bench = Bench()
    bench.says(ROUND)
    begin = len(bench.records) - 1
    bench.house = replace(bench.house, terms=replace(bench.house.terms, betting_seconds=30))
    bench.restart()
    bench.says(ROUND)
    whole, later = (
        [(one.kind, one.before, one.after) for one in events(records) if one.kind == "opened"]
        for records in (bench.records, bench.records[begin:])
    )
    assert whole == [("opened", {"terms.betting_seconds": 15}, {"terms.betting_seconds": 30})]
    assert (bench.records[begin].kind, later) == ("checkpoint", whole)


def test_unchanged_terms_behind_a_rotation_are_ordinary():
    bench = Bench("casino_holdem", stakes=StakeLimits(round=SumLimits(0, 900_00)))
    bench.says("shuffled; open; press manager; rule cancel by bo because no; shuffled; open")
    begin = next(place for place, record in enumerate(bench.records) if record.kind == "checkpoint")
    assert [one.kind for one in events(bench.records[begin:])] == []
