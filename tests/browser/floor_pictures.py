"""Pictures of the floor in the documents: a demo with some calls, on a large screen and on a phone."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import FULL_HD
from tests.browser.people import expect_signed_in, give_reason, sign_in
from tests.end_to_end.studio import show

TABLES, CALLS, SEED = 12, 3, 5
PHONE = {"width": 390, "height": 844}
MANAGER, PIN = "1001", "2580"  # of the demo


def take_floor(browser: Browser, folder: Path) -> None:
    """Photograph a demo's floor page. The demo runs `--by-hand`: only the person at the floor may rule."""
    with tempfile.TemporaryDirectory() as place:
        options = ("--tables", str(TABLES), "--by-hand", "--speed", "2", "--seed", str(SEED))
        with show(Path(place), *options) as studio:
            url = f"http://127.0.0.1:{studio.stands()}/floor"
            for _ in range(CALLS):
                studio.says(r"  t\d+ +FAULT")
            large = at_the_floor(browser, url, FULL_HD)
            console = large.frame_locator("iframe")
            console.locator(".rulings button").first.tap()
            give_reason(console)
            expect(console.locator(".rule .confirm")).to_be_enabled()
            large.screenshot(path=folder / "floor.png")
            at_the_floor(browser, url, PHONE).screenshot(path=folder / "floor-phone.png")
            studio.is_ended()


def at_the_floor(browser: Browser, url: str, size: dict[str, int]) -> Page:
    """Open the floor's page, sign in, and wait until it shows a call."""
    page = browser.new_page(viewport=size, has_touch=True, reduced_motion="reduce")
    page.goto(url)
    sign_in(page, MANAGER, PIN)
    expect_signed_in(page)
    page.get_by_role("button", name="I am coming").first.wait_for()
    return page
