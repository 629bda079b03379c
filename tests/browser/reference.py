"""Accepted looks of the pages: small grey pictures, boxes of parts, and the browser and fonts used."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from tests.browser.grey_pictures import GreyPicture, as_png, difference, of_png
from tests.browser.layout import Box, moved_part

KEPT = Path(__file__).with_name("pictures") / "reference"
LAYOUT = "layout.json"


class PageLook(NamedTuple):
    """Look of a page: its small grey picture and the boxes of its parts."""

    grey: GreyPicture
    boxes: list[Box]


class DrawnLooks(NamedTuple):
    """Looks of pages by name, and the browser and fonts that drew them."""

    by: Mapping[str, str]
    looks: Mapping[str, PageLook]


def accepted_looks() -> DrawnLooks:
    layout = json.loads((KEPT / LAYOUT).read_text(encoding="utf-8"))
    return DrawnLooks(
        layout.pop("drawn with"), {name: PageLook(_grey(name), _boxes(lines)) for name, lines in layout.items()}
    )


def _grey(name: str) -> GreyPicture:
    return of_png((KEPT / f"{name}.png").read_bytes())


def _boxes(lines: str) -> list[Box]:
    parts = (line.split() for line in lines.split(", "))
    return [Box(name, tuple(map(int, edges))) for name, *edges in parts]


def keep(drawn: DrawnLooks) -> None:
    KEPT.mkdir(parents=True, exist_ok=True)
    for path in KEPT.iterdir():
        path.unlink()
    for name, look in drawn.looks.items():
        (KEPT / f"{name}.png").write_bytes(as_png(look.grey))
    layout = {
        name: ", ".join(" ".join(map(str, (box.name, *box.edges))) for box in look.boxes)
        for name, look in drawn.looks.items()
    }
    text = json.dumps({"drawn with": drawn.by, **layout}, indent=0, ensure_ascii=False)
    (KEPT / LAYOUT).write_text(f"{text}\n", encoding="utf-8")


def differences(before: DrawnLooks, now: DrawnLooks) -> dict[str, str]:
    """Return by name how pictures differ from the accepted ones.

    Letters differ with another browser or other fonts: then only the boxes of the parts are compared."""
    names = dict.fromkeys([*before.looks, *now.looks])
    found = {name: _difference(before, now, name) for name in names}
    return {name: text for name, text in found.items() if text}


def _difference(before: DrawnLooks, now: DrawnLooks, name: str) -> str:
    if name not in before.looks or name not in now.looks:
        return "is new" if name in now.looks else "is gone"
    was, looks = before.looks[name], now.looks[name]
    other = moved_part(looks.boxes, was.boxes)
    return other or (difference(looks.grey, was.grey) if before.by == now.by else "")
