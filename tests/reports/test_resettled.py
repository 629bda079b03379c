"""Exports, statistics and metrics follow a round that is settled anew."""

from controller.outputs.counts import TableCounts
from controller.reports.counting import Counting
from controller.reports.shift_log import ShiftLog
from controller.reports.statistics import Statistics
from controller.reports.summaries import revisions
from controller.reports.table_rows import record_rows
from tests.core.bench import START, Bench
from tests.core.test_resettling_in_parts import anew, over, to_the_end

PLAYED = "open; bet p1 player 1.00; bet p3 tie 1.00; close; card 9C; card 2D; card KC; card 3D"
ANEW = "open; close; card 9C; card 2D; card KC; card 3D; resettle 1 correct 2 6D by m with n because misread"


def corrected():
    table = Bench()
    table.says(f"{PLAYED}; {ANEW}")
    return table


def test_exported_movements_have_each_difference_under_its_own_id():
    table = corrected()
    rows = [row for name, row in record_rows(table.records, 2) if name == "movements" and row["cause"] == "resettled"]
    assert [(row["player"], row["kind"], row["amount"]) for row in rows] == [
        ("p1", "debit", 100),
        ("p3", "credit", 900),
    ]
    assert {row["movement"].rpartition(".")[2] for row in rows} == {"r1"}
    assert {row["round_id"] for row in rows} == {table.facts("opened")[0].round_id}


def test_a_shift_lists_a_resettlement_in_parts_once():
    bench, log = over(bets=10, size=3), ShiftLog()
    anew(bench)
    to_the_end(bench)
    for record in bench.records:
        log.take(record)
    (one,) = log.resettlements
    parts = list(bench.facts("resettled"))
    assert (len(parts), one.bets) == (4, sum(bool(bet.difference) for part in parts for bet in part.movements))
    assert one.amount == sum(bet.difference for part in parts for bet in part.movements)


def test_statistics_count_what_a_resettlement_has_moved():
    statistics = Statistics()
    counting = Counting(statistics)
    for record in corrected().records:
        counting.take(record)
    whole = next(statistics.report())
    assert (whole["resettled"], whole["adjusted"], whole["revised"], whole["paid_out"]) == (1, 800, 800, 200)


def test_metrics_count_resettlements_and_no_total_goes_back():
    table, counts = corrected(), TableCounts("t", Bench().state, START)
    counts.hear(table.records)
    assert counts.by["resettlements"] == {"settled": 1}
    assert counts.money["paid_out"] == 200  # as it was paid first: a counter only grows
    assert (counts.money["given_later"], counts.money["taken_back"]) == (900, 100)


def test_exported_bets_and_movements_agree_while_a_round_is_on():
    table = Bench()
    table.says(f"{PLAYED}; open; resettle 1 correct 2 6D by m with n because misread")
    rows = list(record_rows(table.records, 1, revisions(reversed(table.records))))
    assert [(row["returned"], row["adjusted"]) for name, row in rows if name == "bets"] == [(200, -100), (0, 900)]
    moved = [(row["kind"], row["amount"]) for name, row in rows if name == "movements" and row["cause"] == "resettled"]
    assert moved == [("debit", 100), ("credit", 900)]
    assert [(row["round"], row["cancelled"], row["revision"]) for name, row in rows if name == "rounds"] == [
        (1, False, 1)
    ]
