"""`tablectl bench`: what it measures, and when it calls a PC not fit."""

import json

import pytest
from click.testing import CliRunner

from controller.cli import main
from controller.lab import measures
from controller.lab.commands import bench as command
from controller.lab.commands.bench import CARD, DISK, LINE, WAKE, format_times, verdict
from controller.lab.measures import MeasuredTimes, times
from tests.patience import on_loop

FINE = MeasuredTimes(1, 2, 3)


def test_every_part_is_measured_and_nothing_is_left_behind(tmp_path):
    ended = CliRunner().invoke(main, ["bench", str(tmp_path), "--count", "20", "--json"])
    report = json.loads(ended.output)
    assert ended.exit_code == bool(report["says"])
    assert set(report) == {"fit", "says", "disk", "card", "line", "wake"}
    for part in ("disk", "card", "line", "wake"):
        assert 0 <= report[part]["half"] <= report[part]["most"] <= report[part]["worst"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("limit", [DISK, CARD, LINE, WAKE], ids=lambda limit: limit.name)
def test_a_pc_with_one_slow_part_is_not_fit(limit):
    measured = dict.fromkeys([DISK, CARD, LINE, WAKE], FINE)
    assert verdict({**measured, limit: MeasuredTimes(1, limit.most, 10**6)}) == []
    (line,) = verdict({**measured, limit: MeasuredTimes(1, limit.most + 1, 10**6)})
    assert line == (
        f"not fit: {limit.name}: expected a p99 of at most {limit.most:g} ms, got {limit.most + 1:g}: {limit.why}"
    )


def test_the_figures_of_a_measurement_are_shown_in_columns():
    assert format_times(MeasuredTimes(0.5, 12.345, 1234.5)) == "p50     0.50 ms   p99    12.35 ms   worst 1234.50 ms"


@pytest.mark.parametrize(("slow", "code"), [(100.5, 1), (100.0, 0)])
def test_bench_prints_a_line_for_each_time_and_its_verdict(monkeypatch, tmp_path, slow, code):
    measured = {DISK: MeasuredTimes(1, slow, 200), CARD: FINE}
    monkeypatch.setattr(command, "_measure_all", lambda folder, count: measured if count == 500 else None)
    ended = CliRunner().invoke(main, ["bench", str(tmp_path)])
    assert ended.exit_code == code
    disk, card, *lines = ended.output.splitlines()
    assert disk == f"disk  a page is on disk after     {format_times(measured[DISK])}"
    assert card == f"card  judged and on disk after    {format_times(FINE)}"
    assert lines == (verdict(measured) or ["fit for a table"])


def test_measured_files_are_hidden_and_each_time_counts(tmp_path, monkeypatch):
    names, counts, dealt = set[str](), list[int](), measures._time_deals

    def look(*what):
        names.update(path.name for path in tmp_path.iterdir())
        return dealt(*what) if len(what) == 2 else None

    monkeypatch.setattr(measures.os, "fdatasync", look)
    monkeypatch.setattr(measures, "_time_deals", look)
    monkeypatch.setattr(measures, "times", lambda took: counts.append(len(took)))
    measures.disk(tmp_path, 30)
    measures.cards(tmp_path, 30)
    on_loop(lambda: measures.line(30))
    monkeypatch.setattr(measures, "REST", 0)
    on_loop(lambda: measures.wakes(30))
    assert counts[0] == counts[2] == counts[3] == 30
    assert 30 <= counts[1] < 36  # the last round is dealt to its end
    assert len(names) == 2
    assert all(name.startswith(".tablectl-bench-") for name in names)


def test_bench_reports_a_journal_in_memory_as_no_disk():
    (line,) = verdict({DISK: MeasuredTimes(0.001, 0.002, 0.1)})
    assert "this is memory, which a power cut empties" in line


def test_one_time_in_a_hundred_exceeds_the_p99():
    assert times([number / 1000 for number in range(1, 201)]) == MeasuredTimes(101, 199, 200)


def test_a_folder_that_cannot_be_written_is_one_line():
    ended = CliRunner().invoke(main, ["bench", "/proc"])
    assert ended.exit_code == 2
    (line,) = ended.output.splitlines()
    assert line.startswith("tablectl: /proc: ")
