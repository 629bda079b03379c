"""Find the boxes of a page's parts, and the browser and fonts that draw the page.

The report, and some signs on other pages, use fonts of the PC. With other fonts their letters differ, but the parts of
a page still lie at the same places.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from playwright.sync_api import Page

TOLERANCE = 24  # px
# Samples of all text in fonts of the PC: the font names of the pages' styles, and letters and signs.
SAMPLES = {
    "pages": ("sans-serif", "Agilmw 0123 ♠♥♦♣→✓"),
    "frames": ("ui-monospace, 'DejaVu Sans Mono', monospace", "Agilmw 0123"),
    "report": ("'Inter', 'Helvetica Neue', 'Liberation Sans', Arial, sans-serif", "Agilmw 0123"),
}
# On a page without a font of its own, heights depend on the PC's letters: only left and right are compared.
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
    """Part of a page and its edges in px: left, right, and mostly top and bottom."""

    name: str
    edges: tuple[int, ...]


def boxes(page: Page) -> list[Box]:
    """Return the boxes of all visible parts, in the order of the page."""
    return [Box(name, tuple(edges)) for name, *edges in page.evaluate(LAID)]


def moved_part(now: Sequence[Box], before: Sequence[Box]) -> str:
    """Return which part has moved, is new or is gone; empty if all lie where they did."""
    ours, theirs = [box.name for box in now], [box.name for box in before]
    if ours != theirs:
        odd = sorted(set(ours) ^ set(theirs)) or [f"{len(ours)} parts, were {len(theirs)}"]
        return f"other parts: {', '.join(odd)}"
    for one, other in zip(now, before, strict=True):
        if any(abs(a - b) > TOLERANCE for a, b in zip(one.edges, other.edges, strict=True)):
            return f"{one.name} lies at {one.edges}, was at {other.edges}"
    return ""


def drawn_with(page: Page) -> Mapping[str, str]:
    """Return the browser's version, and for each sample the font found on this PC and the text's width."""
    browser = page.context.browser
    assert browser is not None
    page.set_content("".join(f'<p style="font-family: {family}">{text}' for family, text in SAMPLES.values()))
    session = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        session.send(f"{domain}.enable")
    root = session.send("DOM.getDocument")["root"]["nodeId"]
    found = session.send("DOM.querySelectorAll", {"nodeId": root, "selector": "p"})["nodeIds"]
    wide = page.evaluate(WIDTHS)  # the width shows how letters are fitted to pixels
    fonts = (f"{_fonts(session, node)}, {px} px" for node, px in zip(found, wide, strict=True))
    major = re.match(r"\d+", browser.version)
    return {"chromium": major[0] if major else "", **dict(zip(SAMPLES, fonts, strict=True))}


def _fonts(session: Any, node: int) -> str:
    used = session.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
    return ", ".join(sorted({font["familyName"] for font in used}))
