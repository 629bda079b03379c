"""Two tables counted together: figures, selections and events of one never count for the other."""

from msgspec.structs import replace

from controller.core import records as r
from controller.core.clock import SECOND, to_text
from controller.core.views import view
from controller.lab.testing.bench import Bench
from controller.reports.counting import Counting
from controller.reports.figures import KeptTimes, Times
from controller.reports.selection import Rounds, Selection
from controller.reports.significant_events import significant
from controller.reports.statistics import Statistics

ROUND = "open; close; card 9C; card 2D; card KH; card 3S"
CORRECTED = (
    "open; close; card 9C; card 2D; card KH; press manager; rule correct 3 QH by anna because seen; "
    "rule resume by anna because seen; card 3S"
)


def played(says: str, table: str = "t1") -> list:
    bench = Bench()
    bench.says(says)
    return [replace(record, table=table) for record in bench.records]


def figures(records) -> dict:
    statistics = Statistics()
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    return {(row["by"], row["name"]): row for row in statistics.report()}


def test_open_faults_of_one_table_count_at_no_other():
    one = played("open; press manager; wait 9s; rule resume by anna because x; lost panel; wait 5s; found panel")
    other = played(f"{ROUND}; lost panel; wait 60s; found panel", "t2")
    together = figures(record for pair in zip(one, other, strict=False) for record in pair)
    apart = figures(one[: len(other)]), figures(other[: len(one)])
    for name, alone in (("t1", apart[0]), ("t2", apart[1])):
        assert together["table", name] == alone["table", name]


def test_a_correction_counts_in_its_own_round_alone():
    rows = figures(played(f"{CORRECTED}; {ROUND}; {CORRECTED}"))
    assert rows["device", "shoe of t1"]["corrected"] == 2


def test_each_device_is_away_once_for_each_loss():
    rows = figures(
        played("lost panel; wait 5s; lost shoe; wait 2s; found panel; found panel; wait 3s; found shoe; found shoe")
    )
    away = {name: (row["away"]["count"], row["away"]["total"]) for (by, name), row in rows.items() if by == "device"}
    assert away == {"panel of t1": (1, 7.0), "shoe of t1": (1, 5.0)}


def test_setting_the_clock_lengthens_no_devices_absence():
    bench = Bench()
    bench.says("lost panel; lost shoe")
    records = [record for record in bench.records if record.kind == "device_lost"]
    bench.says("wait 5s; found panel; found shoe")
    found = [record for record in bench.records if record.kind == "device_found"]
    at = records[-1].at
    step = r.Record(records[-1].seq + 1, at, "table", r.ClockSet(to_text(at), to_text(at + 3600 * SECOND)))
    later = [replace(record, seq=record.seq + 1, at=record.at + 3600 * SECOND) for record in found]
    rows = figures([*records, step, *later])
    assert {row["away"]["total"] for (by, _), row in rows.items() if by == "device"} == {5.0}


def test_times_of_two_counts_join_like_one_count():
    apart, whole = [Times(), Times()], Times()
    for number, time in enumerate((5, 300, 20, 7)):
        apart[number // 2].add(time * SECOND)
        whole.add(time * SECOND)
    joined = Times()
    for one in apart:
        joined.join(one.stored_form)
    assert joined.report() == whole.report()
    assert joined.stored_form == KeptTimes(332 * SECOND, 300 * SECOND, whole.stored_form.seen)


# ── selection ────────────────────────────────────────────────────────────────────────────────────────────────────


def chosen(records: list, **about: object) -> list[int]:
    return [record.seq for record in Selection(**about).select(records, lambda record: record)]


def test_a_time_includes_its_beginning_and_not_its_end():
    records = played("open; wait 1s; close; wait 1s; card 9C; wait 1s; card 2D")
    times = sorted({record.at for record in records})
    for since in times:
        for until in times:
            expected = [record.seq for record in records if since <= record.at < until]
            assert chosen(records, since=since, until=until) == expected


def test_only_rounds_with_the_fault_are_wanted():
    records = played(
        f"{ROUND}; press finish; open; press manager; rule resume by m because x; close; card 9C; card 2D; card KH; "
        f"card 3S; press finish; {ROUND}; press finish; open; press manager; rule cancel by m because x"
    )
    assert {record.round for record in records if record.seq in chosen(records, fault="dealer_call")} == {2, 4}
    assert chosen(records, fault="dealer_call") == [record.seq for record in records if record.round in (2, 4)]
    assert chosen(records, fault="dealer_call", rounds=Rounds(3, 9)) == [one.seq for one in records if one.round == 4]


# ── significant events ───────────────────────────────────────────────────────────────────────────────────────────


def events(records: list) -> list:
    return [event for _, event in significant(records, lambda record: view(record, "manager"))]


def test_a_rulings_consequences_name_its_fault_and_person():
    trail = events(
        played(
            "open; press manager; rule resume by anna because one; press manager; rule cancel by bo because two; "
            f"{ROUND}; press finish; open; press manager; rule resume by eva because three"
        )
    )
    follows = [(event.kind, event.authoriser, event.fault) for event in trail if event.kind in ("resumed", "cancelled")]
    faults = [event.seq for event in trail if event.kind == "faulted"]
    assert follows == [("resumed", "anna", faults[0]), ("cancelled", "bo", faults[1]), ("resumed", "eva", faults[2])]
    assert [event.authoriser for event in trail if event.kind == "faulted"] == [None] * 3


def test_changed_terms_are_compared_with_the_round_before():
    opened = next(record for record in played("open") if record.kind == "opened")
    rounds = [
        replace(opened, seq=number, what=replace(opened.what, terms={**opened.what.terms, "stall_seconds": seconds}))
        for number, seconds in enumerate((30, 30, 20, 20, 30), 1)
    ]
    changes = [(event.seq, event.before, event.after) for event in events(rounds)]
    thirty, twenty = {"terms.stall_seconds": 30}, {"terms.stall_seconds": 20}
    assert changes == [(3, thirty, twenty), (5, twenty, thirty)]


def test_a_pause_of_one_table_lasts_while_another_plays_on():
    one, other = (
        played("open; press manager; wait 60s; rule resume by anna because x"),
        played("open; press manager; wait 5s; rule resume by bo because x", "t2"),
    )
    at = next(number for number, record in enumerate(one) if record.kind == "faulted") + 1
    rows = figures([*one[:at], *other, *one[at:]])
    assert {name: rows["table", name]["paused"]["total"] for name in ("t1", "t2")} == {"t1": 60.0, "t2": 5.0}


def test_a_ruling_names_both_persons_an_unruled_fault_none():
    bench = Bench(unruled="cancel")
    bench.says("open; press manager; rule resume by anna because one; press manager; wait 3600s")
    records = [
        replace(record, what=replace(record.what, second="bo")) if record.kind == "ruled" else record
        for record in bench.records
    ]
    people = {event.kind: event.authoriser for event in events(records)}
    assert (people["ruled"], people["resumed"], people["cancelled"]) == ("anna + bo", "anna + bo", None)
