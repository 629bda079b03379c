"""Gallery of 72 reproducible pictures of the pages: games, states, screen sizes and languages in turn.

A person looks at them one by one and accepts them; small copies of the accepted pictures are kept for comparison.

Usage: python -m tests.browser.gallery [FOLDER]    write pictures and contact sheets; by default to dist/pictures
       python -m tests.browser.gallery --accept    and keep them as the accepted ones
"""

import argparse
import tempfile
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from html import escape
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conditions import wait_until
from tests.browser.conftest import ARGS, CHROMIUM
from tests.browser.consoles import ConsolePage
from tests.browser.floor_gallery import floor_posed
from tests.browser.grey_pictures import shrink
from tests.browser.layout import Box, boxes, drawn_with
from tests.browser.overlay_page import ORIGIN, lay_background
from tests.browser.reference import DrawnLooks, PageLook, accepted_looks, differences, keep
from tests.browser.states import SIZES, PageState, page_state

SHEET = 12  # pictures on a contact sheet
WANTED = """
dealer   baccarat      dealing              full-hd    en
dealer   thirty_two    dealing              full-hd    en
dealer   casino_holdem deciding             full-hd    en
dealer   blackjack     deciding             full-hd    en
dealer   rhum32        deciding             full-hd    en
dealer   baccarat      result               old-panel  ro
dealer   thirty_two    result               old-panel  ro
dealer   casino_holdem result               old-panel  ro
dealer   blackjack     result               old-panel  ro
dealer   rhum32        result               old-panel  ro
dealer   baccarat      extra_card           full-hd    ro
dealer   blackjack     hidden_card_exposed  old-panel  en
dealer   casino_holdem shoe_error           full-hd    en
dealer   baccarat      shoe-change          old-panel  ro
dealer   blackjack     void                 full-hd    en
dealer   rhum32        halted               old-panel  en
dealer   baccarat      stale                full-hd    ro
dealer   thirty_two    dealer-change        full-hd    en
dealer   blackjack     betting              old-panel  ro
dealer   blackjack     deciding             phone      ro
manager  baccarat      extra_card           full-hd    en
manager  thirty_two    duplicate_card       full-hd    en
manager  casino_holdem hidden_card_exposed  full-hd    en
manager  blackjack     wrong_place          full-hd    en
manager  rhum32        unread_card          full-hd    en
manager  baccarat      result               old-panel  ro
manager  thirty_two    result               old-panel  ro
manager  casino_holdem result               old-panel  ro
manager  blackjack     result               old-panel  ro
manager  rhum32        result               old-panel  ro
manager  baccarat      ruling               full-hd    en
manager  blackjack     ruling               old-panel  ro
manager  baccarat      ruling               phone      ro
manager  baccarat      story                old-panel  en
manager  baccarat      put-right            full-hd    en
manager  blackjack     put-right            phone      ro
manager  baccarat      devices              full-hd    ro
manager  baccarat      keys                 full-hd    ro
manager  casino_holdem betting              full-hd    en
manager  blackjack     halted               full-hd    en
manager  rhum32        device_lost          phone      ro
manager  baccarat      shoe-change          full-hd    ro
gate     baccarat      dealer_call          full-hd    en
gate     blackjack     betting              phone      ro
overlay  baccarat      dealing              full-hd    en
overlay  thirty_two    dealing              full-hd    en
overlay  casino_holdem deciding             full-hd    en
overlay  blackjack     deciding             full-hd    en
overlay  rhum32        deciding             full-hd    en
overlay  baccarat      result               phone      ro
overlay  thirty_two    result               phone      ro
overlay  casino_holdem result               phone      ro
overlay  blackjack     result               phone      ro
overlay  rhum32        result               phone      ro
overlay  baccarat      last-five            old-panel  ro
overlay  baccarat      extra_card           full-hd    en
overlay  baccarat      shoe-change          full-hd    ro
overlay  thirty_two    closed               full-hd    en
overlay  blackjack     void                 old-panel  ro
overlay  rhum32        no-more-bets         full-hd    en
report   baccarat      result               full-hd    en
report   blackjack     void                 phone      ro
round    baccarat      result               full-hd    en
round    blackjack     result               phone      ro
floor    all           empty                full-hd    en
floor    all           5-tables             full-hd    en
floor    all           12-tables            full-hd    ro
floor    all           12-tables            phone      en
floor    all           60-tables            full-hd    en
floor    all           200-tables           full-hd    en
floor    all           wall-12              full-hd    en
floor    all           wall-200             full-hd    ro
"""


class Picture(NamedTuple):
    """Screenshot of a page, and the boxes of its parts."""

    png: bytes
    boxes: list[Box]


class WantedPicture(NamedTuple):
    """Page and state of one picture."""

    page: str
    game: str
    state: str
    size: str
    language: str

    def __str__(self) -> str:
        return "-".join(self)


GALLERY = [WantedPicture(*line.split()) for line in WANTED.strip().splitlines()]


def _ruling(on: ConsolePage) -> None:
    on.page.locator(".ruling[data-ruling=correct]").click()
    for choice in (".felt button.lying", ".ranks .choice", ".suits .choice"):
        on.page.locator(choice).first.click()


def _story(on: ConsolePage) -> None:
    on.page.locator(".tabs button").nth(1).click()
    on.page.locator(".rounds .round").first.click()
    on.page.locator(".story .lines").wait_for()


def _put_right(on: ConsolePage) -> None:
    _story(on)
    on.page.locator(".put-right").click()
    on.page.locator(".amend .whole .choice").last.click()
    on.page.locator(".amend .differences").wait_for()


def _devices(on: ConsolePage) -> None:
    on.page.locator(".tabs button").nth(2).click()
    on.page.locator(".device").first.wait_for()


def _keys(on: ConsolePage) -> None:
    on.page.keyboard.press("?")


VIEWS: Mapping[str, Callable[[ConsolePage], None]] = {
    "ruling": _ruling, "story": _story, "put-right": _put_right, "devices": _devices, "keys": _keys,
}  # fmt: skip


POSED = {**dict.fromkeys(VIEWS, "dealer_call"), "put-right": "result"}  # the table's state in each view


PRINTED = {"report": "report", "round": "round/1"}  # paths of the pages that open beside the shift manager's


def take_pictures(browser: Browser, folder: Path) -> Iterator[tuple[WantedPicture, Picture]]:
    """Yield each wanted picture as soon as it is taken. `folder`: for the tables' journals."""
    yield from _taken_of_tables(browser, folder)
    for spec in GALLERY:
        if spec.page == "floor":
            size = SIZES[spec.size]
            with floor_posed(browser, spec.state, size, spec.language, folder / str(spec)) as page:
                yield spec, _picture(page)


def _picture(page: Page) -> Picture:
    return Picture(page.screenshot(animations="disabled"), boxes(page))


def _taken_of_tables(browser: Browser, folder: Path) -> Iterator[tuple[WantedPicture, Picture]]:
    stages: dict[tuple[str, ...], ConsolePage] = {}
    for spec in GALLERY:
        if spec.page == "floor":
            continue
        is_touched = spec.state in VIEWS or spec.page in PRINTED  # such a picture has a page of its own
        which = spec if is_touched else (spec.page, spec.language)
        if which not in stages:
            stages[which] = _stage(browser, spec, folder / "-".join(which))
        page = stages[which].page
        page.set_viewport_size(SIZES[spec.size])
        _pose(stages[which], spec)
        yield spec, _picture(page)
    for on in stages.values():
        on.page.context.close()


def _stage(browser: Browser, spec: WantedPicture, folder: Path) -> ConsolePage:
    folder.mkdir()
    context = browser.new_context(viewport=SIZES[spec.size], reduced_motion="reduce", timezone_id="UTC", locale="en-GB")
    page = "manager" if spec.page in PRINTED else spec.page
    return ConsolePage(context.new_page(), page, spec.language, folder)


def _pose(on: ConsolePage, spec: WantedPicture) -> None:
    shown: PageState = page_state(spec.game, POSED.get(spec.state, spec.state))
    on.stands(shown)
    if spec.page == "overlay":
        lay_background(on.page)
    if spec.page in PRINTED:
        on.page.goto(f"{ORIGIN}/{PRINTED[spec.page]}?lang={spec.language}")
    VIEWS.get(spec.state, ConsolePage.settle)(on)
    on.settle()


def sheets(page: Page, pictures: Mapping[str, bytes]) -> Iterator[bytes]:
    """Yield contact sheets of the pictures, with their names."""
    named = list(pictures.items())
    page.set_viewport_size({"width": 1920, "height": 1200})
    for start in range(0, len(named), SHEET):
        shown = (
            f'<img src="data:image/png;base64,{b64encode(png).decode()}"><figcaption>{escape(name)}</figcaption>'
            for name, png in named[start : start + SHEET]
        )
        page.set_content(f"<style>{STYLE}</style><figure>{'</figure><figure>'.join(shown)}</figure>")
        wait_until(page, "[...document.images].every((image) => image.complete)")
        yield page.screenshot()


STYLE = """
body { display: grid; grid-template-columns: repeat(4, 1fr); gap: 12px; margin: 12px; background: #222; }
figure { margin: 0; height: 380px; font: 15px sans-serif; color: #fff; }
img { width: 100%; height: 350px; object-fit: contain; background: #000; }
"""


def drawn(browser: Browser, page: Page) -> tuple[dict[str, bytes], DrawnLooks]:
    """Take all pictures; return them and their small copies. `page`: an empty page that scales them down."""
    with tempfile.TemporaryDirectory() as records:
        pictures = {str(spec): picture for spec, picture in take_pictures(browser, Path(records))}
    looks = {name: PageLook(shrink(page, picture.png), picture.boxes) for name, picture in pictures.items()}
    return {name: picture.png for name, picture in pictures.items()}, DrawnLooks(drawn_with(page), looks)


def write(browser: Browser, folder: Path) -> DrawnLooks:
    """Write all pictures and contact sheets to a folder; return the small copies."""
    folder.mkdir(parents=True, exist_ok=True)
    page = browser.new_page()
    pictures, looks = drawn(browser, page)
    for name, png in pictures.items():
        (folder / f"{name}.png").write_bytes(png)
    for number, sheet in enumerate(sheets(page, pictures), 1):
        (folder / f"sheet-{number}.png").write_bytes(sheet)
    page.close()
    return looks


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.browser.gallery")
    parser.add_argument("folder", nargs="?", type=Path, default=Path("dist/pictures"))
    parser.add_argument("--accept", action="store_true")
    given = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        now = write(browser, given.folder)
        browser.close()
    for name, text in differences(accepted_looks(), now).items():
        print(f"{name}: {text}")
    if given.accept:
        keep(now)


if __name__ == "__main__":
    main()
