"""Kept report of a shift in which everything happens, in both languages."""

import re
from datetime import date
from pathlib import Path

import pytest

from controller.config.shifts import day_of, zone_named
from controller.reports.shift_report import report
from controller.web.screens.report_page import page
from tests.kept_files import by_tags, is_kept
from tests.reports.night import night
from tests.reports.week import journal

HERE = Path(__file__).parent / "kept"
TO_TOUCH = re.compile(r"<(nav|form|script)\b.*?</\1>\n", re.DOTALL)  # parts that are not printed


@pytest.mark.parametrize("language", ["en", "ro"])
def test_the_report_of_a_full_night_is_as_kept(tmp_path, language):
    sheet = report(journal(tmp_path / "t.journal", night()), day_of(date(2026, 1, 1), zone_named("UTC")))
    links = [("before", "/a"), ("now", "/b"), ("day", "/c"), ("after", "/d")]
    shown = by_tags(page(sheet, language, links, at_table=True))
    assert is_kept(HERE / f"shown.{language}.html", shown)
    assert by_tags(page(sheet, language)) == TO_TOUCH.sub("", shown)
