"""Paths of the documents, and their links and headings, read from Markdown."""

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = ROOT / "docs"
OUTSIDE = ("README", "CHANGELOG", "CONTRIBUTING", "SECURITY")
PAGES = (*(ROOT / f"{name}.md" for name in OUTSIDE), *sorted(DOCS.glob("*.md")))

_FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def links(text: str) -> Iterator[str]:
    """Yield the targets of a page's links and pictures in order."""
    yield from _LINK.findall(_FENCED.sub("", text))


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and other forges make them."""
    heads = re.findall(r"^#+ (.+)$", _FENCED.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def dead(page: Path) -> Iterator[str]:
    """Yield the links of a page to files or headings of this project that do not exist."""
    text = page.read_text(encoding="utf-8")
    for link in links(text):
        if re.match(r"[a-z]+:", link):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors(target.read_text(encoding="utf-8"))):
            yield link
