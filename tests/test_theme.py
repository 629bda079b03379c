"""A studio's look of the overlay: what the file may say, and what becomes of it."""

from pathlib import Path

import pytest

from controller.config.mistakes import BadConfig
from controller.config.theme import LARGEST, load_theme
from controller.web.net.theme import theme_files

WHOLE = """
logo = "logo.svg"
shoe = "left"

[colours]
panel = "#101418"
player = "#003a8c"
accent = "#ffee00"

[safe.blackjack]
bottom = 12
"""


def written(folder: Path, text: str) -> Path:
    (folder / "logo.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>", encoding="utf-8")
    (folder / "large.png").write_bytes(bytes(LARGEST + 1))
    file = folder / "studio.toml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_theme_is_one_style_sheet_with_the_logo_beside_it(tmp_path):
    files = dict(theme_files(load_theme(written(tmp_path, WHOLE))))
    style = files["theme.css"].decode()
    assert files["theme-logo.svg"].startswith(b"<svg")
    assert "--player: #003a8c;" in style
    assert "--shoe: left;" in style
    assert "--banker" not in style  # as it is without a theme
    assert '[data-game="blackjack"]:not([data-shape="column"]) { --safe-bottom: 12vh; }' in style


def test_without_a_theme_the_style_sheet_is_there_and_empty():
    assert dict(theme_files(None)) == {"theme.css": b""}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("colour = 1", "studio.toml: colour: no such key"),
        ('[colours]\nplayer = "blue"', "colours.player: expected a colour such as #1d5fd1, got 'blue'"),
        ('[colours]\nbanker = "#ff8080"', r"colours.banker: expected a darker colour, .* got #ff8080 with 2\.\d"),
        ("[safe.bacarat]\ntop = 1", r"safe.bacarat: expected one of .*did you mean baccarat\?"),
        ("[safe.baccarat]\ntop = 90", "safe.baccarat.top: expected a number from 0 to 40, got 90"),
        ('logo = "logo.gif"', "logo: expected a file that ends in .png, .svg, .webp, got 'logo.gif'"),
        ('logo = "none.svg"', "none.svg: no such file or directory"),
        ('logo = "large.png"', "logo: expected at most 40,000 bytes, got 40,001 in large.png"),
        ('shoe = "top"', "shoe: expected one of left, right, got 'top'"),
        ("shoe =", "not TOML"),
    ],
)
def test_a_mistake_in_a_theme_is_one_line_with_its_key(tmp_path, text, says):
    with pytest.raises(BadConfig, match=says) as error:
        load_theme(written(tmp_path, text))
    assert "\n" not in str(error.value)
