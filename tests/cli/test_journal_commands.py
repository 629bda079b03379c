"""Commands of `tablectl journal`: list, show, verify, export, replay, rotate and backup."""

import csv
import io
import json
import re
import shutil
import sqlite3

import pytest

from controller.journal.outbox import TargetPlaces
from tests.cli.conftest import CANCELLED, HOLDEM_LIVE, SETTLED, named


def lines(output: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in output.splitlines()]


# ── list ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_list_has_a_line_for_each_round(tablectl, record):
    output = tablectl("journal", "list", record(SETTLED + "card 4D\nrule burn by m\n" + CANCELLED + "open\n")).stdout
    first, second, third = output.splitlines()
    assert first.split()[:1] + first.split()[2:] == ["1", "baccarat", "settled", "player", "faults:", "extra_card"]
    assert "cancelled" in second
    assert "wrong shoe" in second
    assert third.split()[-1] == "live"


def test_list_as_json(tablectl, record):
    rounds = lines(tablectl("journal", "list", record(SETTLED + CANCELLED), "--json").stdout)
    assert [(one["round"], one["end"], one["faults"]) for one in rounds] == [
        (1, "settled", []), (2, "cancelled", ["card_before_close"]),
    ]  # fmt: skip
    assert rounds[0]["outcome"]["winner"] == "player"


def test_list_shows_the_revision_of_a_corrected_round(tablectl, record):
    anew = "wait 60s\nresettle 1 {} by m with n because misread\n"
    again = f"{anew.format('correct 2 6D')}{anew.format('void')}restart\n"
    path = record(f"{SETTLED}{SETTLED}open\n{again}")
    rounds = [
        (one["revision"], one["resettled_at"]) for one in lines(tablectl("journal", "list", path, "--json").stdout)
    ]
    assert rounds == [(2, "2026-01-01T00:02:00.000000Z"), (0, None), (0, None)]
    shown = [line.partition("  revision ")[2] for line in tablectl("journal", "list", path).stdout.splitlines()]
    assert shown == ["2 of 2026-01-01T00:02:00", "", ""]


def test_list_marks_rounds_of_training_which_no_figure_counts(tablectl, tmp_path):
    config, path = tmp_path / "table.toml", tmp_path / "table.journal"
    config.write_text('[table]\nname = "t"\ntraining = true\n[game]\nname = "baccarat"\n', encoding="utf-8")
    tablectl("play", "baccarat", "--config", config, "--journal", path, stdin=SETTLED)
    assert tablectl("journal", "list", path).stdout.endswith(" settled    player  training\n")
    (listed,), counted = (lines(tablectl("journal", what, path, "--json").stdout) for what in ("list", "stats"))
    assert (listed["training"], counted[0]["training"], counted[0]["rounds"]) == (True, 1, 0)


def test_list_of_a_table_without_rounds_is_empty(tablectl, record):
    assert tablectl("journal", "list", record("")).stdout == ""


NO_WINNER = "shuffled\nopen\nbet p1 ante 1.00\nclose\n" + "".join(
    f"card {one}\n" for one in ["2C", "3D", "4H", "5S", "6C", "7D", "8H"]
)


def test_a_round_that_nobody_wins_is_listed_with_its_outcome(tablectl, record):
    (line,) = tablectl(
        "journal", "list", record(f"{NO_WINNER}decide p1 fold\n", game="casino_holdem")
    ).stdout.splitlines()
    assert line.endswith("settled    player High Card, decisions p1:fold")


@pytest.mark.parametrize("command", ["list", "show", "events", "stats", "export"])
def test_a_damaged_record_is_named_by_every_command(tablectl, record, command):
    path = record(SETTLED)
    edit(path, "UPDATE records SET record = substr(record, 1, 50) WHERE seq = 8")
    error = tablectl("journal", command, path, exit_code=2).stderr
    assert (
        error == f"tablectl: {path}: record 8 cannot be read; `tablectl journal verify` says which records are sound\n"
    )


def test_a_replay_names_the_record_that_cannot_be_read(tablectl, record):
    path = record(SETTLED)
    settled = next(one["seq"] for one in lines(tablectl("journal", "show", path, "--json").stdout) if "outcome" in one)
    edit(path, "UPDATE records SET record = substr(record, 1, 50) WHERE seq = ?", settled)
    first, *_ = tablectl("journal", "replay", path, exit_code=1).stdout.splitlines()
    assert first == f"record {settled}: not a record: Input data was truncated"


def test_a_report_of_a_damaged_record_names_verify(tablectl, record):
    path = record(SETTLED)
    edit(path, "UPDATE records SET record = substr(record, 1, 50)")
    error = tablectl("report", path, "--day", "2026-01-01", exit_code=2).stderr
    unread = "a record cannot be read; `tablectl journal verify` says which records are sound"
    assert error == f"tablectl: {path}: {unread}\n"


# ── show ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_show_one_round(tablectl, record):
    events = lines(tablectl("journal", "show", record(SETTLED + CANCELLED), "2", "--json").stdout)
    assert {event["round"] for event in events} == {2}
    assert events[0]["kind"] == "opened"
    assert "cancelled" in {event["kind"] for event in events}


@pytest.mark.parametrize(("number", "said"), [("abc", "'abc'"), ("1.5", "'1.5'")])
def test_a_round_that_is_no_number_is_refused(tablectl, record, number, said):
    shown = tablectl("journal", "show", record(SETTLED), number, exit_code=2).stderr
    assert f"'[ROUND]': expected a whole number from 0 on, got {said}; see" in shown
    corrected = tablectl("resettle", number, "void", exit_code=2).stderr
    assert f"'ROUND': expected a whole number from 1 on, got {said}; see" in corrected


def test_show_without_json_is_a_sentence_a_line(tablectl, record):
    output = tablectl("journal", "show", record(SETTLED)).stdout
    assert "9C to player" in output
    assert "p1 gets 20.00 for 10.00 on player" in output


HIDDEN = ("5C", "5D")


@pytest.mark.parametrize("flags", [[], ["--json"], ["1"], ["1", "--json"]])
def test_show_withholds_the_hidden_cards_of_a_live_round(tablectl, record, flags):
    output = tablectl("journal", "show", record(HOLDEM_LIVE, "casino_holdem"), *flags).stdout
    assert not named(HIDDEN, output)
    assert "KS" in output


@pytest.mark.parametrize("form", ["jsonl", "csv"])
def test_export_withholds_the_hidden_cards_of_a_live_round(tablectl, record, form):
    output = tablectl("journal", "export", record(HOLDEM_LIVE, "casino_holdem"), "--format", form).stdout
    assert not named(HIDDEN, output)


@pytest.mark.parametrize(
    "trouble",
    [
        "press manager\nrule correct 3 8C by m\n",
        "restart\n",
        "decide p1 call\nlost shoe\n",
    ],
)
def test_show_withholds_hidden_cards_in_faults_and_rulings_too(tablectl, record, trouble):
    path = record(HOLDEM_LIVE + trouble, "casino_holdem")
    for command in (["show", path], ["show", path, "--json"], ["export", path], ["list", path, "--json"]):
        output = tablectl("journal", *command).stdout
        assert not named((*HIDDEN, "8C"), output), command


@pytest.mark.parametrize(
    "ending", ["decide p1 fold\n", "decide p1 call\ncard JC\ncard 3H\n", "press manager\nrule cancel by m\n"]
)
def test_show_shows_the_hidden_cards_once_the_round_has_ended(tablectl, record, ending):
    path = record(HOLDEM_LIVE + ending, "casino_holdem")
    dealt = [event for event in lines(tablectl("journal", "show", path, "--json").stdout) if event["kind"] == "dealt"]
    assert [event["card"] for event in dealt if not event["face_up"]] == list(HIDDEN)


def test_show_hides_only_the_live_rounds_hidden_cards(tablectl, record):
    second = HOLDEM_LIVE.replace("5C", "6C").replace("5D", "6D")
    path = record(HOLDEM_LIVE + "decide p1 fold\n" + second, "casino_holdem")
    output = tablectl("journal", "show", path).stdout
    assert all(card in output for card in HIDDEN)
    assert "6C" not in output
    assert "6D" not in output


# ── verify ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_verify_of_a_sound_journal_prints_the_head(tablectl, record):
    path = record(SETTLED)
    report = json.loads(tablectl("journal", "verify", path, "--json").stdout)
    assert report["finding"] is None
    assert report["head"].startswith(f"{report['records']}:")
    assert report["head"] in tablectl("journal", "verify", path).stdout


def edit(path, sql, *values):
    db = sqlite3.connect(path)
    with db:
        db.execute(sql, values)
    db.close()


def test_verify_with_a_witness_names_an_unreadable_record(tablectl, record, tmp_path):
    path = record(SETTLED)
    edit(path, "UPDATE records SET record = replace(record, '\"kind\"', 'kind') WHERE seq = 8")
    found = tablectl("journal", "verify", path, "--witness", tmp_path / "t1.toml", exit_code=1).stdout
    assert found.startswith("record 8: changed: ")


def test_verify_names_the_first_record_with_an_edited_byte(tablectl, record):
    path = record(SETTLED)
    edit(path, "UPDATE records SET record = replace(record, '9C', '8C') WHERE seq = 8")
    result = tablectl("journal", "verify", path, exit_code=1)
    assert result.stdout.startswith("record 8: ")
    report = json.loads(tablectl("journal", "verify", path, "--json", exit_code=1).stdout)
    assert report["finding"]["seq"] == 8
    assert report["records"] == 7


def test_verify_names_a_row_taken_out_of_the_middle(tablectl, record):
    path = record(SETTLED)
    edit(path, "DELETE FROM records WHERE seq = 5")
    assert tablectl("journal", "verify", path, exit_code=1).stdout.startswith("record 5: ")


def test_verify_head_finds_that_the_last_rows_were_deleted(tablectl, record):
    path = record(SETTLED)
    head = json.loads(tablectl("journal", "verify", path, "--json").stdout)["head"]
    tablectl("journal", "verify", path, "--head", head)
    number = int(head.split(":")[0])
    edit(path, "DELETE FROM records WHERE seq > ?", number - 2)
    tablectl("journal", "verify", path)  # without the head the deletion is not found
    output = tablectl("journal", "verify", path, "--head", head, exit_code=1).stdout
    assert output.startswith(f"record {number - 1}: ")


def test_verify_head_finds_that_the_chain_was_rewritten(tablectl, record, tmp_path):
    path = record(SETTLED)
    head = json.loads(tablectl("journal", "verify", path, "--json").stdout)["head"]
    other = tmp_path / "other.journal"
    tablectl("play", "baccarat", "--journal", other, stdin=SETTLED.replace("card 3S", "card 4S"))
    assert "replaced" in tablectl("journal", "verify", other, "--head", head, exit_code=1).stdout


@pytest.mark.parametrize("head", ["", "5", "x:y", ":", "5:zz", "-1:00"])
def test_an_invalid_head_is_bad_usage(tablectl, record, head):
    assert "--head" in tablectl("journal", "verify", record(SETTLED), "--head", head, exit_code=2).stderr


# ── export and replay ────────────────────────────────────────────────────────────────────────────────────────────


def test_export_is_a_json_object_a_line(tablectl, record):
    events = lines(tablectl("journal", "export", record(SETTLED)).stdout)
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))


def test_export_of_one_round(tablectl, record):
    events = lines(tablectl("journal", "export", record(SETTLED + CANCELLED), "--round", "1").stdout)
    assert {event["round"] for event in events} == {1}


def test_export_names_deciders_to_players_by_ids_of_one_run(tablectl, record):
    path = record(f"{HOLDEM_LIVE}decide p1 call\ncard JC\ncard 3H\n", "casino_holdem")
    names = set()
    for _ in range(2):
        events = lines(tablectl("journal", "export", path, "--audience", "player").stdout)
        by_kind = {event["kind"]: event for event in events}
        name = by_kind["decided"]["who"]
        assert (by_kind["asked"]["who"], list(by_kind["settled"]["outcome"]["decisions"])) == ([name], [name])
        names.add(name)
    assert [name[:2] for name in names] == ["v_", "v_"]


def test_export_as_csv_has_a_row_a_record(tablectl, record):
    path = record(SETTLED)
    rows = list(csv.DictReader(io.StringIO(tablectl("journal", "export", path, "--format", "csv").stdout)))
    events = lines(tablectl("journal", "export", path).stdout)
    assert [int(row["seq"]) for row in rows] == [event["seq"] for event in events]
    assert [row["kind"] for row in rows] == [event["kind"] for event in events]
    for row, event in zip(rows, events, strict=True):
        assert json.loads(row["fields"]).items() <= event.items()


def test_replay_decides_the_rounds_again(tablectl, record):
    path = record(SETTLED + "card 4D\nrule burn by m\n" + CANCELLED + SETTLED)
    report = json.loads(tablectl("journal", "replay", path, "--json").stdout)
    assert (report["rounds"], report["differences"], report["others"]) == (3, [], [])
    assert report["records"] == len(lines(tablectl("journal", "export", path).stdout))
    pattern = r"\d+ records, 3 rounds decided again, [\d,]+ records a second; 0 differences\n"
    assert re.fullmatch(pattern, tablectl("journal", "replay", path).stdout)


def test_replay_tells_rounds_of_an_unknown_game_as_read(tablectl, record):
    path = record(SETTLED + SETTLED)
    edit(path, "UPDATE records SET record = replace(record, '\"baccarat\"', '\"nosuch\"')")
    other, summary = tablectl("journal", "replay", path).stdout.splitlines()
    assert "nosuch" in other
    assert ", 0 rounds decided again, 2 only read: the table's settings are not in the record, " in summary


def test_replay_exits_1_and_names_a_differing_payment(tablectl, record):
    path = record(SETTLED)
    edit(path, "UPDATE records SET record = replace(record, '\"returned\":2000', '\"returned\":2100')")
    output = tablectl("journal", "replay", path, exit_code=1).stdout
    assert re.search(r"round 1: bet p1 player \(\w{26}\.1\): recorded 21\.00, computed 20\.00", output)
    (difference,) = json.loads(tablectl("journal", "replay", path, "--json", exit_code=1).stdout)["differences"]
    assert (difference["round"], difference["bet"][26:]) == (1, ".1")
    assert (difference["recorded"], difference["computed"]) == (2100, 2000)


# ── files that are no journal ────────────────────────────────────────────────────────────────────────────────────

READING = ["list", "show", "verify", "export", "replay", "events", "stats"]
REFUSED = "a" * 300  # a name that no file system takes


@pytest.mark.parametrize("command", READING)
def test_a_file_that_is_not_there_is_one_line(tablectl, tmp_path, command):
    (line,) = tablectl("journal", command, tmp_path / "none", exit_code=2).stderr.splitlines()
    assert "no such file" in line
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("command", [*READING, "rotate"])
def test_a_folder_in_place_of_a_journal_is_named_so(tablectl, tmp_path, command):
    (line,) = tablectl("journal", command, tmp_path, exit_code=2).stderr.splitlines()
    assert line == f"tablectl: {tmp_path}: expected a file, this is a folder"


@pytest.mark.parametrize("command", [*READING, "rotate", "backup"])
def test_a_path_that_the_system_refuses_is_one_line(tablectl, tmp_path, command):
    to = [tmp_path / "copy"] if command == "backup" else []
    (line,) = tablectl("journal", command, tmp_path / REFUSED, *to, exit_code=2).stderr.splitlines()
    assert line == f"tablectl: {tmp_path / REFUSED}: file name too long"
    assert list(tmp_path.iterdir()) == []


def test_a_new_journal_at_a_refused_path_is_one_line(tablectl, record, tmp_path):
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    path = record(SETTLED)
    for new, reason in ((tmp_path / REFUSED, "file name too long"), (loop, "already")):
        for words in (["backup", path, new], ["--journal", new]):
            command = ["journal", *words] if words[0] == "backup" else ["play", "baccarat", *words]
            (line,) = tablectl(*command, exit_code=2).stderr.splitlines()
            assert reason in line


@pytest.mark.parametrize("command", [*READING, "rotate"])
@pytest.mark.parametrize("content", [b"", b"hello", b"x" * 5000])
def test_a_file_that_is_no_journal_is_one_line(tablectl, tmp_path, command, content):
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    (line,) = tablectl("journal", command, path, exit_code=2).stderr.splitlines()
    assert "not a journal of tablectl" in line
    assert path.read_bytes() == content


def test_reading_leaves_a_copied_journal_as_it_is(tablectl, record, tmp_path):
    copy = tmp_path / "copy.journal"
    shutil.copy(record(SETTLED), copy)
    before = copy.read_bytes()
    for command in READING:
        tablectl("journal", command, copy)
    assert copy.read_bytes() == before


def test_export_for_players_shows_what_they_were_told(tablectl, record):
    path = record(HOLDEM_LIVE + "decide p1 fold\n", "casino_holdem")
    output = tablectl("journal", "export", path, "--audience", "player").stdout
    events = [json.loads(line) for line in output.splitlines()]
    assert [event["seq"] for event in events] == list(range(1, len(events) + 1))
    assert not [event for event in events if named(HIDDEN, str(event))]
    assert [event["card"] for event in events if event["kind"] == "dealt" and event["to"] == "dealer"] == [None, None]


# ── archives and copies ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def rotated(tablectl, record):
    """Archive of three rounds, and its journal with the beginning of a fourth."""
    path = record(SETTLED + CANCELLED + SETTLED + "open\n")
    output = tablectl("journal", "rotate", path).stdout
    archive = path.with_name("table.000000000001.journal")
    assert output.startswith("records up to ")
    assert str(archive) in output
    return archive, path


def test_verify_follows_the_chain_through_an_archive_and_its_journal(tablectl, rotated):
    archive, path = rotated
    whole = json.loads(tablectl("journal", "verify", archive, path, "--json").stdout)
    parts = [json.loads(tablectl("journal", "verify", file, "--json").stdout) for file in rotated]
    assert whole["records"] == sum(part["records"] for part in parts)
    assert whole["head"] == parts[1]["head"]
    tablectl("journal", "verify", archive, path, "--head", parts[0]["head"])
    tablectl("journal", "verify", path, archive, exit_code=1)
    tablectl("journal", "verify", archive, "--head", parts[1]["head"], exit_code=1)


def test_verify_says_where_a_later_journal_file_begins(tablectl, rotated):
    archive, path = rotated
    first = json.loads(tablectl("journal", "verify", archive, "--json").stdout)["records"] + 1
    assert f" records from {first} on valid, " in tablectl("journal", "verify", path).stdout
    assert " from " not in tablectl("journal", "verify", archive).stdout


def test_every_round_of_several_files_is_decided_again(tablectl, rotated):
    assert json.loads(tablectl("journal", "replay", *rotated, "--json").stdout)["rounds"] == 3
    for file in rotated:  # each file alone, too
        assert json.loads(tablectl("journal", "replay", file, "--json").stdout)["differences"] == []


@pytest.mark.parametrize("command", ["replay", "stats"])
def test_files_of_a_record_out_of_order_are_refused(tablectl, rotated, command):
    archive, path = rotated
    result = tablectl("journal", command, path, archive, exit_code=2)
    assert result.stderr.startswith(f"tablectl: {archive}: expected before {path}, which goes on from it")
    assert (result.stdout, tablectl("journal", command, archive, path).stderr) == ("", "")


def test_a_journal_continuing_an_archive_is_listed_shown_and_exported(tablectl, rotated):
    archive, path = rotated
    assert [line.split()[0] for line in tablectl("journal", "list", archive).stdout.splitlines()] == ["1", "2", "3"]
    assert [line.split()[0] for line in tablectl("journal", "list", path).stdout.splitlines()] == ["4"]
    kinds = [event["kind"] for event in lines(tablectl("journal", "show", path, "--json").stdout)]
    assert kinds == ["checkpoint", "opened"]
    assert tablectl("journal", "export", archive, "--script").stdout.splitlines().count("open") == 3


@pytest.mark.parametrize("words", [["export", "--round", "1"], ["events", "--round", "1", "--json"]])
def test_a_file_shows_corrections_of_rounds_in_its_archive(tablectl, record, words):
    path = record(f"{SETTLED}{SETTLED}open\nresettle 1 void by m with n because misread\n")
    tablectl("journal", "rotate", path)
    command, *options = words
    assert [one["kind"] for one in lines(tablectl("journal", command, path, *options).stdout)] == ["resettled"]
    tablectl("journal", command, path, "--round", "4", exit_code=2)


@pytest.mark.parametrize("command", ["list", "show", "export", "events", "replay", "stats"])
def test_a_command_over_one_file_says_where_it_begins(tablectl, rotated, command):
    archive, path = rotated
    first = json.loads(tablectl("journal", "verify", archive, "--json").stdout)["records"] + 1
    note = f"tablectl: {path} begins with record {first}; an archive has those before it"
    assert note in tablectl("journal", command, path).stderr.splitlines()
    assert "begins with record" not in tablectl("journal", command, archive).stderr


def test_rotate_without_a_round_that_has_ended_is_one_line(tablectl, record):
    error = tablectl("journal", "rotate", record("open\n"), exit_code=2).stderr
    assert "no round has ended" in error
    assert error.count("\n") == 1


def test_rotate_of_a_missing_journal_makes_no_file(tablectl, tmp_path):
    tablectl("journal", "rotate", tmp_path / "nothing.journal", exit_code=2)
    assert list(tmp_path.iterdir()) == []


def test_backup_copies_a_journal_and_says_what_the_copy_holds(tablectl, record, tmp_path):
    path, to = record(SETTLED), tmp_path / "copy.journal"
    head = json.loads(tablectl("journal", "verify", path, "--json").stdout)["head"]
    assert f"{to}: " in (output := tablectl("journal", "backup", path, to).stdout)
    assert head in output
    assert tablectl("journal", "show", to).stdout == tablectl("journal", "show", path).stdout
    error = tablectl("journal", "backup", path, to, exit_code=2).stderr
    assert "expected the name of a new file" in error


def test_a_backup_of_a_changed_record_names_it_and_fails(tablectl, record, tmp_path):
    path = record(SETTLED)
    edit(path, "UPDATE records SET record = replace(record, '9C', '8C') WHERE seq = 8")
    result = tablectl("journal", "backup", path, tmp_path / "copy.journal", exit_code=1)
    assert result.stdout.startswith(f"{tmp_path}/copy.journal: record 8: ")


def files(folder):
    """Return the files of a folder with their content, without those that SQLite leaves after reading."""
    return {
        file.name: file.is_file() and file.read_bytes()
        for file in folder.iterdir()
        if not file.name.endswith(("-wal", "-shm"))
    }


def test_backup_copies_users_and_alert_positions_and_names_the_rest(tablectl, rotated, tmp_path):
    archive, path = rotated
    config = tmp_path / "table.toml"
    config.write_text(f"[journal]\npath = '{path}'\n")
    tablectl("token", "add", config, "platform")
    TargetPlaces(path).begin(["mail"], 7)
    to = tmp_path / "copies" / "table.journal"
    to.parent.mkdir()
    verdict, *along, left = tablectl("journal", "backup", path, to).stdout.splitlines()
    assert verdict.startswith(f"{to}: ")
    assert along == [f"{to}.users: shift managers and tokens", f"{to}.outbox: how far each alert target has got"]
    assert (
        left
        == f"not copied: the config; the archives, from {archive.name} on: they never change, so copy them yourself"
    )
    assert TargetPlaces(to).read() == {"mail": 7}
    assert to.with_name("table.journal.users").read_bytes() == path.with_suffix(".users").read_bytes()


def test_a_backup_without_users_names_what_is_not_copied(tablectl, record, tmp_path):
    output = tablectl("journal", "backup", record(SETTLED), tmp_path / "copy").stdout.splitlines()
    assert output[1:] == [
        "not copied: the config; shift managers and tokens: no file beside the journal (see [web] users)"
    ]


@pytest.mark.parametrize("there", ["copy", "copy.users", "copy.outbox"])
def test_a_backup_writes_over_nothing(tablectl, record, tmp_path, there):
    path = record(SETTLED)
    path.with_suffix(".users").write_text("{}")
    TargetPlaces(path).begin(["mail"], 7)
    (tmp_path / there).write_text("mine")
    before = files(tmp_path)
    (line,) = tablectl("journal", "backup", path, tmp_path / "copy", exit_code=2).stderr.splitlines()
    assert line == f"tablectl: {tmp_path / there}: expected the name of a new file, something is there already"
    assert files(tmp_path) == before


@pytest.mark.parametrize("folder", ["", ".", "/"])
def test_a_backup_to_a_folder_is_one_line(tablectl, record, folder):
    (line,) = tablectl("journal", "backup", record(SETTLED), folder, exit_code=2).stderr.splitlines()
    assert line == f"tablectl: {folder or '.'}: expected the name of a new file, something is there already"


def test_a_failed_backup_leaves_no_files(tablectl, record, tmp_path):
    path = record(SETTLED)
    path.with_suffix(".users").mkdir()
    TargetPlaces(path).begin(["mail"], 7)
    before = files(tmp_path)
    (line,) = tablectl("journal", "backup", path, tmp_path / "copy", exit_code=2).stderr.splitlines()
    assert line == f"tablectl: {path.with_suffix('.users')}: is a directory"
    assert files(tmp_path) == before
