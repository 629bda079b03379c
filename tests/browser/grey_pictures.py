"""Small grey pictures of pages, coarse enough to be equal on every PC that draws them.

A moved, removed or added part changes some square of such a picture; the smoothing of a letter's edge does not.
"""

import struct
import zlib
from base64 import b64decode, b64encode
from typing import NamedTuple

from playwright.sync_api import Page

WIDE = 160  # px
SQUARE = 4  # px of the small picture: 48 px of a full-HD screen
TOLERANCE = 7  # of 255, between the means of two squares at the same place
SIGNATURE = b"\x89PNG\r\n\x1a\n"
STEP = 4  # shades of grey taken as one, for smaller files
SMALLER = """
async ([png, wide]) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const high = Math.round(image.height * wide / image.width);
  const canvas = Object.assign(document.createElement("canvas"), { width: wide, height: high });
  const drawn = canvas.getContext("2d");
  drawn.imageSmoothingQuality = "high";
  drawn.drawImage(image, 0, 0, wide, high);
  const { data } = drawn.getImageData(0, 0, wide, high);
  let grey = "";
  for (let at = 0; at < data.length; at += 4) {
    grey += String.fromCharCode(Math.round(data[at] * 0.3 + data[at + 1] * 0.59 + data[at + 2] * 0.11));
  }
  return btoa(grey);
}
"""


class GreyPicture(NamedTuple):
    """Grey picture: its width and its pixels, row by row."""

    wide: int
    pixels: bytes

    @property
    def high(self) -> int:
        return len(self.pixels) // self.wide


def shrink(page: Page, png: bytes) -> GreyPicture:
    """Return a PNG as a small grey picture; the browser scales it."""
    return GreyPicture(WIDE, b64decode(page.evaluate(SMALLER, [b64encode(png).decode(), WIDE])))


def as_png(grey: GreyPicture) -> bytes:
    coarse = grey.pixels.translate(bytes(value // STEP * STEP for value in range(256)))
    rows = b"".join(b"\0" + coarse[at : at + grey.wide] for at in range(0, len(coarse), grey.wide))
    head = struct.pack(">IIBBBBB", grey.wide, grey.high, 8, 0, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return SIGNATURE + b"".join(_part(kind, content) for kind, content in parts)


def _part(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def of_png(png: bytes) -> GreyPicture:
    """Return the grey picture in a PNG that `as_png` has made."""
    wide = int.from_bytes(png[16:20])
    start = png.index(b"IDAT") + 4
    rows = zlib.decompress(png[start : start + int.from_bytes(png[start - 8 : start - 4])])
    return GreyPicture(wide, b"".join(rows[at + 1 : at + 1 + wide] for at in range(0, len(rows), wide + 1)))


def difference(one: GreyPicture, other: GreyPicture) -> str:
    """Return where and by how much the pictures differ most; empty if not by more than the tolerance."""
    if (one.wide, one.high) != (other.wide, other.high):
        return f"{one.wide} × {one.high} px, was {other.wide} × {other.high}"
    ours, theirs = _squares(one), _squares(other)
    worst = max(ours, key=lambda at: abs(ours[at] - theirs[at]))
    by = abs(ours[worst] - theirs[worst])
    return f"by {by:.0f} of 255 at {worst[0] / one.wide:.0%}, {worst[1] / one.high:.0%}" if by > TOLERANCE else ""


def _squares(grey: GreyPicture) -> dict[tuple[int, int], float]:
    """Return the mean of each square by its left and top, in the shades that a file keeps."""
    pixels = [value // STEP * STEP for value in grey.pixels]
    return {
        (left, top): sum(
            sum(pixels[row * grey.wide + left : row * grey.wide + left + SQUARE]) for row in range(top, top + SQUARE)
        )
        / SQUARE**2
        for top in range(0, grey.high - SQUARE + 1, SQUARE)
        for left in range(0, grey.wide - SQUARE + 1, SQUARE)
    }
