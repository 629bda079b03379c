"""Paragraphs of a page in Markdown: prose and items of lists, without headings, tables and fenced blocks."""

import re
from collections.abc import Iterator
from itertools import groupby

_FENCED = re.compile(r"^ *```.*?^ *```$", re.DOTALL | re.MULTILINE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OTHER = re.compile(r"\s*(#|\||!\[|$)")  # a heading, a row of a table, a picture or an empty line


def paragraphs(text: str) -> Iterator[str]:
    """Yield each paragraph as one line; each item of a list is a paragraph of its own."""
    lines = _COMMENT.sub("", _FENCED.sub("", text)).splitlines()
    for is_other, group in groupby(lines, lambda line: bool(_OTHER.match(line))):
        if not is_other:
            yield from re.split(r"\n(?=\s*(?:-|\*|\d+\.) )", "\n".join(group))


def too_long(text: str, words: int) -> list[str]:
    """First words of each paragraph that has more than `words` words."""
    found = (one.split() for one in paragraphs(text))
    return [f"{len(one)} words: {' '.join(one[:8])} …" for one in found if len(one) > words]
