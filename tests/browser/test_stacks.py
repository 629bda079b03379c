"""A game with up to half a deck on a place: its pages show the newest cards legibly, and the number."""

import pytest

from tests.browser.conftest import FULL_HD
from tests.browser.consoles import ConsolePage
from tests.browser.layout_checks import layout_faults
from tests.browser.states import SIZES, PageState
from tests.core.bench import Bench
from tests.games.andar_bahar import GAME
from tests.patience import eventually

pytestmark = pytest.mark.proof

CARDS = [rank + suit for rank in "KQJT98765432" for suit in "SHDC"][:47]  # none of them an ace
SLOTS = "() => [...document.querySelectorAll('.felt .place')].map((one) => one.querySelectorAll('.slot').length)"
# Labels of each stack's cards with visible rank and suit, the newest card last.
READ = """(of) => [...document.querySelectorAll(of)].map((stack) =>
  [...stack.querySelectorAll(".card")].filter((card) => {
    const edge = stack.getBoundingClientRect();
    return [...card.querySelectorAll(".face text, .face .index")].every((sign) => {
      const { left, right, top, bottom } = sign.getBoundingClientRect();
      const points = [[left + 1, (top + bottom) / 2], [right - 1, (top + bottom) / 2]];
      const isOpen = ([x, y]) => document.elementFromPoint(x, y)?.closest(".card") === card;
      return left >= edge.left - 1 && right <= edge.right + 1 && points.every(isOpen);
    });
  }).map((card) => card.getAttribute("aria-label")))"""
FEWEST = 4  # newest cards of a stack that must be legible on any screen


def dealt(*cards: str) -> PageState:
    table = Bench(GAME, confirm="dealer")
    table.says("shuffled; open; bet p1 andar 10.00; close; card AS; " + "; ".join(f"card {card}" for card in cards))
    return PageState(table, 9)


@pytest.fixture
def console(browser, tmp_path):
    """Open a page in a new context."""
    context = browser.new_context(viewport=FULL_HD, reduced_motion="reduce")
    yield lambda name: ConsolePage(context.new_page(), name, "en", tmp_path)
    context.close()


def read(on: ConsolePage, of: str) -> list[list[str]]:
    return on.page.evaluate(READ, of)


@pytest.mark.parametrize("name", ["overlay", "dealer"])
def test_a_place_for_one_card_has_one_slot(console, name):
    on = console(name)
    on.stands(dealt())
    assert on.page.evaluate(SLOTS) == [1, 1, 1]
    on.stands(dealt(*CARDS[:9]))
    assert on.page.evaluate(SLOTS) == [1, 5, 4]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ["overlay", "dealer"])
def test_the_newest_cards_of_a_stack_can_be_read(console, name, size):
    on = console(name)
    on.page.set_viewport_size(SIZES[size])
    on.stands(dealt(*CARDS))
    andar, bahar = eventually(lambda: all(both := read(on, "[data-stack] .cards")) and both)
    assert (andar[-1], bahar[-1]) == ("two of diamonds", "two of hearts")
    assert min(len(andar), len(bahar)) >= FEWEST
    assert on.page.locator("[data-stack] .count").all_inner_texts() == ["×24", "×23"]
    assert layout_faults(on.page, 9).wrong == []


def test_viewers_of_a_wide_picture_read_half_a_deck(console):
    on = console("overlay")
    on.stands(dealt(*CARDS))
    assert [len(cards) for cards in read(on, "[data-stack] .cards")] == [24, 23]


@pytest.mark.parametrize("size", ["full-hd", "old-panel"])
def test_a_shift_manager_reads_every_card_of_a_stack(console, size):
    on = console("manager")
    on.page.set_viewport_size(SIZES[size])
    on.stands(dealt(*CARDS[:30]))
    assert [len(cards) for cards in read(on, ".spot[data-stack]")] == [15, 15]
    assert layout_faults(on.page, 11).wrong == []
