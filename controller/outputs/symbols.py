"""Symbols of the dealer's keys, so that a key can be told by more than its text or colour."""

from collections.abc import Callable, Mapping

from PIL import Image, ImageDraw

from ..core.events import Key

SIDE = 240  # pixels a symbol is drawn with
STROKE = 20
_Pen = ImageDraw.ImageDraw


def draw_symbol(act: Key) -> Image.Image:
    """Draw a key's symbol in white on black, as a mask to scale and colour."""
    image = Image.new("L", (SIDE, SIDE))
    _SYMBOLS[act](ImageDraw.Draw(image))
    return image


def _open(pen: _Pen) -> None:
    pen.polygon([(60, 30), (60, 210), (210, 120)], fill=255)


def _close(pen: _Pen) -> None:
    pen.rectangle((45, 45, 195, 195), fill=255)


def _finish(pen: _Pen) -> None:
    pen.line([(35, 130), (95, 190), (205, 55)], fill=255, width=36, joint="curve")


def _shuffled(pen: _Pen) -> None:
    for up in (True, False):
        ends = (170, 70) if up else (70, 170)
        pen.line([(25, ends[0]), (70, ends[0]), (150, ends[1]), (190, ends[1])], fill=255, width=STROKE, joint="curve")
        pen.polygon([(175, ends[1] - 32), (175, ends[1] + 32), (222, ends[1])], fill=255)


def _change(pen: _Pen) -> None:
    pen.arc((40, 40, 200, 200), 200, 340, fill=255, width=STROKE)
    pen.arc((40, 40, 200, 200), 20, 160, fill=255, width=STROKE)
    pen.polygon([(158, 92), (222, 100), (208, 36)], fill=255)
    pen.polygon([(82, 148), (18, 140), (32, 204)], fill=255)


def _cut(pen: _Pen) -> None:
    for left, top in ((40, 40), (70, 140)):
        pen.rounded_rectangle((left, top, left + 130, top + 60), 12, outline=255, width=STROKE)


def _ready(pen: _Pen) -> None:
    pen.rounded_rectangle((30, 30, 210, 210), 26, outline=255, width=STROKE)
    pen.line([(75, 122), (108, 155), (168, 85)], fill=255, width=28, joint="curve")


def _leave(pen: _Pen) -> None:
    pen.line([(120, 35), (45, 35), (45, 205), (120, 205)], fill=255, width=STROKE, joint="curve")
    pen.line([(95, 120), (175, 120)], fill=255, width=STROKE)
    pen.polygon([(165, 75), (165, 165), (220, 120)], fill=255)


def _dropped(pen: _Pen) -> None:
    pen.rounded_rectangle((30, 25, 125, 160), 14, outline=255, width=STROKE)
    pen.line([(175, 50), (175, 165)], fill=255, width=STROKE)
    pen.polygon([(133, 150), (217, 150), (175, 210)], fill=255)


def _exposed(pen: _Pen) -> None:
    half = [(x, (1 - ((x - 120) / 108) ** 2) * 72) for x in range(12, 229, 4)]
    pen.polygon([(x, 120 - up) for x, up in half] + [(x, 120 + up) for x, up in reversed(half)], fill=255)
    pen.ellipse((75, 75, 165, 165), fill=0)
    pen.ellipse((95, 95, 145, 145), fill=255)


def _manager(pen: _Pen) -> None:
    pen.polygon([(120, 18), (228, 210), (12, 210)], fill=255)
    pen.rounded_rectangle((108, 80, 132, 150), 10, fill=0)
    pen.ellipse((106, 164, 134, 192), fill=0)


_SYMBOLS: Mapping[Key, Callable[[_Pen], None]] = {
    "open": _open,
    "close": _close,
    "finish": _finish,
    "shuffled": _shuffled,
    "change": _change,
    "cut": _cut,
    "ready": _ready,
    "leave": _leave,
    "dropped": _dropped,
    "exposed": _exposed,
    "manager": _manager,
}
