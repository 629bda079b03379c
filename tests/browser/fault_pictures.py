"""Pictures of the dealer's screen at each fault, as shown in docs/faults.md.

Usage: python -m tests.browser.fault_pictures [FOLDER]      (by default tests/browser/pictures/faults)
"""

import io
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from controller.core.fault_matrix import matrix
from controller.games import GAMES
from tests.browser.conftest import ARGS, CHROMIUM
from tests.browser.consoles import ConsolePage
from tests.browser.states import page_state

SCREEN = {"width": 1280, "height": 720}
SHOWN = (800, 450)  # pixels of a picture


def games() -> dict[str, str]:
    """Return for each fault's code the game that shows it in the pictures: the first with this fault."""
    found: dict[str, str] = {}
    for row in matrix(GAMES):
        found.setdefault(row.code, row.game)
    return found


def take_faults(browser: Browser, folder: Path) -> None:
    """Photograph the dealer's screen with each fault open, and save it as CODE.webp."""
    folder.mkdir(parents=True, exist_ok=True)
    page = browser.new_page(viewport=SCREEN, reduced_motion="reduce", timezone_id="UTC", locale="en-GB")
    with tempfile.TemporaryDirectory() as records:
        dealer = ConsolePage(page, "dealer", "en", Path(records))
        for code, game in games().items():
            dealer.stands(page_state(game, code))
            dealer.settle()
            with Image.open(io.BytesIO(page.screenshot(animations="disabled"))) as image:
                small = image.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS)
            small.save(folder / f"{code}.webp", quality=70, method=6)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("pictures") / "faults"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        take_faults(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
