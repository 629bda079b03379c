"""Browser on the floor's page that notes when the strip of each call is painted (monotonic clock)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGS, CHROMIUM, FULL_HD

CLOCKS = 20  # readings of the page's clock
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
    """Page of a floor on which a person is signed in."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.ahead = min((self._ahead() for _ in range(CLOCKS)), key=lambda one: one[1])[0]
        page.evaluate(WATCH)

    def _ahead(self) -> tuple[float, float]:
        """Return by how many seconds the page's clock is ahead, and the uncertainty of that."""
        began = time.monotonic()
        page_time = self._page.evaluate(NOW)
        ended = time.monotonic()
        return page_time - (began + ended) / 2, ended - began

    def painted(self) -> list[tuple[str, float]]:
        """Return the table of each call since the page was opened, and when its strip was painted."""
        return self._times("paintedAt")

    def told(self) -> list[tuple[str, float]]:
        """Return the table of each call since the page was opened, and when the page received it."""
        return self._times("toldAt")

    def _times(self, name: str) -> list[tuple[str, float]]:
        return [(table, at - self.ahead) for table, at in self._page.evaluate(f"() => window.{name}")]

    def picture(self, path: str) -> None:
        self._page.screenshot(path=path)


@contextmanager
def wall(url: str, name: str, pin: str, tables: int) -> Iterator[Wall]:
    """Sign in on the floor's page in a browser; yield the page when it shows all tables."""
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
