"""Every page in every game and every state, on every screen, in both languages: all of it is there to be read and
touched, whole, with nothing over it, and in its language."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from controller.games import GAMES
from tests.browser.consoles import Console
from tests.browser.looking import wrong_on
from tests.browser.stage import ORIGIN
from tests.browser.states import SIZES, seen, states, worst
from tests.browser.test_accessible import grave_of
from tests.browser.tongue import untranslated

VIEWS = ("table", "rounds", "devices")
PAGES = ("dealer", "manager", "gate", "overlay")
SMALLEST = {"overlay": 9}  # px of letters: those in a road are one each
Consoles = Callable[[str, str, str], Console]


@pytest.fixture
def console(browser: Browser, tmp_path: Path) -> Iterator[Consoles]:
    """A page on a screen of this size, in this language."""
    with ExitStack() as stack:

        def at(name: str, size: str, language: str) -> Console:
            context = browser.new_context(viewport=SIZES[size], reduced_motion="reduce")
            context.set_default_timeout(10_000)
            stack.callback(context.close)
            return Console(context.new_page(), name, language, tmp_path)

        yield at


def wrong_in(on: Console) -> list[str]:
    wrong, texts = wrong_on(on.page, SMALLEST.get(on.name, 11))
    return wrong + [f"not in Romanian: {text}" for text in untranslated(texts) if on.language == "ro"]


def mistakes(on: Console, wanted: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """What is wrong on it, state by state."""
    mistaken = {}
    for game, name in wanted:
        on.show(seen(game, name))
        if wrong := wrong_in(on):
            mistaken[f"{game} {name}"] = wrong
    return mistaken


@pytest.mark.parametrize(("name", "size"), [("dealer", "old-panel"), ("manager", "old-panel"), ("manager", "phone")])
def test_the_worst_states_of_every_game_can_be_read_and_touched(console, name, size):
    assert mistakes(console(name, size, "ro"), ((game, state) for game in GAMES for state in worst(game))) == {}


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", PAGES)
def test_every_state_of_every_game_can_be_read_and_touched(console, name, size, language):
    assert mistakes(console(name, size, language), ((game, state) for game in GAMES for state in states(game))) == {}


def views(on: Console, game: str) -> Iterator[str]:
    """Everything else that a shift manager can look at, at a table with a fault: the names, as each is on the page."""
    page = on.page
    on.stands(seen(game, "dealer_call"))
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


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", SIZES)
def test_every_view_of_the_shift_manager_can_be_read_and_touched(console, size, language):
    on, mistaken = console("manager", size, language), {}
    for game in GAMES:
        for view in views(on, game):
            if wrong := wrong_in(on):
                mistaken[f"{game} {view}"] = wrong
        on.page.locator(".tabs button").first.click()
    assert mistaken == {}


@pytest.mark.proof
@pytest.mark.parametrize("language", ["en", "ro"])
@pytest.mark.parametrize("size", SIZES)
def test_the_report_and_the_glossary_can_be_read(console, size, language):
    on, wrong = console("manager", size, language), {}
    for game in GAMES:
        on.asks(seen(game, "void"))
        on.page.goto(f"{ORIGIN}/report?lang={language}")
        wrong[f"report {game}"] = wrong_in(on)
    on.page.goto(f"{ORIGIN}/glossary?lang={language}")
    wrong["glossary"] = wrong_in(on)
    assert {where: what for where, what in wrong.items() if what} == {}


# Axe waits, and the page's clock stands still: its timers are run until it has answered.
ASKS_AXE = "window.axed = null; axe.run({ resultTypes: ['violations'] }).then((said) => { window.axed = said; }); null"


def grave(on: Console) -> list[str]:
    on.page.evaluate(Axe().axe_script)
    on.page.evaluate(ASKS_AXE)
    while (said := on.page.evaluate("window.axed")) is None:
        on.page.clock.run_for(1)
    return grave_of(said)


@pytest.mark.proof
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", ["dealer", "manager"])
def test_nothing_grave_is_found_on_a_console_in_any_state_or_fault_of_any_game(console, name, game):
    on, wrong = console(name, "full-hd", "en"), {}
    for state in states(game):
        on.show(seen(game, state))
        if what := grave(on):
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


@pytest.mark.proof
@pytest.mark.parametrize("style", SPOILT)
def test_what_a_style_spoils_is_found(console, style):
    on = console("dealer", "old-panel", "ro")
    on.show(seen("rhum32", "result"))
    assert wrong_in(on) == []
    on.page.add_style_tag(content=style)
    assert any(SPOILT[style] in one for one in wrong_in(on))


def test_a_raw_key_or_an_english_text_on_a_romanian_page_is_found():
    told = ["any_pair", "seat1 main", "Round over", "the dealer has 9", "{time}"]
    assert untranslated([*told, "Rundă încheiată", "DEALERUL are 19", "32 Card", "9C", "S7"]) == told
