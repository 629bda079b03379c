"""Amounts cut by payment ceilings appear in sentences, figures, exported tables and metrics."""

from controller.core.house import Ceilings
from controller.core.records import Record
from controller.core.views import view
from controller.outputs.counts import TableCounts
from controller.reports.counting import Counting
from controller.reports.event_lines import lines
from controller.reports.statistics import Statistics
from controller.reports.table_rows import record_rows
from controller.text.faults import Words
from controller.text.records import sentence
from controller.text.story import tell
from controller.text.table_words import TableWords
from tests.core.bench import Bench
from tests.core.test_resettling import anew

ROUND = "open; bet p1 tie 1.00; bet p2 tie 2.00; bet p3 player 5.00; close; card 9C; card 9D; card KC; card KD"


def capped():
    bench = Bench(ceilings=Ceilings(bet=900, round=1000))
    bench.says(ROUND)
    return bench


def paid(bench) -> list[Record]:
    return [record for record in bench.records if record.kind == "paid"]


def describe(bench, language, *records):
    return tell(TableWords(Words(language)), "baccarat", records)


def test_a_capped_payment_is_told_in_words():
    bench = capped()
    assert [sentence(view(record, "manager")) for record in paid(bench)[1:]] == [
        "p2 gets 7.29 for 2.00 on tie; wins 5.29 instead of 16.00 (ceiling of a bet, the round)",
        "p3 gets 5.00 for 5.00 on player",
    ]


def test_the_story_of_a_round_tells_what_ceilings_lower():
    bench = capped()
    payments = paid(bench)
    assert describe(bench, "en", payments[0]) == (
        "p1 gets 5.71 for 1.00 on tie: wins 4.71 instead of 8.00 (ceiling of the round)"
    )
    assert describe(bench, "en", *payments) == (
        "3 bets are settled, 18.00 paid in all (PLAYER, tie); ceilings lower 2 of them, by 14.00"
    )
    assert describe(bench, "ro", payments[0]).endswith("câștigă 4.71 în loc de 8.00 (plafonul rundei)")


def test_the_terminal_sums_up_what_ceilings_lower():
    bench = capped()
    first = next(place for place, record in enumerate(bench.records) if record.kind == "settled")
    texts = [line.text for line in lines(bench.state, bench.records[first:])]
    assert "paid: p1 +4.71, p2 +5.29, p3 0.00; ceilings lower 2 of the bets, by 14.00" in texts


def test_a_resettlement_says_how_many_bets_are_lowered():
    bench = capped()
    anew(bench, "correct 2 8D")
    assert "ceilings lower" not in sentence(view(bench.records[-1], "manager"))
    anew(bench, "correct 2 9D")
    assert "; ceilings lower 2 of the bets;" in sentence(view(bench.records[-1], "manager"))


def test_figures_tables_and_metrics_count_amounts_above_the_ceilings():
    bench = capped()
    statistics, counts = Statistics(), TableCounts("table", bench.state, bench.now)
    counting = Counting(statistics)
    for record in bench.records:
        counting.take(record)
    counts.hear(bench.records)
    (whole,) = (row for row in statistics.report() if row["by"] == "all")
    assert (whole["staked"], whole["paid_out"], whole["above_ceilings"]) == (800, 1800, 1400)
    assert (counts.money["settled_stakes"], counts.money["paid_out"], counts.money["above_ceilings"]) == (
        800,
        1800,
        1400,
    )
    rows = [row for name, row in record_rows(bench.records, 1) if name == "bets"]
    assert [(row["returned"], row["above_ceilings"]) for row in rows] == [(571, 329), (729, 1071), (500, 0)]
