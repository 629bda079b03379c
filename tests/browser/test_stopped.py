"""Screens of a stopped table: a fault, a halt, a lost line, and several of them together."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import pytest
from playwright.sync_api import expect

from controller.games import GAMES
from tests.browser.conftest import FITS, FULL_HD, OLD_PANEL, PATIENCE
from tests.browser.consoles import ConsolePage
from tests.browser.layout_checks import COVERED, layout_faults
from tests.browser.overlay_page import table_after
from tests.browser.romanian_texts import untranslated
from tests.browser.states import NOBODY_ACTS, SIZES, PageState, page_state
from tests.patience import eventually
from tests.repeats import first_of

DEALT = "open; bet p1 player 10.00; close; card 6H; card 5S; card KC; card 8D; card TC"
FULL = NOBODY_ACTS["halted"]
ZOOMED = {"width": 960, "height": 540}  # 1920 × 1080 at 200 %
FAULTS = ("extra_card", "wrong_place", "unread_card", "duplicate_card")
HALTED_AT = ("idle", "betting", "result", "void", "closed", "shoe-change", *FAULTS)
PIXEL = {"x": 0, "y": 0, "width": 1, "height": 1}
REACHED = """all => all.map(one => one.getBoundingClientRect())
    .filter(({ x, y }) => !document.elementFromPoint(x + 5, y + 5).closest(".stop"))"""
HOLDS_ITS_CARDS = """hand => {
  const { left, right, top, bottom } = hand.getBoundingClientRect();
  const cards = [...hand.querySelectorAll("[role=img]")].map(card => card.getBoundingClientRect());
  return cards.every(card => card.left >= left && card.right <= right && card.top >= top && card.bottom <= bottom);
}"""
LIES_IN_ITS_ROW = """apart => {
  const [mine, row] = [apart, apart.parentElement].map(one => one.getBoundingClientRect());
  return mine.top >= row.top - 1 && mine.bottom <= row.bottom + 1;
}"""
Consoles = Callable[[str, str], ConsolePage]


@pytest.fixture
def console(browser, tmp_path) -> Iterator[Consoles]:
    """Open a page by name and language, in a context of its own."""
    with ExitStack() as stack:

        def at(name: str, language: str) -> ConsolePage:
            context = browser.new_context(viewport=FULL_HD, reduced_motion="reduce", has_touch=True)
            context.set_default_timeout(PATIENCE)
            stack.callback(context.close)
            folder = tmp_path / f"{name}-{language}"
            folder.mkdir()
            return ConsolePage(context.new_page(), name, language, folder)

        yield at


def test_a_fault_keeps_the_hands_and_marks_the_loose_card(console):
    on = console("dealer", "en")
    on.show(PageState(table_after("baccarat", f"{DEALT}; card 7H"), 9))
    page = on.page
    for place, score in (("player", "6"), ("banker", "3")):
        expect(page.locator(f".stop [data-place={place}] .total")).to_have_text(score)
    expect(page.locator(".stop .felt .slot[data-wrong]")).to_have_count(0)
    expect(page.locator(".stop .loose [data-wrong]").get_by_role("img", name="seven of hearts")).to_be_visible()
    on.show(PageState(table_after("baccarat", f"{DEALT}; press dropped"), 9))
    expect(page.locator(".stop .felt [data-wrong]").get_by_role("img", name="ten of clubs")).to_be_visible()
    on.show(PageState(table_after("baccarat", DEALT), 9))
    expect(page.locator("main > .felt")).to_be_visible()  # back at its usual place
    expect(page.locator(".felt [data-wrong], .felt [data-seen]")).to_have_count(0)
    expect(page.locator(".stop")).to_be_hidden()


@pytest.mark.parametrize("drawn", first_of(1, [9, 3, 6]))
def test_cards_drawn_in_a_pause_cover_no_words(console, drawn):
    on, ranks = console("dealer", "en"), "23456789TJQK"
    cards = "; ".join(f"card {rank}H" for rank in ranks[:drawn])
    on.stands(PageState(table_after("baccarat", f"open; bet p1 player 10.00; {cards}"), 9))
    for size in (FULL_HD, OLD_PANEL):
        on.page.set_viewport_size(size)
        expect(on.page.locator(".stop .loose li")).to_have_count(drawn)
        apart = on.page.locator(".stop .loose")
        assert eventually(partial(apart.evaluate, HOLDS_ITS_CARDS)), size
        assert eventually(partial(apart.evaluate, LIES_IN_ITS_ROW)), size


@pytest.mark.parametrize(("name", "place"), [("dealer", ".stop .hand"), ("manager", ".spot")])
def test_a_misplaced_card_lies_marked_where_it_was_seen(console, name, place):
    on = console(name, "en")
    spot = on.page.locator(f"{place}:has([data-stray])")
    for game in GAMES:
        on.stands(page_state(game, "wrong_place"))
        for size in SIZES.values():
            on.page.set_viewport_size(size)
            expect(spot.locator("[data-wrong][data-stray] [role=img]")).to_be_visible()
            assert eventually(partial(spot.evaluate, HOLDS_ITS_CARDS)), (game, size)
            expect(on.page.locator(f"{place}[data-noted]")).to_have_count(1)
            expect(on.page.locator(".loose:visible")).to_have_count(0)


def test_a_rulings_text_holds_only_for_the_proposed_place(console):
    on = console("manager", "en")
    on.stands(page_state("baccarat", "wrong_place"))
    on.page.locator(".ruling[data-ruling=move]").tap()
    expect(on.page.locator(".rule h2")).to_have_text("Move 6♦ to BANKER")
    on.page.locator(".rule .lays").get_by_role("button", name="PLAYER", exact=True).tap()
    expect(on.page.locator(".rule h2")).to_have_text("Move a card")
    expect(on.page.locator(".rule .means")).to_have_count(0)


def test_a_card_due_has_no_arrow_in_a_fault(console):
    on = console("dealer", "en")
    on.stands(page_state("baccarat", "missing_card"))
    expect(on.page.locator(".stop .hand[data-noted] .name")).to_have_text("BANKER")
    expect(on.page.locator(".stop .sign:visible")).to_have_text("a card was due")
    expect(on.page.locator(".stop [data-due]")).to_have_count(0)


def test_a_stopped_screen_has_neither_arrows_nor_keys(console):
    on = console("dealer", "en")
    for script, halted in (("open; close; card 9C; press manager", None), ("open; close; card 9C", FULL)):
        on.show(PageState(table_after("baccarat", script), 9, halted))
        on.page.set_viewport_size(OLD_PANEL)
        assert on.page.locator(".stop .sign:visible").count() == 0
        assert on.page.locator(".stop [data-due]").count() == 0
        assert on.page.evaluate(FITS)
        assert on.page.locator(".key").evaluate_all(REACHED) == []


@pytest.mark.parametrize("halted", [None, FULL])
@pytest.mark.parametrize("script", first_of(1, [DEALT, "open", f"{DEALT}; press manager"]))
def test_a_lost_line_tells_the_dealer_to_stop(console, script, halted):
    for language, says in (("en", "Stop. Deal nothing."), ("ro", "Opriți-vă. Nu împărțiți nimic.")):
        on = console("dealer", language)
        on.show(PageState(table_after("baccarat", script), 9, halted, stale=True))
        expect(on.page.locator(".stale b")).to_have_text(says)
        expect(on.page.locator(".stale b")).to_be_visible()
        assert on.page.evaluate(
            "document.elementFromPoint(innerWidth / 2, innerHeight - 20).closest('.stale') !== null"
        )
        on.show(PageState(table_after("baccarat", script), 9, halted))
        expect(on.page.locator(".stale")).to_be_hidden()


def test_a_halt_lies_above_the_fault_and_counts_its_time(console):
    on = console("manager", "en")
    on.show(PageState(table_after("baccarat", f"{DEALT}; card 7H"), 75, FULL))
    page = on.page
    expect(page.locator(".calm .next .label")).to_have_text("halted for 1:15")
    expect(page.locator(".calm .next")).not_to_contain_text("Next")
    top = "one => one.getBoundingClientRect().top"
    assert page.locator(".calm .next").evaluate(top) < page.locator(".fault h2").evaluate(top)
    for hidden in (".came", ".acts", ".here", ".rulings"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("main")).not_to_contain_text("The table is open")
    on.show(PageState(table_after("baccarat", f"{DEALT}; card 7H"), 80))
    expect(page.locator(".calm")).to_be_hidden()
    expect(page.locator(".rulings .ruling").first).to_be_visible()


def test_players_see_neither_result_nor_clock_while_halted(console):
    on = console("overlay", "en")
    for script in ("open; bet p1 player 10.00", f"{DEALT}; press finish", f"{DEALT}; press finish; table close"):
        on.show(PageState(table_after("baccarat", script), 2, FULL))
        expect(on.page.locator(".says")).to_have_text("The game is paused for a moment. Your bets are safe.")
        expect(on.page.locator(".timer[data-off]")).to_have_count(1)
        expect(on.page.locator(".ribbon")).to_be_empty()
        assert on.page.locator(".hand[data-won]").count() == 0


def unreadable(on: ConsolePage, shown: PageState) -> list[str]:
    """Show this table; return its illegible parts, untranslated texts, and cards with covered signs."""
    on.show(shown)
    on.page.screenshot(clip=PIXEL)  # draws a frame: this page's clock stands still
    found = layout_faults(on.page, 11)
    untold = untranslated(found.texts) if on.language == "ro" else []
    return found.wrong + untold + [f"covered {card}" for card in on.page.evaluate(COVERED)]


def every_stop(on: ConsolePage) -> Iterator[tuple[str, list[str]]]:
    """Yield each fault and halt of each game on each screen size, with its illegible parts."""
    for size in (*SIZES.values(), ZOOMED):
        on.page.set_viewport_size(size)
        for game in GAMES:
            for state in HALTED_AT:
                yield f"{game} {state} {size['width']}", unreadable(on, page_state(game, state)._replace(halted=FULL))
            for code in FAULTS:
                yield f"{game} {code} {size['width']}", unreadable(on, page_state(game, code))


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("name", ["dealer", "manager"])
def test_every_stop_can_be_read_on_every_screen(console, name, language):
    assert {where: wrong for where, wrong in every_stop(console(name, language)) if wrong} == {}


@pytest.mark.parametrize(("name", "opens"), [("dealer", "header .help"), ("manager", "dialog.keys button")])
def test_an_unreachable_glossary_reports_the_lost_connection(console, name, opens):
    on = console(name, "en")
    on.stands(page_state("baccarat", "dealing"))
    on.page.route("**/glossary*", lambda route: route.abort())
    if name == "manager":
        on.page.locator("header .help").click()
    on.page.locator(opens).first.click()
    expect(on.page.locator("dialog.words[open]")).to_contain_text("No connection to the table")
