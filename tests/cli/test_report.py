"""`tablectl report` finds journal and shifts in a config, and says what it expected of a wrong option."""

import pytest

from controller.journal import archives, head_of
from tests.cli.conftest import CANCELLED, SETTLED, play_in_files

CONFIG = """
[game]
name = "baccarat"
[journal]
path = "{journal}"
[shifts]
begin = ["08:00", "20:00"]
zone = "Europe/Bucharest"
"""


@pytest.fixture
def config(record, tmp_path):
    """Config of a table that has played from 2026-01-01T00:00Z on, 02:00 in its own time zone."""
    path = tmp_path / "table.toml"
    path.write_text(CONFIG.format(journal=record(SETTLED + CANCELLED)))
    return path


def test_report_shift_uses_the_configs_hours_and_last_record(tablectl, config):
    page = tablectl("report", config, "--shift").stdout
    assert "2025-12-31 20:00 – 2026-01-01 08:00 EET" in page
    assert 'data-figure="rounds">2<' in page
    assert "Cancelled rounds</h2>" in page
    assert page == tablectl("report", config, "--shift", "2026-01-01T07:59").stdout


def test_command_line_hours_and_zone_override_the_config(tablectl, config):
    page = tablectl("report", config, "--shift", "--begin", "06:00,14:00,22:00", "--zone", "UTC").stdout
    assert "2025-12-31 22:00 – 2026-01-01 06:00 UTC" in page


def test_report_takes_a_journal_and_writes_to_a_file(tablectl, record, tmp_path):
    file = tmp_path / "day.html"
    assert tablectl("report", record(SETTLED), "--day", "2026-01-01", "--lang", "ro", "-o", file).stdout == ""
    assert '<html lang="ro">' in file.read_text()


def test_a_report_replaces_an_older_report(tablectl, record, tmp_path):
    file, journal = tmp_path / "day.html", record(SETTLED)
    for language in ("en", "ro"):
        tablectl("report", journal, "--day", "2026-01-01", "--lang", language, "-o", file)
    assert '<html lang="ro">' in file.read_text()


@pytest.mark.parametrize("named", ["table.journal", "table.toml"])
def test_a_report_replaces_no_record_and_no_config(tablectl, config, tmp_path, named):
    before = (tmp_path / named).read_bytes()
    refusal = tablectl("report", config, "--shift", "-o", tmp_path / named, exit_code=2).stderr
    assert f"{named} exists already and is no report: name another file" in refusal
    assert (tmp_path / named).read_bytes() == before


def test_a_report_names_what_its_files_lack(tablectl, record, tmp_path):
    path, day = record(SETTLED + CANCELLED + "open\n"), ("--day", "2026-01-01")
    tablectl("journal", "rotate", path)
    (archive,) = tmp_path.glob("table.0*.journal")
    assert tablectl("report", path, *day).stderr == ""
    assert tablectl("report", archive, *day).stderr == ""
    later = f"tablectl: {archive} is an archive; later files may correct its rounds\n"
    path.rename(tmp_path / "aside")
    assert tablectl("report", archive, *day).stderr == later
    (tmp_path / "aside").rename(path)
    archive.rename(tmp_path / "elsewhere")
    warning = tablectl("report", path, *day).stderr
    assert warning.startswith(f"tablectl: {path}: records 1 to ")
    assert warning.endswith(" are in an archive that is not beside it\n")


def test_a_report_names_only_the_archive_that_is_missing(tablectl, path):
    play_in_files(path, SETTLED, SETTLED, SETTLED, "")
    first, middle, _ = archives(path)
    gap = f"records {head_of(first).seq + 1} to {head_of(middle).seq} are in an archive that is not beside it"
    middle.rename(path.with_name("elsewhere"))
    warnings = tablectl("report", path, "--day", "2026-01-01", exit_code=2).stderr
    assert {*warnings.splitlines()} == {f"tablectl: {path}: {gap}"}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([], "expected either --shift or --day"),
        (["--shift", "--day", "2026-01-01"], "expected either --shift or --day"),
        (["--day", "tomorrow"], "expected a date such as 2026-01-31, got 'tomorrow'"),
        (["--shift", "noon"], "expected a time such as 2026-01-31T14:00, got 'noon'"),
        (["--day", "9999-12-31"], "expected a date such as 2026-01-31, got '9999-12-31'"),
        (["--day", "2027-01-01"], "nothing is recorded 2027-01-01 00:00 – 2027-01-02 00:00 EET"),
        (["--shift", "-o", "/nowhere/x.html"], "/nowhere/x.html: no such file or directory"),
    ],
)
def test_a_wrong_option_is_refused_with_what_was_expected(tablectl, config, said, expected):
    assert expected in tablectl("report", config, *said, exit_code=2).stderr


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('begin = ["8"]', 'shifts.begin: expected hours such as ["06:00", "14:00", "22:00"], got'),
        ("begin = []", 'shifts.begin: expected hours such as ["06:00", "14:00", "22:00"], got'),
        ('zone = "Bucharest"', "shifts.zone: expected a time zone such as Europe/Bucharest, got 'Bucharest'"),
    ],
)
def test_invalid_shift_hours_or_zones_are_refused(tablectl, tmp_path, line, expected):
    path = tmp_path / "table.toml"
    path.write_text(f'[game]\nname = "baccarat"\n[shifts]\n{line}\n')
    assert expected in tablectl("check", path, exit_code=2).stderr
