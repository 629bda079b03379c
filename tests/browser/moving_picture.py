"""Moving picture of the README: a card too many, the shift manager's ruling, the round continues.

Both screens are photographed at each step of one round at a running table. Frames show the dealer's screen on the left,
the shift manager's on the right and one line below them that says what happens.

Usage: python -m tests.browser.moving_picture [FOLDER]      (by default tests/browser/pictures)
"""

import io
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import ARGS, CHROMIUM
from tests.browser.people import confirm_ruling, expect_life, expect_signed_in, preview_ruling, sign_in
from tests.browser.table_process import DEALT, OVERDRAWN, TableProcess

NAME = "fault.webp"
SCREEN = {"width": 1024, "height": 768}
SHOWN = (640, 480)  # pixels of each screen in a frame
LINE = 44  # pixels of the line below the screens
SECONDS = (2.0, 2.5, 4.0, 4.5, 4.0)  # how long each frame stays
INK, PAPER = "#f4f1ea", "#17191c"


class PictureFrame(NamedTuple):
    """Both screens as PNG, and the sentence below them."""

    dealer: bytes
    manager: bytes
    says: str


class Camera:
    """Takes frames of a dealer's and a shift manager's page."""

    def __init__(self, dealer: Page, manager: Page) -> None:
        self._dealer, self._manager = dealer, manager
        self.frames = list[PictureFrame]()

    def take(self, life: str, says: str) -> None:
        """Wait until both pages show this state of the round, then photograph them."""
        for page in (self._dealer, self._manager):
            expect_life(page, life)
        self.frames.append(PictureFrame(self._dealer.screenshot(), self._manager.screenshot(), says))


def fault_and_ruling(browser: Browser, table: TableProcess) -> list[PictureFrame]:
    """Play a round of baccarat with one card too many, burn that card, and let it settle."""
    dealer, manager = (_opened(browser, table.page(name)) for name in ("dealer", "manager"))
    sign_in(manager, "anna")
    expect_signed_in(manager)
    camera = Camera(dealer, manager)
    table.say("open")
    table.say("bet", player="p1", market="player", stake=2500)
    camera.take("betting", "Bets are open. The shift manager watches the same round.")
    table.say("close")
    table.draw(*DEALT)
    camera.take("complete", "Player 9, Banker 5: the round has all its cards.")
    table.draw(*OVERDRAWN[len(DEALT) :])
    camera.take("paused", "One card too many: the table stops, the dealer waits, the shift manager is called.")
    preview_ruling(manager, "Burn").wait_for()
    camera.take("paused", "The manager chooses Burn and sees what it leads to before confirming.")
    confirm_ruling(manager)
    camera.take("settled", "The card is out of play and the round is settled. The record names who ruled and why.")
    return camera.frames


def _opened(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport=SCREEN, has_touch=True, reduced_motion="reduce")
    page.goto(url)
    return page


def composed(frame: PictureFrame) -> Image.Image:
    """Return one frame of the moving picture: both screens and the line of text."""
    width, height = SHOWN
    whole = Image.new("RGB", (2 * width, height + LINE), PAPER)
    for place, screen in enumerate((frame.dealer, frame.manager)):
        with Image.open(io.BytesIO(screen)) as image:
            whole.paste(image.convert("RGB").resize(SHOWN, Image.Resampling.LANCZOS), (place * width, 0))
    font = ImageFont.load_default(24)
    ImageDraw.Draw(whole).text((width, height + LINE // 2), frame.says, INK, font, anchor="mm")
    return whole


def save(frames: list[PictureFrame], path: Path) -> None:
    """Write the frames as an animated WebP that repeats."""
    first, *others = map(composed, frames)
    times = [round(1000 * seconds) for seconds in SECONDS]
    first.save(path, save_all=True, append_images=others, duration=times, loop=0, quality=80, method=6)


def take_moving_picture(browser: Browser, folder: Path) -> None:
    """Play the round at a table of its own and save the picture."""
    with tempfile.TemporaryDirectory() as place, TableProcess(Path(place), cards=OVERDRAWN) as table:
        save(fault_and_ruling(browser, table), folder / NAME)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("pictures")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        take_moving_picture(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
