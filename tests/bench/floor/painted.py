"""The browser on the floor: when the strip of each call was painted, on the clock of all of this PC's programs."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGS, CHROMIUM, FULL_HD

CLOCKS = 20  # times that the page's clock is asked
HEAR = """(() => {
  window.toldAt = [];
  const known = new Set();
  const hear = ({ data }) => {
    const now = performance.now() / 1000;
    for (const { table, call } of JSON.parse(data).change.strips) {
      if (call === null) known.delete(table);
      else if (!known.has(table)) window.toldAt.push([known.add(table) && table, now]);
    }
  };
  window.EventSource = class extends EventSource {
    constructor(address) {
      super(address);
      this.addEventListener("change", hear);
    }
  };
})()"""
WATCH = """() => {
  window.paintedAt = [];
  const known = new Set();
  const lists = [...document.querySelectorAll(".bay.calls ol")];
  const of = (item) => item.querySelector(".table").textContent;
  const shown = () => lists.flatMap((list) => [...list.children].map(of));
  const now = () => performance.now() / 1000;
  const look = () => {
    const there = new Set(shown());
    for (const table of known) if (!there.has(table)) known.delete(table);
    const fresh = [...there].filter((table) => table && !known.has(table));
    if (fresh.length === 0) return;
    for (const table of fresh) known.add(table);
    const frame = new MessageChannel();
    frame.port1.onmessage = () => window.paintedAt.push(...fresh.map((table) => [table, now()]));
    requestAnimationFrame(() => frame.port2.postMessage(0));  // a frame has been drawn when that arrives
  };
  const all = { childList: true, subtree: true, characterData: true };
  for (const list of lists) new MutationObserver(look).observe(list, all);
  look();
}"""
NOW = "() => performance.now() / 1000"


class Wall:
    """A page on the floor, with somebody signed in."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.ahead = min((self._ahead() for _ in range(CLOCKS)), key=lambda one: one[1])[0]
        page.evaluate(WATCH)

    def _ahead(self) -> tuple[float, float]:
        """By how much the page's clock is ahead, and how uncertain that is."""
        began = time.monotonic()
        there = self._page.evaluate(NOW)
        ended = time.monotonic()
        return there - (began + ended) / 2, ended - began

    def painted(self) -> list[tuple[str, float]]:
        """Each call since the page was opened: its table, and when it was on the screen."""
        return self._times("paintedAt")

    def told(self) -> list[tuple[str, float]]:
        """And when the page was told of it."""
        return self._times("toldAt")

    def _times(self, name: str) -> list[tuple[str, float]]:
        return [(table, at - self.ahead) for table, at in self._page.evaluate(f"() => window.{name}")]

    def picture(self, path: str) -> None:
        self._page.screenshot(path=path)


@contextmanager
def wall(url: str, name: str, pin: str, tables: int) -> Iterator[Wall]:
    """It shows all tables."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        try:
            page = browser.new_page(viewport=FULL_HD)
            page.set_default_timeout(60_000)
            page.add_init_script(HEAR)
            page.goto(f"{url}/floor")
            page.get_by_label("Name").fill(name)
            for digit in pin:
                page.locator(".pad").get_by_role("button", name=digit, exact=True).click()
            page.locator(".gate .go").click()
            page.wait_for_function("count => document.querySelectorAll('.cells li').length >= count", arg=tables)
            yield Wall(page)
        finally:
            browser.close()
