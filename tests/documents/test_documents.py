"""Tests of the documents: generated parts are current, links lead to existing pages and headings."""

import re
import subprocess
import sys

import pytest

from .blocks import DIAGRAM
from .drawings import DRAWINGS
from .generated import drawn_on, made, renewed
from .pages import DOCS, PAGES, ROOT, anchors, dead, links

OPERATING = (
    "backup", "bus", "dead-pc", "dealer", "devices", "faults", "first-table", "floor", "game-server", "operating",
    "overlay", "people", "record", "resettlement", "several-tables", "shift-manager", "upgrade",
)  # fmt: skip


@pytest.mark.parametrize("name", made())
def test_every_generated_page_matches_the_current_program(name):
    text = (DOCS / name).read_text(encoding="utf-8")
    assert text == renewed(text, name), f"docs/{name} is stale: make docs"


def test_every_diagram_drawn_by_code_is_on_a_page():
    assert {name for page in made() for name in drawn_on((DOCS / page).read_text(encoding="utf-8"))} == set(DRAWINGS)


@pytest.mark.parametrize("page", OPERATING)
def test_every_operating_page_has_a_picture_or_a_diagram(page):
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    assert f"```{DIAGRAM}\n" in text or "![" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_within_the_project_leads_somewhere(page):
    assert list(dead(page)) == []


def test_every_page_can_be_reached_from_the_readme():
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            text = page.read_text(encoding="utf-8")
            ahead += [(page.parent / link.partition("#")[0]).resolve() for link in links(text) if ":" not in link]
    assert set(DOCS.glob("*.md")) - {DOCS / "README.md"} <= reached


def test_a_dead_link_is_found(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(
        "# A head\n[a](#a-head) [b](#b) [c](page.md) [d](gone.md) [e](https://example.com/x)\n```\n[f](f)\n```\n"
    )
    assert list(dead(page)) == ["#b", "gone.md"]
    assert anchors("# The *journey* of one card, in rooms") == {"the-journey-of-one-card-in-rooms"}


def test_the_readme_has_at_most_200_lines():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 200


def test_every_key_of_the_config_is_explained():
    rows = re.findall(r"^\| `.*\|$", (DOCS / "config.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(rows) > 80
    assert [row for row in rows if row.endswith("|  |")] == []


def test_the_command_for_generated_pages_changes_no_committed_page():
    before = {name: (DOCS / name).read_bytes() for name in made()}
    run = subprocess.run(
        [sys.executable, "-m", "tests.documents"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == [f"docs/{name}" for name in made()]
    assert {name: (DOCS / name).read_bytes() for name in made()} == before
