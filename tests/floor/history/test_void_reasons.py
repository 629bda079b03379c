"""Reason of a void round at a floor: its table's words in every language."""

from contextlib import closing
from datetime import date

import pytest

from controller.config.shifts import ShiftsSection, day_of
from controller.core.records import Cancelled
from controller.floor.history.figure_file import FigureFile
from controller.floor.history.history import FloorHistory
from controller.floor.history.search import SearchParameters
from controller.floor.site.printed_pages import report_page
from controller.floor.storage.store import Store
from controller.text.faults import LANGUAGES, Words
from controller.text.table_words import TableWords
from controller.web.screens.revisions import describe_outcome
from tests.core.bench import Bench
from tests.floor.history.test_numbers import events

PLAYED = "open; bet p1 player 1.00; close; card 9C; card 2D; card KC; card 3D; press manager"
ANEW = "resettle 1 resume by m with n because clean; resettle 1 void by m with n because torn"
WAYS = {
    "unruled": ("baccarat", "open; close; press manager; wait 181s", {"unruled": "cancel"}),
    "empty seats": ("blackjack", "shuffled; open; close", {}),
    "ruled": ("baccarat", "open; close; press manager; rule cancel by m because torn", {}),
    "settled anew": ("baccarat", f"{PLAYED}; rule cancel by m because wet; {ANEW}", {"confirm": "dealer"}),
}
JANUARY_1 = day_of(date(2026, 1, 1), ShiftsSection().time_zone)


def played(way):
    """Return a table after a round that ended in this way, and the reason of its first end."""
    game, script, terms = WAYS[way]
    bench = Bench(game, **terms)
    bench.says(script)
    return bench, next(one.what.why for one in bench.records if isinstance(one.what, Cancelled))


@pytest.fixture
def history(tmp_path):
    """Return a function that makes the history of a floor from a table's records."""
    with closing(Store(tmp_path / "a.floor")) as store, closing(FigureFile(tmp_path / "n", ShiftsSection())) as counted:

        def of(bench):
            store.add(events("table", bench.records))
            return FloorHistory(store, counted, ShiftsSection(), 1)

        yield of


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", ["unruled", "empty seats", "ruled"])
def test_a_floors_list_gives_its_tables_reason(history, way, language):
    bench, why = played(way)
    (listed,) = history(bench).rounds(SearchParameters(), language).rounds
    assert listed.result == TableWords(Words(language)).void_reason(why)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("way", WAYS)
def test_a_floors_report_gives_its_tables_reason(history, way, language):
    bench, why = played(way)
    page = report_page(history(bench).report(JANUARY_1), "main", language, [])
    assert f"<td>{TableWords(Words(language)).void_reason(why)}</td>" in page


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_settled_round_made_void_names_no_cancellation(history, language):
    bench = Bench("baccarat")
    bench.says(f"{PLAYED.removesuffix('; press manager')}; resettle 1 void by m with n because torn")
    (listed,) = history(bench).rounds(SearchParameters(), language).rounds
    assert listed.result == describe_outcome(None, "baccarat", TableWords(Words(language)))
