"""Pictures for keys that are small screens: text and symbol of each act that is possible now.

Other keys are dark. The faces look like the keys of the dealer's screen: steps of the round are mint, calls that stop
it red. While the shift manager is called, that key alone is bright. All are drawn before the table starts, so that
nothing is read from disk while it runs.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import get_args

from PIL import Image, ImageDraw, ImageFont

from drivers.models import guard_codec
from drivers.panels import Form, Light, Pictured

from ..core.events import Key
from ..text.faults import Words
from ..text.keys import KEYS
from .keys import CALLS
from .symbols import draw_symbol

FONT = Path(__file__).parent.parent / "web" / "pages" / "inter.woff2"  # the font of the pages
WEIGHT = 800
LARGEST, WIDTH = 0.21, 0.88  # font size and width of a line, as parts of a key's side
FINER = 4  # a face is drawn with so many times the pixels, then scaled down
QUALITY = 95  # JPEG quality; letters have sharp edges


@dataclass(frozen=True, slots=True)
class KeyFace:
    """Content of one key's screen."""

    act: Key
    called: bool = False  # True: the key has called the shift manager, and nobody has answered yet


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours of a face, as in the pages (base.css)."""

    ground: str
    line: str
    ink: str


STEP = Paint("#7fdcb0", "#7fdcb0", "#07271a")
ASIDE = Paint("#1c2925", "#2f423b", "#f1f5f1")
CALL = Paint("#5a1414", "#ff9a8b", "#ffffff")
CALLED = Paint("#ff9a8b", "#ffffff", "#2a0505")
BLACK, WHITE = "#000000", "#ffffff"


class Faces:
    """Key display of one panel with screens."""

    def __init__(self, codec: Pictured, language: str) -> None:
        """Read keys and picture format from the codec, and draw all faces. Raises DriverFailed."""
        self._codec = codec
        with guard_codec(codec):
            self._keys, form = codec.keys, codec.form
        self._files = picture_files(language, form)

    def dark(self) -> dict[int, KeyFace | None]:
        """Return the display with every key dark."""
        return dict.fromkeys(self._keys)

    def display_of(self, act: Key, key: int, light: Light) -> tuple[int, KeyFace | None]:
        """Return the face of a key; None if it may not be pressed now."""
        return key, None if light is Light.OFF else KeyFace(act, light is Light.FLASH and act in CALLS)

    def reports(self, lamp: int, shows: KeyFace | None) -> list[bytes]:
        """Return the HID reports that show a picture on a key. Raises DriverFailed."""
        with guard_codec(self._codec):
            return self._codec.picture(lamp, self._files[shows])


@cache
def picture_files(language: str, form: Form) -> Mapping[KeyFace | None, bytes]:
    """Return the picture file of every face, and of a dark key (None)."""
    words, acts = Words(language), get_args(Key)
    drawings: dict[KeyFace | None, Image.Image] = {None: plain_picture(form.pixels, BLACK)}
    for face in [*map(KeyFace, acts), *(KeyFace(act, called=True) for act in acts if act in CALLS)]:
        drawings[face] = draw_face(face, words.say(KEYS[face.act]), form.pixels)
    return {shows: encode_picture(picture, form) for shows, picture in drawings.items()}


def plain_picture(side: int, colour: str) -> Image.Image:
    """Return a square picture of one colour. `side`: in pixels."""
    return Image.new("RGB", (side, side), colour)


def draw_face(face: KeyFace, text: str, side: int) -> Image.Image:
    """Draw a face upright. `side`: in pixels."""
    paint, large = _paint(face), side * FINER
    image = plain_picture(large, BLACK)
    pen = ImageDraw.Draw(image)
    pen.rounded_rectangle((0, 0, large - 1, large - 1), large // 9, paint.ground, paint.line, large // 32)
    height = large * 38 // 100
    mask = draw_symbol(face.act).resize((height, height), Image.Resampling.LANCZOS)
    image.paste(paint.ink, ((large - height) // 2, large * 9 // 100), mask)
    _write(pen, _lines(text.upper().split()), large, paint.ink)
    return image.resize((side, side), Image.Resampling.LANCZOS)


def encode_picture(image: Image.Image, form: Form) -> bytes:
    """Encode a picture in the panel's orientation and file format."""
    turned = image.rotate(form.turned) if form.turned else image
    if form.left_right:
        turned = turned.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    if form.upside_down:
        turned = turned.transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    file = BytesIO()
    turned.save(file, form.format, quality=QUALITY)
    return file.getvalue()


def _paint(face: KeyFace) -> Paint:
    if face.act in CALLS:
        return CALLED if face.called else CALL
    return ASIDE if face.act == "leave" else STEP


def _write(pen: ImageDraw.ImageDraw, lines: Sequence[str], side: int, ink: str) -> None:
    """Write the lines below the symbol, in the largest size that fits."""
    widest = max(_font(side).getlength(line) for line in lines)
    font = _font(side * min(LARGEST, WIDTH * side / widest))
    step = font.size * 1.08
    first = side * 0.72 - step * (len(lines) - 1) / 2
    for number, line in enumerate(lines):
        pen.text((side / 2, first + number * step), line, ink, font, "mm")


def _lines(words: Sequence[str]) -> list[str]:
    """Split words into at most two lines, as short as possible."""
    splits = ([" ".join(words[:at]), " ".join(words[at:])] for at in range(1, len(words)))
    return min(splits, key=lambda two: max(map(len, two)), default=list(words))


def _font(size: float) -> ImageFont.FreeTypeFont:
    font = ImageFont.truetype(str(FONT), size)
    font.set_variation_by_axes([WEIGHT])
    return font
