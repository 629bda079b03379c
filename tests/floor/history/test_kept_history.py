"""History of a floor compared with stored output: report, rounds, numbers and exports of one night."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import get_args
from unittest.mock import patch

import msgspec
import pytest
from msgspec.structs import replace

from controller.config.shifts import ShiftsSection, shift_at
from controller.core.records import Record
from controller.core.views import view
from controller.floor.history.export import TYPES, export_rounds
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.history import FloorHistory
from controller.floor.history.numbers import By
from controller.floor.history.search import SearchParameters, pages
from controller.floor.site.hand_over import HandOverPage, OpenPointsSection
from controller.floor.site.printed_pages import hand_over_page, report_page
from controller.floor.storage.complete_records import records
from controller.floor.storage.store import Store
from controller.games import GAMES
from controller.text.records import sentence
from tests.core.bench import START
from tests.core.chance import TABLES, play, rolls
from tests.floor.history.test_numbers import events
from tests.kept_files import by_tags, is_kept
from tests.reports.night import night

HERE = Path(__file__).parent / "kept"
SHIFTS = ShiftsSection(("06:00", "14:05", "22:00"), "Europe/Bucharest")
PERIOD = shift_at(START, SHIFTS.minutes, SHIFTS.time_zone)
WALKS = {"t2": 4, "t3": 8}  # tables of other games: name and number in TABLES


def renamed_records(table: str, records: list[Record]) -> list[Record]:
    """Return the records as those of another table."""
    return [replace(record, table=table) for record in records]


@pytest.fixture(scope="module")
def history(tmp_path_factory) -> Iterator[FloorHistory]:
    """Return the history of a night at three tables."""
    folder = tmp_path_factory.mktemp("floor")
    with (
        closing(Store(folder / "main.floor")) as store,
        closing(FigureFile(folder / "main.numbers", SHIFTS)) as counted,
    ):
        store.add(events("e1", night()))
        for table, number in WALKS.items():
            store.add(
                events("e2", renamed_records(table, play(TABLES[number], (), rolls(f"kept {number}", 300)).records))
            )
        yield FloorHistory(store, counted, SHIFTS, 3)


def readable(value: object) -> str:
    """Return a value as indented JSON."""
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def test_the_report_of_a_night_is_as_it_was_kept(history):
    page = report_page(history.report(PERIOD), "main", "en", [("day", "/api/floor/reports?day=2026-01-01")])
    assert is_kept(HERE / "report.html", by_tags(page))


@pytest.mark.parametrize("by", get_args(By))
def test_the_numbers_of_a_night_are_as_they_were_kept(history, by):
    assert is_kept(HERE / f"numbers.{by}.json", readable(history.numbers(PERIOD.since, PERIOD.until, by, "en")))


def test_the_rounds_of_a_night_are_as_they_were_kept(history):
    assert is_kept(HERE / "rounds.json", readable(history.rounds(SearchParameters(), "en")))


def test_the_story_of_a_round_is_as_it_was_kept(history):
    (found,) = (
        one for one in history.rounds(SearchParameters(), "en").rounds if one.table == "table" and one.round == 2
    )
    assert is_kept(HERE / "story.json", readable(history.story("table", found.epoch, 2, "en")))


@patch.dict(GAMES)  # put back in its order
def test_a_round_of_a_missing_game_has_the_log_lines(history):
    (found,) = history.rounds(SearchParameters(table="table", number=2), "ro").rounds
    del GAMES[found.game.lower()]
    story = history.story("table", found.epoch, 2, "ro")
    assert story is not None
    opened = next(iter(records("table", history.store.events_of_round("table", found.epoch, 2))))
    assert story.lines[0].text == sentence(view(opened, "manager"))
    assert history.sheet("table", found.epoch, 2, "ro") is not None
    (codes,) = history.rounds(SearchParameters(table="table", number=2), "ro").rounds
    assert "banker" in codes.result


@pytest.mark.parametrize("form", TYPES)
def test_an_export_of_all_rounds_is_as_it_was_kept(history, form):
    text = b"".join(export_rounds(pages(history.store, SearchParameters()), form)).decode()
    assert is_kept(HERE / f"rounds.{form}.txt", text)


HANDED = HandOverPage(
    "main", 7, "2026-01-01 06:00 – 14:05",
    (OpenPointsSection("open", "Open <calls>", ("t1: 7D & 8D",)), OpenPointsSection("no", "None", ())),
    "Maria to Sandu", "nothing is open", may=True,
)  # fmt: skip


@pytest.mark.parametrize("what", ["some", "nothing"])
def test_a_hand_over_is_printed_as_it_was_kept(what):
    shown = HANDED if what == "some" else replace(HANDED, sections=(), last=None)
    assert is_kept(HERE / f"hand-over.{what}.html", by_tags(hand_over_page(shown, "en")))
