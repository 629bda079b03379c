"""Metrics for a monitoring system: they equal the figures of the record."""

import asyncio
from collections import Counter

import pytest
from prometheus_client.parser import text_string_to_metric_families

from controller.config.alerts import Target
from controller.core import events as e
from controller.core import records as r
from controller.core.clock import SECOND
from controller.journal import Head, Journal, JournalError, JournalFailed
from controller.outputs.alerts import Alerts
from controller.outputs.metrics import Metrics, MetricSources
from controller.outputs.timed_journal import BUCKETS, TimedJournal
from controller.outputs.web_metrics import WebState
from controller.reports.counting import Counting
from controller.reports.statistics import Statistics
from controller.table.clocks import SteadyClock
from tests.core.bench import Bench
from tests.core.chance import Judge
from tests.journal.test_outbox import PATIENT
from tests.ports import free
from tests.table.test_table import JournaledTable

MANAGER, DEALER = "manager", "dealer"  # names that the bench uses


class Unwritten:
    """Journal that has no records."""

    head = Head(0, bytes(32))


class AtABench:
    """Part of a live table that the metrics read, played at a bench."""

    halted = None

    behind = 0  # how far the PC's clock is behind

    def __init__(self, bench: Bench) -> None:
        self.bench = bench

    def now(self):
        return self.bench.now

    @property
    def state(self):
        return self.bench.state

    @property
    def house(self):
        return self.bench.house

    def subscribe(self, listener):
        self.told = listener


def parse_samples(text: bytes) -> dict[str, dict[str, float]]:
    """Return the samples by metric name and by the values of their own labels; '' without labels."""
    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(text.decode()):
        for sample in family.samples:
            if sample.name.startswith("tablectl_"):
                labels = dict(sample.labels)
                labels.pop("table")
                found.setdefault(sample.name, {})[",".join(labels.values())] = sample.value
    return found


def samples_of(metrics: Metrics) -> dict[str, dict[str, float]]:
    """Return the samples of these metrics, with money."""
    return parse_samples(asyncio.run(metrics.text(WebState(), money=True)))


class Heard(Judge):
    """The metrics of a table equal the figures of its record."""

    def __init__(self, bench):
        super().__init__(bench)
        self.table = AtABench(bench)
        self.metrics = Metrics(self.table, TimedJournal(Unwritten(), "table"), MetricSources(("shoe",)))

    def look(self, before, event, records, after):
        self.metrics.hear(self.table, records)

    def end(self):
        found, state, records = samples_of(self.metrics), self.bench.state, self.bench.records
        for name, numbers in by_the_record(records).items():
            counted = {value: number for value, number in found[f"tablectl_{name}_total"].items() if number}
            assert counted == {value: number for value, number in numbers.items() if number}, name
        assert [life for life, here in found["tablectl_life"].items() if here] == [state.life]
        assert found["tablectl_device_present"] == {"shoe": 1, **dict.fromkeys(state.lost, 0)}
        assert found["tablectl_round"] == {"": state.round.number}
        assert waits(found) == by_the_records_times(records)


def by_the_record(records: list[r.Record]) -> dict[str, dict[str, float]]:
    """Return the expected counters, from `journal stats` and, where it has none, counted here."""
    statistics = Statistics()
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    whole = statistics.figures_of(("all", ""))
    kinds = Counter(record.kind for record in records)
    return {
        "rounds": {"settled": whole.counts["settled"], "cancelled": whole.counts["cancelled"]},
        "misreads": {"unread": whole.counts["unread"], "corrected": whole.counts["corrected"]},
        "resettlements": resettlements(records),
        "faults": dict(whole.faults),
        "rulings": dict(whole.rulings),
        "bets": {"accepted": kinds["bet_accepted"], "refused": kinds["bet_refused"]},
        "cards": {"reader": whole.counts["read"], "manual": entered_cards(records)},
        "refusals": dict(refusals(records)),
        "returned_money": {"EUR": whole.counts["paid_out"] / 100},
    }


def test_the_exposure_is_shown_only_with_money():
    bench = Bench(exposure_warning=90_00)
    metrics = Metrics(AtABench(bench), TimedJournal(Unwritten(), "table"), MetricSources())
    bench.says("open; bet p1 banker 100.00")
    found = samples_of(metrics)
    assert (found["tablectl_exposure_money"], found["tablectl_exposure_warned"]) == ({"EUR": 95.0}, {"": 1.0})
    assert "tablectl_exposure_money" not in parse_samples(asyncio.run(metrics.text(WebState())))
    bench.says("close; card 9C; card 2D; card KC; card 3D")
    over = samples_of(metrics)
    assert (over["tablectl_exposure_money"], over["tablectl_exposure_warned"]) == ({"EUR": 0.0}, {"": 0.0})


def test_a_round_of_training_exposes_nothing():
    bench = Bench(exposure_warning=90_00, training=True)
    metrics = Metrics(AtABench(bench), TimedJournal(Unwritten(), "table"), MetricSources())
    bench.says("open; bet p1 banker 100.00")
    found = samples_of(metrics)
    assert (found["tablectl_exposure_money"], found["tablectl_exposure_warned"]) == ({"EUR": 0.0}, {"": 0.0})


def resettlements(records: list[r.Record]) -> dict[str, float]:
    """Return how many rounds were settled anew, by their new end."""
    anew = [one.what.now for one in records if isinstance(one.what, r.Resettled) and not one.training]
    return {"void": anew.count(None), "settled": len(anew) - anew.count(None)}


def refusals(records: list[r.Record]) -> Counter[str]:
    """Return the number of refusals by reason and kind."""
    kinds = {r.BetRefused: "bet", r.DecisionRefused: "decision", r.RulingRefused: "ruling", r.StartRefused: "start"}
    what = {**kinds, r.StartsRefused: "start", r.Ignored: "command", r.ResettleRefused: "resettlement"}
    here = [one.what for one in records if type(one.what) in what and not one.training]
    found = Counter[str]()
    for one in here:
        found[f"{one.reason or 'state'},{what[type(one)]}"] += one.times if isinstance(one, r.StartsRefused) else 1
    return found


def entered_cards(records: list[r.Record]) -> int:
    """Return the number of cards that were entered by hand."""
    return sum(isinstance(record.what, r.Ruled) and record.what.ruling == "enter" for record in records)


def waits(found: dict[str, dict[str, float]]) -> list[tuple[float, float]]:
    """Return count and sum in seconds of the times until acknowledgement and until ruling."""
    names = [f"tablectl_fault_{what}_seconds" for what in ("acknowledgement", "ruling")]
    return [(found[f"{name}_count"][""], round(found[f"{name}_sum"][""], 3)) for name in names]


def by_the_records_times(records: list[r.Record]) -> list[tuple[float, float]]:
    """Return the same counts and sums, from the record."""
    statistics = Statistics()
    counting = Counting(statistics)
    for record in records:
        counting.take(record)
    times = statistics.figures_of(("all", "")).times
    return [(times[what].count, round(times[what].total / SECOND, 3)) for what in ("acknowledged", "ruled")]


def test_money_counts_only_in_settled_rounds():
    bench = Bench()
    judge = Heard(bench)
    bench.judges = [judge]
    bench.says("open; bet p1 banker 10.00; bet p2 player 7.50; close")
    found = samples_of(judge.metrics)
    assert found["tablectl_staked_money_total"] == found["tablectl_returned_money_total"] == {"EUR": 0}
    bench.says("card 9C; card 2D; card KD; card 3H; press finish")
    found = samples_of(judge.metrics)
    assert found["tablectl_staked_money_total"] == {"EUR": 17.5}
    assert found["tablectl_returned_money_total"] == {"EUR": 15}


def test_the_build_says_which_program_plays_which_rules():
    text = asyncio.run(Heard(Bench()).metrics.text(WebState())).decode()
    assert 'tablectl_build_info{game="baccarat",' in text
    assert ' version="' in text.replace(",version", ", version")


def test_every_fault_and_ruling_counter_exists_from_the_start():
    """A counter that appears with its first event shows no increase to the monitoring system."""
    found = samples_of(Heard(Bench()).metrics)
    assert set(found["tablectl_faults_total"].values()) == {0}
    assert {"extra_card", "journal_failed"} <= set(found["tablectl_faults_total"])
    assert {"burn", "cancel"} <= set(found["tablectl_rulings_total"])


def test_paused_seconds_grow_only_during_a_pause():
    bench = Bench()
    judge = Heard(bench)
    bench.judges = [judge]
    bench.says("open; card 5H")
    bench.now += 20 * SECOND
    assert samples_of(judge.metrics)["tablectl_paused_seconds_total"] == {"": 20}
    bench.says("rule burn by manager because early")
    bench.now += 10 * SECOND
    assert samples_of(judge.metrics)["tablectl_paused_seconds_total"] == {"": 20}
    bench.says("card 6H")
    bench.now += 5 * SECOND
    bench.says("card 7H; rule burn by manager because early; rule burn by manager because early")
    bench.now += 5 * SECOND
    assert samples_of(judge.metrics)["tablectl_paused_seconds_total"] == {"": 25}


def test_paused_seconds_after_a_restart_count_from_the_start():
    bench = Bench()
    bench.says("open; card 5H")
    bench.now += 3600 * SECOND
    judge = Heard(bench)
    bench.now += 2 * SECOND
    found = samples_of(judge.metrics)
    assert found["tablectl_paused_seconds_total"] == {"": 2}
    assert found["tablectl_cards_total"] == {"reader": 0, "manual": 0}


def test_rounds_of_training_are_not_counted():
    bench = Bench(training=True)
    judge = Heard(bench)
    bench.judges = [judge]
    bench.says("open; card 5H; rule cancel by manager because x")
    found = samples_of(judge.metrics)
    assert set(found["tablectl_rounds_total"].values()) == set(found["tablectl_faults_total"].values()) == {0}


def test_metrics_contain_no_card_and_no_name():
    bench = Bench()
    judge = Heard(bench)
    bench.judges = [judge]
    bench.says("open; bet p1 banker 98765432.12; close; card 9C; card 2D; card KH; card 3S; card 7H")
    bench.says('rule burn by m17 because "the 7H was stuck"')
    text = asyncio.run(judge.metrics.text(WebState())).decode()
    stake = "876543212"  # digits of the stake, plain or with exponent; too long to occur by chance
    assert not [word for word in ("7H", "9C", "p1", "m17", "stuck", stake, 'dealer"') if word in text]


def test_append_times_include_failed_appends(tmp_path):
    rig = JournaledTable(tmp_path / "t.journal")
    timed = rig.table.journal = TimedJournal(rig.journal, "table")
    metrics = Metrics(rig.table, timed, MetricSources())

    async def steps():
        rig.table.start("d1")
        rig.journal.broken = "disk full"
        rig.take(e.Open())
        found = parse_samples(await metrics.text(WebState(3)))
        rig.close()
        return found

    found = asyncio.run(steps())
    assert found["tablectl_journal_append_seconds_count"] == {"": 5}  # four events at the start, and one failed
    assert 0 < found["tablectl_journal_append_seconds_sum"][""] < 4
    bounds = [float(bound) for bound in found["tablectl_journal_append_seconds_bucket"]]
    assert bounds == [*BUCKETS, float("inf")]
    assert (found["tablectl_halted"], found["tablectl_connections"]) == ({"": 1}, {"": 3})
    assert found["tablectl_record_seq"] == {"": rig.table.state.seq}


# ── alerts ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_alerts_that_wait_are_counted_for_each_target(tmp_path):
    bench = Bench()
    bench.says("open; card 5H; wait 30s; rule burn by m because early; card 6H; rule burn by m because early")
    path = tmp_path / "t.journal"
    with_journal = Journal(path)
    targets = {
        "called at once": Target(url=f"json://127.0.0.1:{free()}", level=1),
        "called when nobody came": Target(url=f"json://127.0.0.1:{free()}", level=2),
    }
    alerts = Alerts(targets, path, 0, SteadyClock().now, PATIENT)
    assert set(alerts.count_queued().values()) == {0}
    for record in bench.records:
        with_journal.append([record])
        alerts.hear(None, [record])
    with_journal.close()
    kinds = Counter(record.kind for record in bench.records)
    assert (kinds["faulted"], kinds["escalated"], kinds["resumed"]) == (2, 1, 2)
    assert alerts.count_queued() == {"called at once": 4, "called when nobody came": 2}


def test_waiting_alerts_are_recounted_only_after_new_records(tmp_path):
    path = tmp_path / "t.journal"
    book, bench = Journal(path), Bench()
    book.append(bench.says("open; card 5H") and bench.records)
    alerts = Alerts({"duty": Target(url="json://127.0.0.1:1")}, path, 0, SteadyClock().now, PATIENT)
    alerts.hear(None, bench.records)
    assert alerts.count_queued() == {"duty": 1}
    path.rename(tmp_path / "elsewhere")
    assert alerts.count_queued() == {"duty": 1}
    alerts.hear(None, [bench.records[-1], *bench.says("rule burn by m because early")])
    with pytest.raises(JournalError):
        alerts.count_queued()
    book.close()


def test_an_unreadable_record_removes_only_its_own_metric():
    def unreadable():
        raise JournalFailed("disk gone")

    bench = Bench()
    table = AtABench(bench)
    found = samples_of(Metrics(table, TimedJournal(Unwritten(), "table"), MetricSources((), unreadable)))
    assert "tablectl_alerts_queued" not in found
    assert found["tablectl_open"] == {"": 1}
