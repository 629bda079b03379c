"""Studio's look as files of the pages: a style sheet, a logo, a font.

The style sheet comes after the overlay's own.
"""

from collections.abc import Iterator

from ...config.overlay import IN_A_ROW, OverlaySection
from ...config.theme import SafeMargins, Theme

FONT = '@font-face { font-family: "Studio"; src: url("theme-font.woff2") format("woff2"); font-weight: 100 900; }\n'
AXES = {"top": "vh", "right": "vw", "bottom": "vh", "left": "vw"}


def theme_files(theme: Theme | None, overlay: OverlaySection = IN_A_ROW) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each file. The style sheet is always there, and empty if the studio sets nothing."""
    yield "theme.css", "".join((*(_styles(theme) if theme else ()), *_seats(overlay))).encode()
    if theme is not None and theme.logo is not None:
        yield f"theme-logo{theme.logo.suffix}", theme.logo.content
    if theme is not None and theme.font is not None:
        yield "theme-font.woff2", theme.font.content


def _styles(theme: Theme) -> Iterator[str]:
    if theme.font is not None:
        yield FONT
    yield f"body {{ {' '.join(_values(theme))} }}\n"
    if theme.logo is not None:
        yield ".logo { display: block; }\n"
    for game, safe in theme.file.safe.items():
        yield f'body[data-game="{game}"]:not([data-shape="column"]) {{ {" ".join(_edges(safe))} }}\n'


def _seats(overlay: OverlaySection) -> Iterator[str]:
    for place, (x, y) in overlay.seats.items():
        where = f"position: fixed; left: {x:g}%; top: {y:g}%; translate: -50% -50%;"
        yield f'[data-shape="wide"] [data-place="{place}"] {{ {where} }}\n'


def _values(theme: Theme) -> Iterator[str]:
    yield f"--shoe: {theme.file.shoe};"
    for name in theme.file.colours.__struct_fields__:
        colour = getattr(theme.file.colours, name)
        if colour is not None:
            yield f"--{name}: {f'color-mix(in srgb, {colour} 88%, transparent)' if name == 'panel' else colour};"
    if theme.font is not None:
        yield '--font: "Studio";'
    if theme.logo is not None:
        yield f'--logo: url("theme-logo{theme.logo.suffix}");'


def _edges(safe: SafeMargins) -> Iterator[str]:
    for edge, unit in AXES.items():
        percent = getattr(safe, edge)
        if percent is not None:
            yield f"--safe-{edge}: {percent:g}{unit};"
