"""Every page is complete, legible and translated in every game and state, on every screen size."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from controller.games import GAMES
from tests.browser.conftest import FULL_HD, PATIENCE
from tests.browser.consoles import ConsolePage
from tests.browser.layout_checks import LayoutFaults, layout_faults, layout_faults_of_each
from tests.browser.overlay_page import ORIGIN
from tests.browser.romanian_texts import untranslated
from tests.browser.states import SIZES, fullest_states, page_state, states
from tests.browser.test_accessible import AXE, accessibility_faults

pytestmark = pytest.mark.proof

VIEWS = ("table", "rounds", "devices")
PAGES = ("dealer", "manager", "gate", "overlay")
HALF_A_SCREEN = {"width": 800, "height": 600}
SMALLEST = {"overlay": 9}  # px of letters: a road has one letter a cell
Consoles = Callable[[str, str], ConsolePage]


@pytest.fixture
def console(browser: Browser, tmp_path: Path) -> Iterator[Consoles]:
    """Open a page by name and language, in a context of its own."""
    with ExitStack() as stack:

        def at(name: str, language: str) -> ConsolePage:
            context = browser.new_context(viewport=FULL_HD, reduced_motion="reduce")
            context.set_default_timeout(PATIENCE)
            stack.callback(context.close)
            return ConsolePage(context.new_page(), name, language, tmp_path)

        yield at


def judged(on: ConsolePage, found: LayoutFaults) -> list[str]:
    """Return a page's layout faults, and on a Romanian page the texts that are not in Romanian."""
    untold = untranslated(found.texts) if on.language == "ro" else []
    return found.wrong + [f"not in Romanian: {text}" for text in untold]


def wrong_in(on: ConsolePage) -> list[str]:
    return judged(on, layout_faults(on.page, SMALLEST.get(on.name, 11)))


def mistakes(on: ConsolePage, size: str, cases: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the faults of the wanted states on a screen of this size, by state."""
    named = {f"{game} {name} {size}": on.picture(page_state(game, name)) for game, name in cases}
    on.page.set_viewport_size(SIZES.get(size, HALF_A_SCREEN))
    each = layout_faults_of_each(on.page, list(named.values()), SMALLEST.get(on.name, 11))
    faults = {name: judged(on, one) for name, one in zip(named, each, strict=True)}
    return {name: wrong for name, wrong in faults.items() if wrong}


@pytest.mark.parametrize(
    ("name", "sizes"), [("dealer", ["old-panel"]), ("manager", ["old-panel", "phone"])], ids=["dealer", "manager"]
)
def test_the_worst_states_can_be_read_and_touched(console, name, sizes):
    on, cases = console(name, "ro"), [(game, state) for game in GAMES for state in fullest_states(game)]
    assert {size: wrong for size in sizes if (wrong := mistakes(on, size, cases))} == {}


@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("name", PAGES)
def test_every_state_can_be_read_and_touched_on_every_screen(console, name, language):
    on, cases = console(name, language), [(game, state) for game in GAMES for state in states(game)]
    assert {size: wrong for size in SIZES if (wrong := mistakes(on, size, cases))} == {}


@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("name", ["manager", "gate"])
def test_the_managers_page_fits_half_a_screen(console, name, language):
    on, cases = console(name, language), [(game, state) for game in GAMES for state in fullest_states(game)]
    assert mistakes(on, "half-a-screen", cases) == {}


def views(on: ConsolePage, game: str) -> Iterator[str]:
    """Open each further view of the shift manager's page at a table with a fault; yield its name then."""
    page = on.page
    on.stands(page_state(game, "dealer_call"))
    for ruling in page.locator(".ruling").all():
        name = ruling.get_attribute("data-ruling")
        ruling.click()
        on.settle()
        yield f"ruling {name}"
        if page.locator(".ranks").count():
            for choice in (".felt button.lying", ".ranks .choice", ".suits .choice"):
                page.locator(choice).first.click()
            on.settle()
            yield f"ruling {name}, chosen"
        page.locator(".rule .leave").click()
    page.locator(".frames summary").click()
    yield "frames"
    page.keyboard.press("?")
    yield "keys"
    page.keyboard.press("Escape")
    for tab, ready in (("rounds", ".rounds .round"), ("devices", ".device")):
        page.locator(".tabs button").nth(VIEWS.index(tab)).click()
        page.locator(ready).first.wait_for()
        yield tab
        if tab == "rounds":
            page.locator(ready).first.click()
            page.locator(".story .lines").wait_for()
            yield "story"


@pytest.mark.parametrize("language", ["en", "ro"])
def test_every_manager_view_is_readable_and_touchable_at_every_size(console, language):
    on, wrong = console("manager", language), {}
    for game in GAMES:
        for view in views(on, game):
            for size in SIZES:
                on.page.set_viewport_size(SIZES[size])
                wrong[f"{game} {view} {size}"] = wrong_in(on)
        on.page.locator(".tabs button").first.click()
    assert {where: what for where, what in wrong.items() if what} == {}


@pytest.mark.parametrize("language", ["en", "ro"])
def test_the_report_and_the_glossary_can_be_read(console, language):
    on, wrong = console("manager", language), {}
    for paper in (*GAMES, "glossary"):
        if paper in GAMES:
            on.asks(page_state(paper, "void"))
        on.page.goto(f"{ORIGIN}/{'report' if paper in GAMES else paper}?lang={language}")
        for size in SIZES:
            on.page.set_viewport_size(SIZES[size])
            wrong[f"{paper} {size}"] = wrong_in(on)
    assert {where: what for where, what in wrong.items() if what} == {}


# Axe uses timers. The page's clock stands still, so axe gets the browser's own timers.
AXE_THERE = f"(({{ setTimeout, clearTimeout }}) => {{ {AXE} }})(window.timers)"


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["dealer", "manager"])
def test_nothing_grave_is_found_in_any_state_of_a_console(console, name, game):
    on, wrong = console(name, "en"), {}
    on.page.evaluate(AXE_THERE)
    for state in states(game):
        on.show(page_state(game, state))
        if what := accessibility_faults(on.page):
            wrong[state] = what
    assert wrong == {}


SPOILT = {
    ".next h1 { width: 60px; overflow: hidden }": "cut off: h1",
    ".keys { margin-left: -80px }": "cut off: button",
    ".keys::after { content: ''; position: fixed; inset: 0; background: #0008 }": "covered: p.text",
    "header .who { position: fixed; left: 20px }": "covers",
    "main { width: 130vw }": "cut off: p.result",
    ".hand .foot { font-size: 6px !important }": "too small",
}


def test_a_layout_fault_made_by_a_style_is_found(console):
    on, cases = console("dealer", "ro"), [("rhum32", "result")]
    for style, says in SPOILT.items():
        assert mistakes(on, "old-panel", cases) == {}
        spoilt = on.page.add_style_tag(content=style)
        (wrong,) = mistakes(on, "old-panel", cases).values()
        assert any(says in one for one in wrong), style
        spoilt.evaluate("one => one.remove()")


def test_raw_keys_and_english_text_are_detected_as_untranslated():
    texts = ["any_pair", "seat1 main", "Round over", "the dealer has 9", "{time}"]
    assert untranslated([*texts, "Rundă încheiată", "DEALERUL are 19", "32 Card", "9C", "S7"]) == texts
