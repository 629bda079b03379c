"""On the pages of a seated game with shared cards, no part covers another."""

import pytest

from tests.browser.conftest import FULL_HD
from tests.browser.consoles import ConsolePage
from tests.browser.layout_checks import layout_faults
from tests.browser.states import SIZES, PageState
from tests.core.bench import Bench
from tests.games.common_cards import GAME

pytestmark = pytest.mark.proof

CARDS = [rank + suit for suit in "SHDC" for rank in "23456789TJQKA"]


def dealt(seats: int, cards: int) -> PageState:
    table = Bench(GAME, confirm="dealer")
    bets = "; ".join(f"bet p{seat} seat{seat} main 10.00" for seat in range(1, seats + 1))
    table.says(f"shuffled; open; {bets}; close; " + "; ".join(f"card {card}" for card in CARDS[:cards]))
    return PageState(table, 9)


@pytest.fixture
def console(browser, tmp_path):
    """Open a console on a new page that has its size from the start: a later resize may take effect late."""
    context = browser.new_context(viewport=FULL_HD, reduced_motion="reduce")

    def opened(name: str, size: str) -> ConsolePage:
        page = context.new_page()
        page.set_viewport_size(SIZES[size])
        return ConsolePage(page, name, "en", tmp_path)

    yield opened
    context.close()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["overlay", "dealer"])
def test_common_cards_of_seven_seats_hide_nothing(console, name, size):
    on = console(name, size)
    for cards in (15, 21):
        on.stands(dealt(7, cards))
        assert layout_faults(on.page, 9).wrong == []
