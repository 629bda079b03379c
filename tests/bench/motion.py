"""Measure how smoothly the overlay moves and what it costs, beside an empty page in the same browser.

Prints the times between frames while a card or a result appears, in turns with the empty page; the layout shift over a
round; the processor time while rounds are dealt; and the bytes of each page.

    python -m tests.bench.motion [--moves N] [--seconds N]
"""

import argparse
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice, pairwise
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.bench.latency import percentile
from tests.browser.conftest import ARGS, CHROMIUM, FULL_HD
from tests.browser.overlay_page import OverlayPage, table_after
from tests.browser.scenes import BETS, scenes
from tests.browser.table_process import TableProcess
from tests.browser.test_weight import SHIFTS, weigh

WHILE = 600  # ms; a card takes 480 to appear
PACE = 1.5  # seconds from one card to the next
BEGIN = """(all) => {
  window.drawn = new Promise((done) => {
    const times = [];
    const turn = (now) => { times.push(now); now - times[0] < all ? requestAnimationFrame(turn) : done(times); };
    requestAnimationFrame(turn);
  });
}"""


def steps(game: str = "baccarat") -> list[str]:
    """Return the scripts of a round from the closed bets to its result, each one step longer."""
    states = scenes(game)
    lines = states["result"].script.split("; ")
    bets = len(states["no-more-bets"].script.split("; "))
    return ["; ".join(lines[:count]) for count in range(bets, len(lines) + 1)]


def gaps(page: Page, act: Callable[[], object]) -> list[float]:
    """Do `act` and return the times between the frames meanwhile, in ms."""
    page.evaluate(BEGIN, WHILE)
    act()
    times = page.evaluate("window.drawn")
    return [later - earlier for earlier, later in pairwise(times)]


def deal(on: OverlayPage) -> Iterator[Callable[[], object]]:
    """Yield functions that each show the next step of a round; show the round's start before each round."""
    tables = [table_after("baccarat", script) for script in steps()]
    while True:
        on.show(tables[0], after=9)
        for table in tables[1:]:
            yield lambda table=table: on.show(table)


def frames(browser: Browser, moves: int) -> tuple[list[float], list[float]]:
    """Measure frame times of an empty page and of the overlay, in turns and each alone; return both."""
    contexts = [browser.new_context(viewport=FULL_HD) for _ in range(2)]
    empty, page = (context.new_page() for context in contexts)
    on, bare, ours = OverlayPage(page), [], []
    for act in islice(deal(on), moves):
        ours += gaps(page, act)
        bare += gaps(empty, lambda: None)
    for context in contexts:
        context.close()
    return bare, ours


def shifted(browser: Browser) -> float:
    """Return the sum of all layout shifts over a round of each game."""
    page = browser.new_page(viewport=FULL_HD)
    on = OverlayPage(page)
    page.evaluate(SHIFTS)
    total = 0.0
    for game in BETS:
        tables = [table_after(game, script) for script in steps(game)]
        on.show(tables[0], after=9)
        page.wait_for_timeout(WHILE)
        page.evaluate("window.shifted = 0")
        for table in tables[1:]:
            on.show(table)
            page.wait_for_timeout(WHILE)
        total += page.evaluate("window.shifted")
    page.close()
    return total


def worked(browser: Browser) -> float:
    """Return the processor seconds of all processes that draw pages, up to now."""
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    return sum(one["cpuTime"] for one in processes if one["type"] in ("renderer", "GPU"))


def cost(browser: Browser, seconds: float, *, dealing: bool) -> float:
    """Return the share of a processor that a page takes over some seconds, with or without dealing."""
    page = browser.new_page(viewport=FULL_HD)
    acts = deal(OverlayPage(page)) if dealing else iter(lambda: lambda: None, None)
    next(acts)()
    began, before = time.monotonic(), worked(browser)
    while (took := time.monotonic() - began) < seconds:
        next(acts)()
        page.wait_for_timeout(PACE * 1000)
    share = (worked(browser) - before) / took
    page.close()
    return share


def weights(browser: Browser, folder: Path) -> dict[str, int]:
    with TableProcess(folder) as table:
        found = {}
        for name in ("dealer", "manager", "overlay"):
            page = browser.new_page()
            page.goto(table.page(name))
            page.locator("body").wait_for()
            found[name] = weigh(page)
            page.close()
    return found


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--moves", type=int, default=60, help="cards and results, on each side")
    words.add_argument("--seconds", type=float, default=60, help="of dealing, whose cost is measured")
    given = words.parse_args()
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        for name, times in zip(("empty page", "overlay"), frames(browser, given.moves), strict=True):
            figures = (percentile(times, 50), percentile(times, 99))
            print(f"{name:12} frame to frame: p50 {figures[0]:5.1f} ms, p99 {figures[1]:5.1f} ms of {len(times)}")
        print(f"layout shift over a round of each game (aim: 0): {shifted(browser):g}", flush=True)
        for name, dealing in (("empty page", False), ("overlay", True)):
            print(f"{name:12} {cost(browser, given.seconds, dealing=dealing):.1%} of a processor", flush=True)
        with tempfile.TemporaryDirectory() as folder:
            for name, size in weights(browser, Path(folder)).items():
                print(f"{name:12} {size:,} bytes (aim: 150,000 at most)")
        browser.close()


if __name__ == "__main__":
    main()
