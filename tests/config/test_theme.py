"""Overlay theme of a studio: what its file may contain, and the style sheet made from it."""

from contextlib import closing
from pathlib import Path

import pytest

from controller.config.mistakes import BadConfig
from controller.config.theme import LARGEST, load_theme
from controller.config.web import WebSection
from controller.web.net.listening import listen
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


def test_a_theme_is_one_style_sheet_and_its_logo(tmp_path):
    files = dict(theme_files(load_theme(written(tmp_path, WHOLE))))
    style = files["theme.css"].decode()
    assert files["theme-logo.svg"].startswith(b"<svg")
    assert "--player: #003a8c;" in style
    assert "--shoe: left;" in style
    assert "--banker" not in style  # not set: keeps its default
    assert '[data-game="blackjack"]:not([data-shape="column"]) { --safe-bottom: 12vh; }' in style


def test_without_a_theme_the_style_sheet_is_there_and_empty():
    assert dict(theme_files(None)) == {"theme.css": b""}


def test_the_config_names_the_theme_a_missing_one_is_refused(tmp_path):
    right, users = str(written(tmp_path, WHOLE)), tmp_path / "t.users"
    with closing(listen(WebSection("127.0.0.1:0", theme=right), users)) as net:
        assert net.theme.file.shoe == "left"
    with pytest.raises(BadConfig, match=r"none.toml: no such file"):
        listen(WebSection("off", theme=str(tmp_path / "none.toml")), users)


@pytest.mark.parametrize("origin", ["10.0.0.9:5656", "http://10.0.0.9/page", "*", "http://a b", "http://a;"])
def test_a_graphics_server_is_named_by_its_origin(origin):
    for url in ("http://10.0.0.9:5656", "https://spx.studio.example", "http://[::1]:80"):
        WebSection(graphics=(url,)).check()
    with pytest.raises(BadConfig, match=r"web.graphics: expected origins such as http://10.0.0.9:5656, got"):
        WebSection(graphics=(origin,)).check()


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
        ('logo = "large.png"', "logo: expected at most 35,000 bytes, got 35,001 in large.png"),
        ('shoe = "top"', "shoe: expected one of left, right, got 'top'"),
        ("shoe =", "not TOML"),
    ],
)
def test_a_theme_error_is_one_line_with_its_key(tmp_path, text, says):
    with pytest.raises(BadConfig, match=says) as error:
        load_theme(written(tmp_path, text))
    assert "\n" not in str(error.value)
