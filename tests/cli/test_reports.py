"""`tablectl journal export`, `events` and `stats`: filters, forms and refusals."""

import csv
import io
import json

import pytest
from click.testing import CliRunner

from controller.cli import main
from tests.cli.conftest import CANCELLED, HOLDEM_LIVE, SETTLED, named, play_in_files
from tests.cli.test_journal_commands import edit

ROUNDS = SETTLED + "wait 1m\ndealer d2\n" + CANCELLED + "wait 1m\n" + SETTLED.replace("p1", "p2")
LIVE = f"""{HOLDEM_LIVE}press manager
rule correct 3 5S by anna because misread
card 6C
ack by anna
rule cancel by dealer because 'the 5S again'
"""


@pytest.fixture(scope="module")
def three(tmp_path_factory):
    """Journal of three rounds for all tests here, which only read it."""
    path = tmp_path_factory.mktemp("three") / "table.journal"
    CliRunner().invoke(main, ["play", "baccarat", "--journal", str(path)], input=ROUNDS, catch_exceptions=False)
    return path


def lines(output):
    return [json.loads(line) for line in output.splitlines()]


def rows(output):
    return list(csv.DictReader(io.StringIO(output)))


# ── export ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--round", "2"], {2}),
        (["--round", "2..3"], {2, 3}),
        (["--round", "..2"], {1, 2}),
        (["--fault", "card_before_close"], {2}),
        (["--dealer", "d2", "--round", "1.."], {2, 3}),
        (["--dealer", "dealer", "--round", "1.."], {1}),
        (["--since", "2026-01-01T00:01", "--until", "2026-01-01T00:02", "--round", "1.."], {2}),
        (["--until", "2026-01-01T00:01Z", "--round", "1.."], {1}),
        (["--since", "2026-01-01", "--fault", "card_before_close", "--dealer", "d2"], {2}),
    ],
)
@pytest.mark.parametrize("audience", ["auditor", "manager", "server", "player"])
def test_export_gives_what_is_asked_for_to_each_audience(tablectl, three, options, expected, audience):
    chosen = lines(tablectl("journal", "export", three, *options, "--audience", audience).stdout)
    every = lines(tablectl("journal", "export", three, "--audience", audience).stdout)
    assert {event["round"] for event in chosen if "round" in event} == expected
    assert [event for event in every if event["seq"] in {one["seq"] for one in chosen}] == chosen


def test_export_as_csv_takes_the_same_filters(tablectl, three):
    events = rows(tablectl("journal", "export", three, "--format", "csv", "--fault", "card_before_close").stdout)
    assert {row["round"] for row in events} == {"2"}
    (fault,) = [row for row in events if row["kind"] == "faulted"]
    assert json.loads(fault["fields"])["code"] == "card_before_close"
    number = fault["seq"]
    assert rows(tablectl("journal", "export", three, "--format", "csv", "--fault", number).stdout) == events


@pytest.mark.parametrize(
    "command",
    [
        ["export"], ["export", "--format", "csv"], ["events"], ["events", "--json"], ["events", "--csv"],
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "options", [["--dealer", "nobody"], ["--fault", "duplicate_card"], ["--round", "1", "--since", "2030-01-01"]]
)
def test_a_filter_without_matches_is_no_error_and_says_so(tablectl, three, command, options):
    result = tablectl("journal", command[0], three, *command[1:], *options)
    assert result.stderr.startswith("tablectl: no ")
    assert len(result.stderr.splitlines()) == 1
    assert not lines(result.stdout) if "csv" not in " ".join(command) else not rows(result.stdout)


@pytest.mark.parametrize("command", ["export", "events"])
def test_a_fault_that_does_not_exist_is_refused(tablectl, three, command):
    run = tablectl("journal", command, three, "--fault", "extra_crad", exit_code=2)
    assert run.stdout == ""
    assert run.stderr.startswith("tablectl: no such fault 'extra_crad' (did you mean extra_card?); `tablectl faults`")


def test_statistics_of_a_time_without_records_say_so(tablectl, three):
    result = tablectl("journal", "stats", three, "--since", "2030-01-01")
    assert (result.stdout, result.stderr) == ("", "tablectl: no record matches\n")


WRONG = [
    ["export", "--round", "x"], ["export", "--round", "5..2"], ["export", "--since", "yesterday"],
    ["export", "--until", "14:00"], ["export", "--since", "2026-01-02", "--until", "2026-01-01"],
    ["export", "--script", "--dealer", "d2"], ["export", "--script", "--since", "2026-01-01"],
    ["export", "--config", "new.toml"],
    ["events", "--json", "--csv"], ["events", "--round", "0"], ["events", "--since", "2026-13-01"],
    ["stats", "--shift", "6,14"], ["stats", "--shift", "25:00"], ["stats", "--shift", ""], ["stats", "--json", "--csv"],
    ["stats", "--until", "x"],
]  # fmt: skip


@pytest.mark.parametrize("words", WRONG, ids=" ".join)
def test_a_wrong_filter_is_one_line_that_names_its_option(tablectl, three, words):
    result = tablectl("journal", words[0], three, *words[1:], exit_code=2)
    (line,) = result.stderr.splitlines()
    assert line.startswith("tablectl: ")
    assert result.stdout == ""
    assert [word for word in words if word.startswith("--") and word in line]


# ── export --script ──────────────────────────────────────────────────────────────────────────────────────────────


def test_play_repeats_the_record_from_exported_script_and_config(tablectl, three, tmp_path):
    path, config, script = three, tmp_path / "new.toml", tmp_path / "new.script"
    script.write_text(tablectl("journal", "export", path, "--round", "2..", "--script", "--config", config).stdout)
    again = tablectl("play", "baccarat", script, "--config", config, "--json").stdout
    events = lines(tablectl("journal", "export", path, "--round", "2..").stdout)
    same = [(event["kind"], event.get("card"), event.get("returned"), event.get("dealer")) for event in events]
    assert [
        (event["kind"], event.get("card"), event.get("returned"), event.get("dealer"))
        for event in lines(again)
        if "round" in event
    ] == same


def test_a_script_export_stops_before_the_live_round(tablectl, record):
    path = record(HOLDEM_LIVE, "casino_holdem")
    result = tablectl("journal", "export", path, "--script")
    assert (result.stdout, result.stderr) == ("", "tablectl: round 1 is still on: the script ends before it\n")


@pytest.mark.parametrize(
    "command",
    [
        ["show", "99"], ["show", "99", "--json"], ["show", "0"], ["export", "--round", "99"],
        ["export", "--round", "99", "--format", "csv"], ["export", "--round", "4..", "--script"],
        ["events", "--round", "99"],
    ],
)  # fmt: skip
def test_a_round_that_does_not_exist_names_the_existing_rounds(tablectl, three, command):
    result = tablectl("journal", command[0], three, *command[1:], exit_code=2)
    rounds = command[1] if command[0] == "show" else command[2]
    assert (result.stdout, result.stderr) == ("", f"tablectl: {three}: no round {rounds}, it has 1..3\n")


def test_a_missing_round_names_only_rounds_opened_in_the_file(tablectl, path):
    play_in_files(path, SETTLED, SETTLED)
    assert tablectl("journal", "show", path, "9", exit_code=2).stderr.endswith("no round 9, it has 2\n")
    tablectl("journal", "rotate", path)
    assert tablectl("journal", "show", path, "9", exit_code=2).stderr.endswith(": the file has no rounds yet\n")


@pytest.mark.parametrize("asked", ["1", "2..99", "..1", "3.."])
def test_a_range_with_some_existing_rounds_is_exported(tablectl, three, asked):
    assert tablectl("journal", "export", three, "--round", asked).stdout


def test_asking_for_a_round_of_an_empty_record_is_refused(tablectl, record):
    path = record("")
    error = tablectl("journal", "show", path, "1", exit_code=2).stderr
    assert error == f"tablectl: {path}: no round 1: the file has no rounds yet\n"


def test_a_config_is_never_written_over(tablectl, record, tmp_path):
    config = tmp_path / "there.toml"
    config.write_text("mine")
    tablectl("journal", "export", record(SETTLED), "--script", "--config", config, exit_code=2)
    assert config.read_text() == "mine"


def test_a_script_export_of_a_damaged_record_is_one_line(tablectl, record):
    path = record(ROUNDS)
    edit(path, "UPDATE records SET record = replace(record, '\"draw\":2', '\"draw\":9') WHERE seq = 8")
    edit(path, "DELETE FROM records WHERE record LIKE '%checkpoint%'")
    result = tablectl("journal", "export", path, "--script", "--round", "3", exit_code=2)
    assert "journal verify" in result.stderr


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_events_in_three_forms_are_the_same(tablectl, three):
    objects = lines(tablectl("journal", "events", three, "--json").stdout)
    table = rows(tablectl("journal", "events", three, "--csv").stdout)
    output = tablectl("journal", "events", three).stdout.splitlines()
    assert (
        [int(row["seq"]) for row in table]
        == [event["seq"] for event in objects]
        == [int(line.split()[0]) for line in output]
    )
    (ruled,) = [row for row in table if row["kind"] == "ruled"]
    assert (ruled["actor"], ruled["authoriser"], ruled["reason"], ruled["code"]) == (
        "manager1", "manager1", "wrong shoe", "card_before_close",
    )  # fmt: skip
    assert {"faulted", "ruled", "cancelled", "dealer_changed"} <= {row["kind"] for row in table}


def test_events_take_the_filters_and_still_know_what_came_before(tablectl, three):
    events = lines(tablectl("journal", "events", three, "--json", "--round", "2").stdout)
    assert {event["round"] for event in events} == {2}
    assert {event["code"] for event in events if event["kind"] in ("ruled", "cancelled")} == {"card_before_close"}


def test_events_with_a_fault_are_those_of_its_rounds(tablectl, three):
    every = lines(tablectl("journal", "events", three, "--json").stdout)
    chosen = lines(tablectl("journal", "events", three, "--json", "--fault", "card_before_close").stdout)
    assert {event["round"] for event in chosen} == {2}
    assert chosen == [event for event in every if event["round"] == 2]


def test_printed_events_of_a_training_round_say_so(tablectl, tmp_path):
    config, path = tmp_path / "t.toml", tmp_path / "training.journal"
    config.write_text('[game]\nname = "baccarat"\n[table]\ntraining = true\n')
    tablectl("play", "baccarat", "--config", config, "--journal", path, stdin=CANCELLED)
    printed = tablectl("journal", "events", path).stdout.splitlines()
    marked = [event["training"] for event in lines(tablectl("journal", "events", path, "--json").stdout)]
    assert [line.endswith("  training") for line in printed] == marked
    assert set(marked) == {True, False}


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
def test_events_withhold_the_hidden_cards_of_a_live_round(tablectl, record, form):
    output = tablectl("journal", "events", record(LIVE, "casino_holdem"), *form).stdout
    assert "extra_card" in output
    assert "anna ruled correct draw 3" in output
    assert not named(("5C", "5S", "5D"), output)


def test_events_name_the_hidden_cards_once_the_round_is_over(tablectl, record):
    path = record(LIVE + "rule cancel by anna because x\n", "casino_holdem")
    assert "anna ruled correct draw 3: 5C → 5S" in tablectl("journal", "events", path).stdout


@pytest.mark.parametrize("reason", ["=1+1", "+1", "-1", "@SUM(1)"])
def test_a_typed_reason_is_no_formula_in_a_spreadsheet(tablectl, record, reason):
    path = record(f"{SETTLED}press manager\nrule resume by anna because '{reason}'\n")
    (ruled,) = [row for row in rows(tablectl("journal", "events", path, "--csv").stdout) if row["kind"] == "ruled"]
    assert ruled["reason"] == f"'{reason}"


# ── stats ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_statistics_in_three_forms_are_the_same(tablectl, three):
    objects = lines(tablectl("journal", "stats", three, "--json", "--shift", "06:00,18:00").stdout)
    table = rows(tablectl("journal", "stats", three, "--csv", "--shift", "06:00,18:00").stdout)
    assert [(row["by"], row["name"]) for row in table] == [(one["by"], one["name"]) for one in objects]
    assert objects[0]["faults"] == {"card_before_close": 1}
    assert (table[0]["rounds"], table[0]["faults.card_before_close"], table[0]["paused.count"]) == ("3", "1", "1")
    output = tablectl("journal", "stats", three, "--shift", "06:00,18:00").stdout
    assert all(name in output for name in ("dealer d2", "manager manager1", "shift 18:00-06:00", "card_before_close 1"))


def test_printed_statistics_have_every_figure_of_the_json(tablectl, three):
    rows_of_figures = lines(tablectl("journal", "stats", three, "--json").stdout)
    figures = {name.replace("_", " ") for row in rows_of_figures for name in row}
    printed = tablectl("journal", "stats", three).stdout.splitlines()
    assert figures - {title.strip() for line in printed for title in line.split("  ")} == {
        "by", "name", "currency", "device",
    }  # fmt: skip


def test_statistics_add_up_over_several_journals(tablectl, three, tmp_path):
    first = three
    second = tmp_path / "other.journal"
    tablectl("play", "baccarat", "--journal", second, stdin=SETTLED)
    (total, *_) = lines(tablectl("journal", "stats", first, second, "--json").stdout)
    assert (total["by"], total["rounds"], total["settled"]) == ("all", 4, 3)


@pytest.mark.parametrize("command", ["stats", "verify", "replay"])
def test_a_journal_named_twice_is_refused(tablectl, three, tmp_path, monkeypatch, command):
    (link := tmp_path / "link.journal").symlink_to(three)
    (twin := three.with_name("twin.journal")).unlink(missing_ok=True)
    twin.hardlink_to(three)
    monkeypatch.chdir(three.parent)
    for again, message in (
        (three, f"{three}: named twice; name each file once"),
        (three.name, f"{three.name}: the same file as {three}; name each file once"),
        (link, f"{link}: the same file as {three}; name each file once"),
        (twin, f"{twin}: the same file as {three}; name each file once"),
    ):
        result = tablectl("journal", command, three, again, exit_code=2)
        assert (result.stdout, result.stderr.partition("; see ")[0]) == ("", f"tablectl: {message}")
    absent = tmp_path / "absent.journal"
    assert "named twice" in tablectl("journal", command, absent, absent, exit_code=2).stderr


def test_statistics_of_a_part_of_the_time(tablectl, three):
    (total, *_) = lines(
        tablectl(
            "journal",
            "stats",
            three,
            "--json",
            "--since",
            "2026-01-01T00:01:00",
            "--until",
            "2026-01-01T00:02",
        ).stdout
    )
    assert (total["rounds"], total["cancelled"]) == (1, 1)
