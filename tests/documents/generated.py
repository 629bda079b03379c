"""The parts of `docs/` that are made from the program: each stands between two comments, never written by hand."""

import re
from collections.abc import Callable, Mapping

from . import references

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


def renewed(text: str, name: str) -> str:
    """A page with its generated part as the program has it now."""
    part = f"{BEGIN}\n\n{GENERATED[name]().strip()}\n\n{END}"
    page, made = _PART.subn(lambda _: part, text)
    assert made == 1, f"docs/{name}: expected one part between {BEGIN} and {END}, got {made}"
    return page
