"""Paragraphs, list items and table cells of a page in Markdown, without headings and fenced blocks."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

_FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OTHER = re.compile(r"\s*(#|\||!\[|$)")  # a heading, a row of a table, a picture or an empty line


def paragraphs(text: str) -> Iterator[str]:
    """Yield the text of each paragraph; each item of a list is a paragraph of its own."""
    for is_other, group in groupby(_lines(text), lambda line: bool(_OTHER.match(line))):
        if not is_other:
            yield from re.split(r"\n(?=\s*(?:-|\*|\d+\.) )", "\n".join(group))


def cells(text: str) -> Iterator[str]:
    """Yield each cell of the tables."""
    for line in _lines(text):
        if line.startswith("|"):
            yield from (cell.strip() for cell in line.strip("|").split("|"))


def too_long(texts: Iterable[str], words: int) -> list[str]:
    """Return the number of words and the beginning of each text that has more than `words` words."""
    found = (one.split() for one in texts)
    return [f"{len(one)} words: {' '.join(one[:8])} …" for one in found if len(one) > words]


def _lines(text: str) -> list[str]:
    return _COMMENT.sub("", _FENCED.sub("", text)).splitlines()
