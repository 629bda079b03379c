"""Actions of a person at a floor's page (open, sign in, press keys), and what the page shows."""

from contextlib import suppress
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Error, FrameLocator, Page, expect

from controller.floor.live.page_messages import ShownClaim, Strip
from tests.browser.conftest import FULL_HD
from tests.browser.fake_floor import FakeFloor, ago, strip
from tests.patience import eventually

FRAME = ".pane iframe:not([data-coming], [data-kept])"  # the console that is shown
HERS = ShownClaim("1001", "Anna Pop", ago(5), mine=True)
HIS = replace(HERS, id="1002", name="Bogdan Ilie", mine=False)

# Counts the changes that a page has received, and keeps the time of the last message by the page's own clock.
HEARS = """window.changes = 0; const { parse } = JSON; JSON.parse = (text) => {
  const told = parse(text);
  window.heard = performance.now();
  if (told?.change) window.changes += 1;
  return told;
};"""


def open_floor(
    visit, floor: FakeFloor, size=FULL_HD, language="en", url="", *, may_fail=False, clock=False, script=""
) -> Page:
    """Open a floor's page and sign in. `clock`: the test controls the page's clock; `script`: runs first."""
    look = visit("about:blank", size)
    look.may_fail = may_fail
    look.page.add_init_script(f"{HEARS}\n{script}")
    if clock:
        look.page.clock.install()
    look.page.goto(f"{url or floor.url}/floor?lang={language}")
    sign_in_at_floor(look.page, "Anna Pop", "2580")
    return look.page


def sign_in_at_floor(page: Page, name: str, pin: str) -> None:
    type_sign_in(page, name, pin)
    expect(page.locator(".bays li").first).to_be_attached()


def type_sign_in(page: Page, name: str, pin: str) -> None:
    page.locator("[name=name]").fill(name)
    page.locator("[name=pin]").fill(pin)
    page.keyboard.press("Enter")
    expect(page.locator(".gate")).to_be_hidden()


def leave_console(page: Page) -> None:
    """Press Esc in the console until the floor's page has the keyboard; works once the console has loaded."""

    def is_back() -> bool:
        console(page).locator("body").press("Escape")
        return page.evaluate("document.activeElement.tagName !== 'IFRAME'")

    eventually(is_back)


def stop_clock(page: Page) -> None:
    """Stop the page's clock a little ahead; a leap of three seconds would look like a silent line."""
    for ahead in (*8 * (1,), *4 * (2,), 4, 8, 16):
        with suppress(Error):  # the clock was past this time already
            page.clock.pause_at(page.evaluate("Date.now()") / 1000 + ahead)
            return
    raise AssertionError("the page's clock does not stand still")


def wait_for_changes(page: Page, changes: int) -> None:
    """Wait until the page has received this many changes since it was opened."""
    eventually(lambda: page.evaluate("window.changes") == changes)


def many_strips(count: int, resting: int = 6) -> list[Strip]:
    """Return the strips of this many tables, the last `resting` of them closed."""
    return [strip(f"T{number}", "resting" if number > count - resting else "playing") for number in range(1, count + 1)]


def shown_calls(page: Page) -> list[str]:
    return page.locator(".call .table").all_text_contents()


def wait_for_acts(floor: FakeFloor, count: int) -> list[dict[str, Any]]:
    """Wait until the floor has received this many acts; return all of them."""
    eventually(lambda: floor.acts[count - 1 : count])
    return floor.acts


def console(page: Page) -> FrameLocator:
    return page.frame_locator(FRAME)
