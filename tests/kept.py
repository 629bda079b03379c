"""Whole texts, compared with those that are kept in files beside the tests.

A change of what people read is seen there, line by line, before it is accepted: `KEEP=1 make test ARGS="tests/reports"`
writes the files anew.
"""

import os
import re
from pathlib import Path

KEEP = "KEEP"
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def is_kept(file: Path, text: str) -> bool:
    """Whether the text is the file's; with KEEP in the environment the file becomes the text."""
    if os.environ.get(KEEP):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines(), file
    return True


def by_tags(html: str) -> str:
    """A page without its style, a tag a line."""
    return _STYLE.sub("", html).replace("><", ">\n<")
