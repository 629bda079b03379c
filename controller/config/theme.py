"""Studio's own look of the players' overlay: one TOML file, with a logo and a font beside it.

The whole theme is checked before the table starts. White text must be readable on every colour behind it.
"""

import re
import tomllib
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..games import GAMES
from ..text.errors import did_you_mean, listing, quote, system_message, toml_error
from .mistakes import BadConfig, convert_part
from .sections import Section, Text

LARGEST = 35_000  # bytes of a logo or a font, so that the page with all its files stays below 150 kB
LOGOS = (".svg", ".png", ".webp")
FONTS = (".woff2",)
READABLE = 4.5  # WCAG 2.2, 1.4.3: least contrast of text and background

Percent = Annotated[float, Meta(ge=0, le=40)]


class Colours(Section, frozen=True):
    """Colours as #rrggbb; those left out keep their default."""

    panel: Text | None = None
    player: Text | None = None
    banker: Text | None = None
    tie: Text | None = None
    accent: Text | None = None  # colour of lines and marks, never behind text


class SafeMargins(Section, frozen=True):
    """Margins that stay free at each edge of the picture, in percent of its height or width."""

    top: Percent | None = None
    right: Percent | None = None
    bottom: Percent | None = None
    left: Percent | None = None


class ThemeFile(Struct, frozen=True, forbid_unknown_fields=True):
    """Content of the theme's TOML file."""

    logo: Text | None = None
    font: Text | None = None
    shoe: Literal["left", "right"] = "right"  # upper corner from which cards come
    colours: Colours = Colours()
    safe: dict[str, SafeMargins] = {}  # by game


class Asset(Struct, frozen=True):
    """Logo or font of a theme. `suffix`: of its file name."""

    suffix: str
    content: bytes


class Theme(Struct, frozen=True):
    """Theme with the content of its files."""

    file: ThemeFile
    logo: Asset | None
    font: Asset | None


def load_theme(path: Path) -> Theme:
    """Read and check a theme and its files. Raises BadConfig."""
    try:
        file = convert_part(tomllib.loads(path.read_text(encoding="utf-8-sig")), ThemeFile, "")
        _check(file)
        return Theme(file, _asset(path, "logo", file.logo, LOGOS), _asset(path, "font", file.font, FONTS))
    except OSError as error:
        raise BadConfig(f"{error.filename}: {system_message(error)}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadConfig(f"{path}: not TOML: {toml_error(error)}") from None
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None


def _check(file: ThemeFile) -> None:
    for name in file.colours.__struct_fields__:
        colour = getattr(file.colours, name)
        if colour is not None:
            _check_colour(name, colour)
    for game in file.safe:
        if game not in GAMES:
            raise BadConfig(f"safe.{game}: expected one of {listing(GAMES)}{did_you_mean(game, GAMES)}")


def _check_colour(name: str, colour: str) -> None:
    if not re.fullmatch("#[0-9a-fA-F]{6}", colour):
        raise BadConfig(f"colours.{name}: expected a colour such as #1d5fd1, got {quote(colour)}")
    contrast = 1.05 / (_luminance(colour) + 0.05)
    if name != "accent" and contrast < READABLE:
        raise BadConfig(
            f"colours.{name}: expected a darker colour, on which white can be read (contrast {READABLE}), "
            f"got {colour} with {contrast:.1f}"
        )


def _luminance(colour: str) -> float:
    """Relative luminance of a colour, 0 to 1 (WCAG 2.2)."""
    parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def _asset(theme: Path, key: str, name: str | None, suffixes: tuple[str, ...]) -> Asset | None:
    """Read a file named in the theme, which lies beside it. Raises BadConfig, OSError."""
    if name is None:
        return None
    path = theme.parent / name
    if path.suffix not in suffixes:
        raise BadConfig(f"{key}: expected a file that ends in {listing(suffixes)}, got {quote(name)}")
    content = path.read_bytes()
    if len(content) > LARGEST:
        raise BadConfig(f"{key}: expected at most {LARGEST:,} bytes, got {len(content):,} in {name}")
    return Asset(path.suffix, content)
