"""Pictures of the README and the documents, taken of a running table, a round and a demo's floor.

Usage: python -m tests.browser.pictures [FOLDER]      (by default tests/browser/pictures)
"""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from controller.games import GAMES
from controller.rules.dealing import CardTo, Dealing
from controller.rules.game import Game
from controller.rules.procedure import Deal, Participants
from drivers.emulators.decks import FULL_DECK, shuffled_cards
from tests.browser.conftest import ARGS, CHROMIUM, FULL_HD
from tests.browser.floor_pictures import take_floor
from tests.browser.moving_picture import take_moving_picture
from tests.browser.overlay_page import lay_background
from tests.browser.people import expect_life, expect_signed_in, preview_ruling, sign_in
from tests.browser.table_process import OVERDRAWN, TableProcess

ROUNDS, SEED = 26, 11
DRAWN = ("6H", "5S", "KC", "8D", "TC")  # Player 6, Banker 3: Player stands, Banker draws
STUDIO = "linear-gradient(#8d7d6c 58%, #235c43 58%)"  # in place of the video; plain, for small files
PHONE = {"width": 390, "height": 844}


def rounds() -> list[tuple[str, ...]]:
    """Return the cards of each of 26 complete rounds of baccarat, from one shuffled shoe."""
    shoe, game = iter(shuffled_cards(FULL_DECK, 6, SEED)), GAMES["baccarat"]
    return [tuple(_round(shoe, game)) for _ in range(ROUNDS)]


def _round(shoe: Iterator[str], game: Game) -> Iterator[str]:
    dealing = Dealing(game.procedure(game.settings(), Participants(("p1",), ())))
    while isinstance(dealing.due, Deal):
        card = next(shoe)
        dealing.answer(CardTo(card, dealing.due.to))
        yield card


def deal(table: TableProcess, drawn: tuple[str, ...]) -> None:
    """Open a round, place three bets, close it and draw these cards."""
    table.say("open")
    for player, market, stake in (("p1", "player", 2500), ("p2", "banker", 10000), ("p3", "tie", 500)):
        table.say("bet", player=player, market=market, stake=stake)
    table.say("close")
    table.draw(*drawn)


def play(table: TableProcess, drawn: tuple[str, ...], number: int) -> None:
    deal(table, drawn)
    finish(table, number)


def finish(table: TableProcess, number: int) -> None:
    table.comes("completed", number)
    table.say("press", role="dealer", key="finish")
    table.comes("settled", number)


def open_page(browser: Browser, url: str, size: dict[str, int] = FULL_HD) -> Page:
    page = browser.new_page(viewport=size, has_touch=True, reduced_motion="reduce")
    page.goto(url)
    return page


def take(browser: Browser, table: TableProcess, before: list[tuple[str, ...]], folder: Path) -> None:
    for number, drawn in enumerate(before, 1):
        play(table, drawn, number)
    dealer, overlay, manager = (open_page(browser, table.page(name)) for name in ("dealer", "overlay", "manager"))
    phone = open_page(browser, table.page("overlay"), PHONE)
    for page in (overlay, phone):
        lay_background(page, STUDIO)
    deal(table, DRAWN[:4])
    for page, name in ((dealer, "dealer"), (overlay, "overlay")):
        expect_life(page, "dealing")
        page.locator("[data-place=banker] [role=img]").nth(1).wait_for()
        if name == "overlay":
            page.get_by_text("BANKER draws").wait_for()
        page.screenshot(path=folder / f"{name}.png")
    table.draw(DRAWN[4])
    finish(table, len(before) + 1)
    for page, name in ((overlay, "overlay-result"), (phone, "overlay-phone")):
        expect_life(page, "settled")
        page.screenshot(path=folder / f"{name}.png")
    sign_in(manager, "anna")
    expect_signed_in(manager)
    put_right(manager)
    manager.screenshot(path=folder / "put-right.png")
    deal(table, OVERDRAWN)
    expect_life(manager, "paused")
    preview_ruling(manager, "Burn").wait_for()
    manager.screenshot(path=folder / "manager.png")


def put_right(manager: Page) -> None:
    """Open the last round and make the Banker's third card a four, so that the Banker wins."""
    manager.locator(".tabs button").nth(1).tap()
    manager.locator(".rounds .round").first.tap()
    manager.locator(".put-right").tap()
    manager.locator(".amend .lying").filter(has_text="#5").tap()
    manager.locator(".about .choice").first.tap()
    manager.locator(".ranks").get_by_role("button", name="4", exact=True).tap()
    manager.locator(".suits .choice").first.tap()
    manager.locator(".amend .moved").wait_for()


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("pictures")
    folder.mkdir(parents=True, exist_ok=True)
    before = rounds()
    shoe = [*(card for drawn in before for card in drawn), *DRAWN, *OVERDRAWN]
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        with TableProcess(Path(place), cards=shoe) as table:
            take(browser, table, before, folder)
        take_moving_picture(browser, folder)
        take_floor(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
