"""Where the parts of a page lie, and with which browser and fonts it is drawn.

A page brings its font along, but not the report, and not for every sign: with other fonts on the PC, letters differ
where the parts of the page still lie as they did.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Page

TOLERANCE = 24  # px
# What of the pages is drawn in a font of the PC: as their styles name it, the letters and the signs.
SAMPLES = {
    "pages": ("sans-serif", "Agilmw 0123 ♠♥♦♣→✓"),
    "frames": ("ui-monospace, 'DejaVu Sans Mono', monospace", "Agilmw 0123"),
    "report": ("'Inter', 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif", "Agilmw 0123"),
}
# Those of a page that brings no font along are as high as its letters are.
LAID = """() => {
  const isOurs = document.fonts.size > 0;
  const parts = "header, nav, main, section, table, dialog, form, button, .panel, .hand, .spot, .card, .device";
  return [...document.querySelectorAll(parts)].filter((one) => one.checkVisibility({ visibilityProperty: true }))
    .map((one) => {
      const { left, right, top, bottom } = one.getBoundingClientRect();
      const name = [one.localName, ...[...one.classList].slice(0, 1)].join(".");
      return [name, ...[left, right, ...(isOurs ? [top, bottom] : [])].map(Math.round)];
    });
}"""

WIDTHS = """() => [...document.querySelectorAll("p")].map((one) => {
  const range = document.createRange();
  range.selectNodeContents(one);
  return range.getBoundingClientRect().width.toFixed(2);
})"""


class Box(NamedTuple):
    """A part of a page, and its edges in px."""

    name: str
    edges: tuple[int, ...]


def boxes(page: Page) -> list[Box]:
    """Of all parts that are seen, in the order of the page."""
    return [Box(name, tuple(edges)) for name, *edges in page.evaluate(LAID)]


def moved(now: Sequence[Box], before: Sequence[Box]) -> str:
    """Which part lies elsewhere, has come or is gone; empty where all lie as they did."""
    ours, theirs = [box.name for box in now], [box.name for box in before]
    if ours != theirs:
        odd = sorted(set(ours) ^ set(theirs)) or [f"{len(ours)} parts, were {len(theirs)}"]
        return f"other parts: {', '.join(odd)}"
    for one, other in zip(now, before, strict=True):
        if any(abs(a - b) > TOLERANCE for a, b in zip(one.edges, other.edges, strict=True)):
            return f"{one.name} lies at {one.edges}, was at {other.edges}"
    return ""


def drawn_with(page: Page) -> Mapping[str, str]:
    """The browser, and the fonts that it finds on this PC, with the width of what is written in them."""
    browser = page.context.browser
    assert browser is not None
    page.set_content("".join(f'<p style="font-family: {family}">{text}' for family, text in SAMPLES.values()))
    asked = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        asked.send(f"{domain}.enable")
    root = asked.send("DOM.getDocument")["root"]["nodeId"]
    found = asked.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"})["nodeIds"]
    wide = page.evaluate(WIDTHS)  # how letters are fitted to the pixels
    fonts = (f"{_fonts(asked, node)}, {px} px" for node, px in zip(found, wide, strict=True))
    major = re.match(r"\d+", browser.version)
    return {"chromium": major[0] if major else "", **dict(zip(SAMPLES, fonts, strict=True))}


def _fonts(asked: Any, node: int) -> str:
    used = asked.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return ", ".join(sorted({font["familyName"] for font in used}))
