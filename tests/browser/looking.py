"""Layout checks on a page, made by the browser that draws it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

WRONG = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

# Cards of which another one hides a part of rank or suit, where they are said in the corner.
COVERED = """() => [...document.querySelectorAll(".card .face :is(text, .index)")]
  .filter((one) => one.checkVisibility())
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const points = [[box.left + 1, 0.5], [box.right - 1, 0.5], [(box.left + box.right) / 2, 0.75]];
    return points.some(([x, down]) => {
      const seen = document.elementFromPoint(x, box.top + down * box.height)?.closest(".card");
      return seen && seen !== one.closest(".card");
    });
  })
  .map((one) => one.closest(".card").getAttribute("aria-label"))"""

# Things that stand there and are cut off, or lie under something else.
HIDDEN = """(all) => all.filter((one) => one.checkVisibility()).filter((one) => {
  const box = one.getBoundingClientRect();
  return [box.top + 2, box.bottom - 2].some((y) => {
    const seen = document.elementFromPoint(box.left + box.width / 2, y);
    return seen === null || !(one.contains(seen) || seen.contains(one) && seen === one.parentElement);
  });
}).map((one) => one.textContent)"""


# Each picture is shown and drawn, so that the page has measured itself; what moves is brought to its end, and it is
# looked at. A console's own clock stands still: it has the browser's.
EACH = """async ([pictures, ...what]) => {
  const look = LOOK;
  const { requestAnimationFrame, setTimeout } = window.timers ?? window;
  const drawn = () => new Promise((go) => requestAnimationFrame(() => setTimeout(go, 0)));
  const found = [];
  for (const picture of pictures) {
    window.shows(picture);
    await drawn();
    for (const one of document.getAnimations()) if (one.effect.getComputedTiming().endTime < Infinity) one.finish();
    found.push(look(...what));
  }
  return found;
}"""


class Found(NamedTuple):
    """Findings on a page: what is cut off, covered, too small or too wide; and all its texts."""

    wrong: list[str]
    texts: list[str]


def wrong_on(page: Page, smallest: int) -> Found:
    """Layout findings of a page. `smallest`: least size of letters, in px."""
    return Found(**page.evaluate(WRONG, smallest))


def wrong_on_each(page: Page, pictures: Sequence[Any], smallest: int) -> list[Found]:
    """Layout findings of each picture, shown one after another."""
    return [Found(**found) for found in page.evaluate(EACH.replace("LOOK", WRONG), [pictures, smallest])]
