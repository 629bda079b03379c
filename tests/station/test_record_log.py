"""Log of a table's records: a line for each fault, players' actions as counts, and no player's id."""

import json
import re
from types import SimpleNamespace
from typing import Any

import pytest
from structlog.testing import capture_logs

from controller.core import records as r
from controller.core.records import Record
from controller.lab.testing.chance import PLAYERS
from controller.station.record_log import FIELDS, RecordLog
from tests.documents.pages import DOCS
from tests.web.random_records import KINDS, all_records

COUNTED = {
    "bet_accepted", "bet_refused", "bet_withdrawn", "bet_repriced", "player_gone", "player_back", "decided",
    "decision_refused", "paid", "refunded", "checkpoint",
}  # fmt: skip
LOCKED = {"player", "players", "who", "market", "bet", "command", "outcome", "because", "note", "moved", "touched"}
TABLE: Any = SimpleNamespace(journal=SimpleNamespace(head="7:ab"))


def lines(records: list[Record]) -> list[dict[str, Any]]:
    with capture_logs() as logged:
        log = RecordLog("t1")
        log.hear(TABLE, records)
    return list(logged)


def records_of(*whats: r.What) -> list[Record]:
    return [Record(seq, 0, "t1", what, round=1) for seq, what in enumerate(whats, 1)]


def refused(times: int, reason: str = "betting_closed") -> list[r.What]:
    return [r.BetRefused("ann", "tie", 100, reason, "EUR")] * times


def test_no_line_of_random_rounds_holds_a_players_id():
    record_lines = lines(list(all_records()))
    assert len(record_lines) > 1000
    ids = "|".join(re.escape(json.dumps(one)[1:-1]) for one in PLAYERS if one)
    named = re.compile(rf"\b({ids})")
    assert [line for line in record_lines if named.search(json.dumps(line))] == []


@pytest.mark.parametrize("kind", FIELDS)
def test_a_records_line_lists_no_field_of_players(kind):
    assert set(FIELDS[kind]) & LOCKED == set()


def test_every_fault_has_a_line_of_its_own():
    records = list(all_records())
    faults = [record.seq for record in records if record.kind == "faulted"]
    assert [line["seq"] for line in lines(records) if line["event"] == "faulted"] == faults
    assert {line["log_level"] for line in lines(records) if line["event"] == "faulted"} == {"warning"}


def test_every_kind_is_logged_or_counted():
    assert {line["event"] for line in lines(list(all_records()))} >= set(KINDS) - COUNTED


def test_a_betting_window_has_one_line_of_counts():
    accepted = r.BetAccepted("R.1", "ann", "tie", 100)
    whats = [accepted, *refused(1000, "bad_amount"), *refused(7), r.PlayerGone("ann"), r.Closed("clock", 2, ("ann",))]
    bets, closed = lines(records_of(*whats))
    assert bets["refused"] == {"bad_amount": 1000, "betting_closed": 7}
    assert (bets["accepted"], bets["gone"], bets["window"]) == (1, 1, 2)
    assert closed["event"] == "closed"


def test_late_bets_are_counted_in_the_next_window():
    found = lines(records_of(r.Closed("clock"), *refused(3), r.Settled({}, "clock"), r.Closed("clock")))
    assert [line["refused"] for line in found if line["event"] == "bets"] == [{}, {"betting_closed": 3}]


def test_decisions_and_payments_have_one_line_a_round():
    paid = r.Paid("ann", "tie", "R.1", 100, 900)
    whats = [r.Decided("ann", "call", "player")] * 3 + [r.Completed({}), r.Settled({}, "clock"), paid, paid]
    found = {line["event"]: line for line in lines(records_of(*whats, r.Checkpoint(b"{}")))}
    assert found["decisions"]["decided"] == 3
    assert found["payments"]["paid"] == 2


def test_the_page_of_the_log_lists_each_records_fields():
    rows = re.findall(r"^\| `(\w+)` \| ((?:`\w+`(?:, )?)*) \|$", (DOCS / "log.md").read_text("utf-8"), re.MULTILINE)
    assert {kind: tuple(re.findall(r"`(\w+)`", fields)) for kind, fields in rows} == dict(FIELDS)
