"""Measure how much of the video, and of the middle third of its height, the overlay covers.

`covered_pixels` counts the pixels of the page's picture on a transparent ground. `covered_boxes` adds up the boxes of
the visible parts; it takes a hundredth of the time and leaves out the soft ends of shadows.
"""

from base64 import b64encode
from typing import NamedTuple

from playwright.sync_api import Page

MOST = 0.22  # share of the picture that may be covered while cards lie
FAINT = 40  # opacity of 255 below which a pixel does not count: the soft end of a shadow hides nothing
COUNT = """
async ([png, faint]) => {
  const blob = await (await fetch(`data:image/png;base64,${png}`)).blob();
  const image = await createImageBitmap(blob, { premultiplyAlpha: "none" });
  const { width, height } = image;
  const drawn = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  drawn.drawImage(image, 0, 0);
  const { data } = drawn.getImageData(0, 0, width, height);
  const rows = new Array(height).fill(0);
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    if (data[pixel * 4 + 3] >= faint) rows[Math.floor(pixel / width)] += 1;
  }
  const sum = (from, to) => rows.slice(from, to).reduce((all, row) => all + row, 0);
  const third = [Math.ceil(height / 3), Math.floor((height * 2) / 3)];
  return [sum(0, height) / (width * height), sum(...third) / (width * (third[1] - third[0]))];
}
"""
LAID = """
() => {
  const CELL = 4; // px
  const [wide, high] = [Math.ceil(innerWidth / CELL), Math.ceil(innerHeight / CELL)];
  const cells = new Uint8Array(wide * high);
  const fill = ({ left, top, right, bottom }) => {
    const [first, last] = [Math.max(0, Math.round(left / CELL)), Math.min(wide, Math.round(right / CELL))];
    const end = Math.min(high, Math.round(bottom / CELL));
    for (let row = Math.max(0, Math.round(top / CELL)); row < end; row += 1) {
      cells.fill(1, row * wide + first, row * wide + Math.max(first, last));
    }
  };
  const isClear = (colour) => colour === "transparent" || /[,/] ?0\\)$/.test(colour);
  const isPainted = ({ backgroundColor, backgroundImage, borderTopWidth, borderTopColor }) =>
    !isClear(backgroundColor) || backgroundImage !== "none" || (borderTopWidth !== "0px" && !isClear(borderTopColor));
  for (const one of document.querySelectorAll("body *")) {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (isPainted(getComputedStyle(one)) || one.matches("svg")) fill(one.getBoundingClientRect());
    for (const node of one.childNodes) {
      if (node.nodeType !== 3 || !node.data.trim()) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) fill(box);
    }
  }
  const sum = (from, to) => cells.subarray(from * wide, to * wide).reduce((all, one) => all + one, 0);
  const third = [Math.ceil(high / 3), Math.floor((high * 2) / 3)];
  const share = sum(...third) / (wide * (third[1] - third[0]));
  return [sum(0, high) / (wide * high), share, document.body.matches("[data-lying]")];
}
"""


class CoveredShares(NamedTuple):
    """Covered shares of the picture and of its middle third. `lying`: True while cards lie on the table."""

    whole: float
    middle: float
    lying: bool


def covered_pixels(page: Page, beside: Page) -> CoveredShares:
    """Return the covered shares by pixels. `beside`: an empty page, whose browser counts them."""
    png = page.screenshot(omit_background=True, animations="disabled")
    shares = beside.evaluate(COUNT, [b64encode(png).decode(), FAINT])
    return CoveredShares(*shares, lying=page.locator("body[data-lying]").count() == 1)


def covered_boxes(page: Page) -> CoveredShares:
    """Return the covered shares by the boxes of the page's visible parts."""
    return CoveredShares(*page.evaluate(LAID))
