"""Measure how much of the video the overlay covers, by game and state, in pixels of a real browser.

python -m tests.bench.covered_area [--game NAME] [--size 1920x1080] [--language en]
"""

import argparse

from playwright.sync_api import sync_playwright

from tests.browser.conftest import ARGS, CHROMIUM
from tests.browser.covered_shares import MOST, covered_pixels
from tests.browser.overlay_page import OverlayPage, table_after
from tests.browser.scenes import BETS, scenes


def main() -> None:
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("--game", choices=BETS)
    words.add_argument("--size", default="1920x1080")
    words.add_argument("--language", choices=("en", "ro"), default="en")
    given = words.parse_args()
    wide, high = map(int, given.size.split("x"))
    print(f"aim: at most {MOST:.0%} of the picture while cards lie, 0 % of its middle third")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        pages = browser.new_context(viewport={"width": wide, "height": high}, reduced_motion="reduce")
        on, beside = OverlayPage(pages.new_page()), pages.new_page()
        for game in [given.game] if given.game else BETS:
            for name, scene in scenes(game).items():
                on.show(table_after(game, scene.script), given.language, scene.after)
                whole, middle, lying = covered_pixels(on.page, beside)
                cards = "cards lie" if lying else ""
                print(f"{game:14} {name:14} {whole:6.1%}  middle third {middle:5.1%}  {cards}", flush=True)
        browser.close()


if __name__ == "__main__":
    main()
