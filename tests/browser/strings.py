"""List every Romanian text with a picture of its place on a page, for a native reader.

Usage: python -m tests.browser.strings FOLDER      (writes FOLDER/index.html and the pictures beside it)
"""

import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from controller.config.shifts import day_of, minutes_of, shift_at, zone_named
from controller.games import GAMES
from controller.reports.shift_report import report
from controller.text import alert_texts, refusals, ruling_reasons, story_texts, table_story_texts
from controller.text.faults import Words
from controller.web.screens import report_texts
from controller.web.screens.glossary_page import page as glossary_page
from controller.web.screens.report_page import page as report_page
from tests.browser.conftest import ARGS, CHROMIUM, FULL_HD
from tests.browser.consoles import ConsolePage
from tests.browser.states import page_state, states
from tests.browser.test_every_state import views
from tests.reports.week import BEGINS, HOUR, SHIFTS, ZONE, journal, week
from tests.text.test_words import GLOSSARY, TEXTS, texts_of

LANGUAGE, AROUND = "ro", 40  # px of a picture around its text
SAY = Words(LANGUAGE).say
# Every visible text with its box, and the invisible names of controls.
STANDING = """() => [...document.querySelectorAll("body *")].filter((one) => one.checkVisibility()).flatMap((one) => {
  const own = [...one.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data.trim());
  const box = one.getBoundingClientRect();
  const texts = [...own, one.getAttribute("aria-label"), one.getAttribute("placeholder")].filter(Boolean);
  return texts.map((text) => ({ text, x: box.x, y: box.y, width: box.width, height: box.height }));
}).filter((one) => one.width > 0 && one.x < innerWidth && one.x + one.width > 0 && one.y + one.height > 0)"""
BLANK, FEW = re.compile(r"(\{\w+\})"), 6  # letters: shorter words are found within other words too
ELSEWHERE: tuple[tuple[str, frozenset[str]], ...] = (  # places of texts that no page shows by itself
    ("a mail, a message or a webhook: an alert", frozenset(texts_of(alert_texts))),
    ("the story of a round or an alert: what happened beside the rounds", frozenset(texts_of(table_story_texts))),
    ("the story of a round (shift manager, Rounds)", frozenset(texts_of(story_texts))),
    (
        "the answer to a command that is refused: a note on the page, or a line of the program's",
        frozenset(texts_of(refusals)),
    ),
    ("what a shift manager may choose as the reason of a ruling", frozenset(texts_of(ruling_reasons))),
    ("the report of a shift", frozenset(texts_of(report_texts))),
    ("the glossary", frozenset(GLOSSARY)),
)
RARELY = "a page, in a state that these pictures do not have"


def pattern(text: str, *, within: bool) -> re.Pattern[str]:
    """Return the pattern of a Romanian text with filled blanks. `within`: short words within others too."""
    translation = SAY(text)
    body = "".join(".+?" if part.startswith("{") else re.escape(part) for part in BLANK.split(translation) if part)
    if len(re.sub(r"\W", "", BLANK.sub("", translation))) < FEW and not within:
        return re.compile(rf"\A\W*{body}\W*\Z")
    return re.compile(rf"(?<!\w){body}(?!\w)", re.IGNORECASE)


class Reader:
    """Finds texts on pages; keeps for each text its picture's name and the place."""

    def __init__(self, folder: Path) -> None:
        texts = dict.fromkeys(TEXTS)
        self._folder = folder
        self._alone, self._within = ({text: pattern(text, within=how) for text in texts} for how in (False, True))
        self.found: dict[str, tuple[str, str]] = {}

    def look(self, page: Page, where: str) -> None:
        """Take a picture of each text found here for the first time, or for the first time by itself."""
        standing = page.evaluate(STANDING)
        for how, patterns in ((where, self._alone), (f"{where}: within another text", self._within)):
            for text, looks in list(patterns.items()):
                one = next((one for one in standing if looks.search(one["text"])), None)
                if one is not None:
                    name = self.found[text][0] if text in self.found else f"{len(self.found) + 1:03}.png"
                    page.screenshot(path=self._folder / name, clip=_around(one, page), full_page=True)
                    self.found[text] = name, how
                    self._within.pop(text, None)
                    patterns.pop(text, None)


def _around(one: Mapping[str, Any], page: Page) -> Any:
    width = page.viewport_size["width"] if page.viewport_size else FULL_HD["width"]
    down = page.evaluate("scrollY")
    left, top = max(0, one["x"] - AROUND), max(0, one["y"] + down - AROUND)
    right = min(width, one["x"] + min(one["width"], 700) + AROUND)
    return {"x": left, "y": top, "width": max(20, right - left), "height": min(one["height"], 300) + 2 * AROUND}


def consoles(browser: Browser, reader: Reader, folder: Path) -> None:
    """Look for texts on the pages of dealers, shift managers and viewers, in every state of every game."""
    for name in ("dealer", "manager", "gate", "overlay"):
        context = browser.new_context(viewport=FULL_HD, reduced_motion="reduce")
        (folder / name).mkdir()
        on = ConsolePage(context.new_page(), name, LANGUAGE, folder / name)
        for game in GAMES:
            for state in states(game):
                on.show(page_state(game, state))
                reader.look(on.page, f"{name}, {game}, {state}")
            if name == "manager":
                for view in views(on, game):
                    reader.look(on.page, f"{name}, {game}, {view}")
                on.page.locator(".tabs button").first.click()
        context.close()


def papers(browser: Browser, reader: Reader, folder: Path) -> None:
    """Look for texts in the reports of a week's first shift and day, and in the glossary."""
    path, zone = journal(folder / "week.journal", week(1, 75)), zone_named(ZONE)
    first = shift_at(BEGINS + 8 * HOUR, minutes_of(SHIFTS), zone)
    page = browser.new_page(viewport={"width": 900, "height": 1200})
    links = [(name, f"#{name}") for name in ("before", "now", "day", "after")]
    for period in (first, day_of(first.local(first.since).date(), zone)):
        page.set_content(report_page(report(path, period), LANGUAGE, links, at_table=True))
        reader.look(page, f"report of a {period.kind}")
    page.set_content(glossary_page(LANGUAGE))
    reader.look(page, "glossary")
    page.close()


def elsewhere(text: str) -> str:
    """Return where a text without a picture is used."""
    return next((where for where, texts in ELSEWHERE if text in texts), RARELY)


def listing(found: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    """Yield the lines of the HTML page."""
    yield '<!doctype html><html lang="ro"><meta charset="utf-8"><title>Romanian</title><style>'
    yield "body{font:16px sans-serif}td{padding:6px;border-bottom:1px solid #999;vertical-align:top}"
    yield "img{max-width:640px;max-height:240px}</style>"
    yield f"<h1>{len(found)} of {len(dict.fromkeys(TEXTS))} texts with a picture</h1><table>"
    for text in sorted(dict.fromkeys(TEXTS), key=lambda text: (text not in found, found.get(text, ("",))[0])):
        image, where = found.get(text, ("", elsewhere(text)))
        picture = f'<img src="{image}" alt="" loading="lazy">' if image else ""
        yield f"<tr><td>{escape(text)}<td lang='ro'><b>{escape(SAY(text))}</b><td>{picture}<br>"
        yield f"<small>{escape(where)}</small>"
    yield "</table></html>"


def main() -> None:
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    reader = Reader(folder)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        consoles(browser, reader, Path(place))
        papers(browser, reader, Path(place))
        browser.close()
    lines = list(listing(reader.found))
    (folder / "index.html").write_text("\n".join(lines), encoding="utf-8")
    for text in dict.fromkeys(TEXTS):
        if text not in reader.found:
            print(f"{elsewhere(text)}: {text}")
    print(f"{len(reader.found)} of {len(dict.fromkeys(TEXTS))} texts with a picture: {folder / 'index.html'}")


if __name__ == "__main__":
    main()
