"""Scenes of the floor's page for the gallery: few and many tables, calls, the wall, a phone.

The clocks of the floor and of its page stand still, so that each picture is always the same.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser, Page, expect

from tests.browser.fake_floor import FakeFloor, Strip, calling_strip, warned_strip
from tests.browser.floor_actions import FRAME, many_strips, type_sign_in
from tests.patience import eventually

NARROW = 900  # px: on a page this narrow or narrower, the console opens only when a call is touched
STILL = "performance.now = () => 0; Date.now = () => 0;"


class FloorScene(NamedTuple):
    """Numbers of tables and of open calls, and whether the wall is shown."""

    tables: int
    calls: int = 0
    wall: bool = False

    def strips(self) -> Iterator[Strip]:
        """Yield the strips: each call at another table, one table with a warning, and the rest."""
        names = [f"T{number * 7 % self.tables + 1}" for number in range(1, self.calls + 1)]
        for number, name in enumerate(names, 1):
            yield calling_strip(name, waited=30 * number, level=number)
        rest = [one for one in many_strips(self.tables, resting=1) if one.table not in names]
        yield from (warned_strip(one.table) if at == 0 else one for at, one in enumerate(rest))


SCENES: Mapping[str, FloorScene] = {
    "empty": FloorScene(0),
    "5-tables": FloorScene(5, 1),
    "12-tables": FloorScene(12, 3),
    "60-tables": FloorScene(60, 12),
    "200-tables": FloorScene(200, 5),
    "wall-12": FloorScene(12, 2, wall=True),
    "wall-200": FloorScene(200, 5, wall=True),
}


@contextmanager
def floor_posed(browser: Browser, scene: str, size: dict[str, int], language: str, folder: Path) -> Iterator[Page]:
    """Yield the page of a person signed in at a floor with this scene."""
    which = SCENES[scene]
    folder.mkdir()
    context = browser.new_context(viewport=size, reduced_motion="reduce", timezone_id="UTC", locale="en-GB")
    context.add_init_script(STILL)
    with FakeFloor(folder, *which.strips()) as floor:
        floor.is_still = True
        page = context.new_page()
        page.goto(f"{floor.url}/floor?lang={language}")
        type_sign_in(page, "Anna Pop", "2580")
        expect(page.locator(".bays li, .calls > .none").first).to_be_visible()
        if which.wall:
            page.locator(".wall").click()
            expect(page.locator(".pane")).to_be_hidden()
        elif which.calls and size["width"] > NARROW:
            expect(page.frame_locator(FRAME).locator(".ruling").first).to_be_visible()
        rests(page)
        yield page
        context.close()


def rests(page: Page) -> None:
    """Wait until five screenshots in turn are equal, since the page is laid out in several steps."""
    looks: list[bytes] = []

    def is_at_rest() -> bool:
        page.wait_for_timeout(50)
        looks.append(page.screenshot(animations="disabled"))
        return looks[-5:] == 5 * looks[-1:]

    eventually(is_at_rest)
