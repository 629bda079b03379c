"""What the README shows is what the program does."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from controller.catalogue.diagrams import of_round
from controller.games import GAMES

ROOT = Path(__file__).parent.parent
README, DOCS = ROOT / "README.md", ROOT / "docs"

PICTURE = re.compile(r"!\[.+\]\((.+)\)")


def blocks(language: str, page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [block.rstrip() for block in re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]


def test_the_state_diagram_is_the_one_the_program_draws():
    assert blocks("mermaid", DOCS / "architecture.md") == [of_round()]


def test_the_rule_sheet_shown_is_the_one_that_is_played():
    (shown,) = blocks("python", README)
    assert shown in (ROOT / "controller/games/baccarat.py").read_text(encoding="utf-8")


def test_the_test_shown_as_an_example_is_one_of_ours():
    (shown,) = blocks("python", ROOT / "CONTRIBUTING.md")
    assert shown in (ROOT / "tests/games/test_baccarat.py").read_text(encoding="utf-8")


def test_every_picture_shown_is_there():
    pages = (README, *DOCS.glob("*.md"))
    pictures = {
        (page.parent / link).resolve() for page in pages for link in PICTURE.findall(page.read_text(encoding="utf-8"))
    }
    assert len(pictures) >= 4
    assert all(picture.stat().st_size > 10_000 for picture in pictures)


def test_the_opening_session_prints_what_it_says(tmp_path):
    commands, shown = zip(
        *re.findall(r"^\$ (.*)$\n?((?:^(?!\$).*\n?)*)", blocks("console", README)[0], re.MULTILINE), strict=True
    )
    shown = [text.strip("\n") for text in shown]
    (tmp_path / "natural.txt").write_text(shown[0] + "\n", encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for command, expected in zip(commands, shown, strict=True):
        ran = subprocess.run(
            command,
            shell=True,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.strip("\n") == expected, command


@pytest.mark.parametrize(
    "word", ["demo", "test", "bench", "proof", "install", "uninstall", "service", "deb", "bundle", "pictures"]
)
def test_every_make_target_named_exists(word):
    assert any(
        f"make {word}" in page.read_text(encoding="utf-8")
        for page in (README, ROOT / "CONTRIBUTING.md", *DOCS.glob("*.md"))
    )
    assert f"\n{word}:" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_every_game_has_an_example_config():
    assert {path.stem for path in (ROOT / "config").glob("*.toml")} == set(GAMES)
