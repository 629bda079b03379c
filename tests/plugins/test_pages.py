"""Tests that code and commands on the pages for authors of games and drivers are correct."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from controller.config.web import WebSection
from tests.patience import eventually

from .site import ROOT, environment, files

DOCS = ROOT / "docs"
PAGES = {"write-a-game": "three_card_poker", "write-a-driver": "barcode_shoe", "write-a-panel": "key_strip"}


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("page", PAGES)
def test_code_quoted_on_a_page_is_in_the_example(page):
    package = ROOT / "examples" / PAGES[page]
    sources = [path.read_text(encoding="utf-8") for path in package.iterdir() if path.is_file()]
    quoted = [*blocks(page, "python"), *blocks(page, "toml")]
    assert len(quoted) >= 2
    for block in quoted:
        for part in block.split("\n\n"):
            assert any(part.strip("\n") in source for source in sources), part


@pytest.mark.proof
@pytest.mark.timeout(900)  # its commands run pytest
@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_runs_and_leaves_nothing_behind(page, tmp_path):
    before = files()
    commands = re.findall(r"^\$ (.*)$", "".join(blocks(page, "console")), re.MULTILINE)
    assert len(commands) >= 3
    path = f"{Path(sys.executable).parent}:{environment(tmp_path)['PATH']}"
    pip = {"PIP_TARGET": str(tmp_path), "PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0"}

    def ends(command: str) -> "subprocess.CompletedProcess[str] | None":
        """Run a command and return its result; None while another test's demo has the default port."""
        ran = subprocess.run(
            command, shell=True, cwd=ROOT, env={**environment(tmp_path), **pip, "PATH": path},
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return None if f"{WebSection().listen}: address already in use" in ran.stderr else ran

    for command in commands:
        ran = eventually(lambda command=command: ends(command))
        assert ran.returncode == 0, (command, ran.stdout, ran.stderr)
    assert files() == before
