"""Parts of `docs/` that are made by code, each between two comments: references and diagrams.

A page has at most one reference, made from the program, and any number of diagrams; the comment above a diagram has its
name.
"""

import re
from collections.abc import Callable, Mapping

from . import references
from .drawings import DRAWINGS
from .pages import DOCS

BEGIN, END = "<!-- made by `make docs` from here -->", "<!-- to here -->"

GENERATED: Mapping[str, Callable[[], str]] = {
    "api.md": references.api,
    "commands.md": references.commands,
    "config.md": references.config,
    "faults.md": references.faults,
    "figures.md": references.figures,
    "floor.md": references.floor,
    "glossary.md": references.glossary,
    "messages.md": references.messages,
}
_PART = re.compile(rf"{re.escape(BEGIN)}\n.*?^{re.escape(END)}$", re.DOTALL | re.MULTILINE)
_DRAWN = re.compile(rf"<!-- drawn by `make docs`: (\w+) -->\n.*?^{re.escape(END)}$", re.DOTALL | re.MULTILINE)


def renewed(text: str, name: str) -> str:
    """Return the text of a page with its generated parts made again."""
    if name in GENERATED:
        part = f"{BEGIN}\n\n{GENERATED[name]().strip()}\n\n{END}"
        text, count = _PART.subn(lambda _: part, text)
        assert count == 1, f"docs/{name}: expected one part between {BEGIN} and {END}, got {count}"
    return _DRAWN.sub(lambda found: _drawn(found[1]), text)


def _drawn(name: str) -> str:
    return f"<!-- drawn by `make docs`: {name} -->\n\n{DRAWINGS[name]().strip()}\n\n{END}"


def drawn_on(text: str) -> list[str]:
    """Return the names of a page's diagrams."""
    return _DRAWN.findall(text)


def made() -> list[str]:
    """Return the names of the pages with generated parts, in order."""
    pages = (page for page in sorted(DOCS.glob("*.md")))
    return [page.name for page in pages if page.name in GENERATED or drawn_on(page.read_text(encoding="utf-8"))]
