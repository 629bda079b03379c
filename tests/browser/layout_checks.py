"""Layout checks on a page, made by the browser that draws it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

WRONG = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")

# Labels of cards whose rank or suit in the corner is partly hidden by another card.
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

# Texts of the given elements that are visible by style, but cut off or covered by others.
HIDDEN = """(all) => all.filter((one) => one.checkVisibility()).filter((one) => {
  const box = one.getBoundingClientRect();
  return [box.top + 2, box.bottom - 2].some((y) => {
    const seen = document.elementFromPoint(box.left + box.width / 2, y);
    return seen === null || !(one.contains(seen) || seen.contains(one) && seen === one.parentElement);
  });
}).map((one) => one.textContent)"""


# Show each picture, wait until it is drawn and measured, finish all motion, and look for faults. A console's own clock
# stands still, so this uses the browser's timers.
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


class LayoutFaults(NamedTuple):
    """Parts of a page that are cut off, covered, too small or too wide; and all its texts."""

    wrong: list[str]
    texts: list[str]


def layout_faults(page: Page, smallest: int) -> LayoutFaults:
    """Return the layout faults and texts of a page. `smallest`: least size of letters, in px."""
    return LayoutFaults(**page.evaluate(WRONG, smallest))


def layout_faults_of_each(page: Page, pictures: Sequence[Any], smallest: int) -> list[LayoutFaults]:
    """Show these pictures one after another; return the layout faults and texts of each."""
    return [LayoutFaults(**found) for found in page.evaluate(EACH.replace("LOOK", WRONG), [pictures, smallest])]
