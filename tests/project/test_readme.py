"""Tests that the README and the documents show what the program does."""

import os
import re
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from controller.games import GAMES
from controller.lab.catalogue.diagrams import round_diagram
from tests.documents.page_run import as_shown
from tests.patience import eventually
from tests.ports import free

ROOT = Path(__file__).parents[2]
README, DOCS = ROOT / "README.md", ROOT / "docs"

PICTURE = re.compile(r"!\[.+\]\((.+)\)")


def blocks(language: str, page: Path) -> list[str]:
    text = page.read_text(encoding="utf-8")
    return [block.rstrip() for block in re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)]


def test_the_state_diagram_is_the_one_the_program_draws():
    assert blocks("mermaid", DOCS / "architecture.md") == [round_diagram()]


def test_the_rule_sheet_shown_is_the_one_that_is_played():
    (shown,) = blocks("python", README)
    assert shown in (ROOT / "controller/games/baccarat.py").read_text(encoding="utf-8")


def test_the_test_shown_as_an_example_is_one_of_ours():
    (shown,) = blocks("python", ROOT / "CONTRIBUTING.md")
    assert shown in (ROOT / "tests/games/test_baccarat.py").read_text(encoding="utf-8")


def test_every_picture_shown_exists():
    pages = (README, *DOCS.glob("*.md"))
    pictures = {
        (page.parent / link).resolve() for page in pages for link in PICTURE.findall(page.read_text(encoding="utf-8"))
    }
    assert len(pictures) >= 4
    assert all(picture.stat().st_size > 10_000 for picture in pictures)


# ── sessions ─────────────────────────────────────────────────────────────────────────────────────────────────────

SAID = re.compile(r"^\$ (.*)$\n?((?:^(?!\$).*\n?)*)", re.MULTILINE)


class Shell:
    """Shell that runs command lines in a folder; at its end, programs left running are killed."""

    def __init__(self, folder: Path) -> None:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self._folder, self._environment, self._groups = folder, {**os.environ, "PATH": path}, list[int]()

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        for group in self._groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)

    def prints(self, line: str) -> str:
        """Run a line; return all its output, errors included."""
        ran = subprocess.Popen(
            ["bash", "-c", line],
            cwd=self._folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        self._groups.append(ran.pid)
        return ran.communicate(timeout=300)[0].strip("\n")


def session(page: Path, number: int, folder: Path) -> None:
    """Run the commands of a page's session in a folder; assert that they print what the page shows."""
    shoe = str(free())
    with Shell(folder) as shell:
        for command, shown in SAID.findall(blocks("console", page)[number].replace("4001", shoe)):
            if "tablectl run" in command:
                for config in folder.rglob("*.toml"):  # the usual port may be in use on this PC
                    text = config.read_text(encoding="utf-8")
                    config.write_text(text.replace(":8032", f":{free()}"), encoding="utf-8")
            printed = shell.prints(command)
            assert as_shown(shown.strip("\n")).fullmatch(f"{printed}\n"), f"{command}\n{printed}"
            if log := re.search(r"tablectl run .* >(\S+) 2>&1 &", command):
                eventually(lambda file=folder / log[1]: '"event": "started"' in file.read_text(encoding="utf-8"))


def test_the_opening_session_prints_what_it_says(tmp_path):
    script = SAID.findall(blocks("console", README)[0])[0][1]
    (tmp_path / "natural.txt").write_text(script.strip("\n") + "\n", encoding="utf-8")
    session(README, 0, tmp_path)


QUICK, OF_TABLES = ("several-tables",), ("first-table", "dead-pc", "backup", "upgrade")


@pytest.mark.parametrize("page", QUICK + OF_TABLES)
def test_an_operators_session_asks_for_no_rights(page):
    assert "sudo" not in blocks("console", DOCS / f"{page}.md")[0]


@pytest.mark.parametrize("page", QUICK)
def test_a_session_of_an_operators_page_prints_what_is_shown(page, tmp_path):
    session(DOCS / f"{page}.md", 0, tmp_path)


@pytest.mark.proof
@pytest.mark.parametrize("page", OF_TABLES)
def test_a_session_with_tables_prints_what_the_page_shows(page, tmp_path):
    session(DOCS / f"{page}.md", 0, tmp_path)


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
