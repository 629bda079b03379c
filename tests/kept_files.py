"""Compare complete texts with files that are kept beside the tests.

A change of a text that people read is so reviewed line by line. `KEEP=1 make test ARGS="tests/reports"` writes the
files again.
"""

import os
import re
from pathlib import Path

from controller.config.table_file import PROGRAM

KEEP = "KEEP"
_DIGEST = re.compile(r"\b[0-9a-f]{64}\b")
_STYLE = re.compile(r"<style>.*?</style>", re.DOTALL)


def is_kept(file: Path, text: str) -> bool:
    """Assert that the text equals the kept file; with KEEP in the environment, write the file first."""
    if os.environ.get(KEEP):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines(), file
    return True


def of_any_version(text: str) -> str:
    """Return the text with placeholders for the digests of rule sheets and the program's version."""
    return _DIGEST.sub("DIGEST", text).replace(PROGRAM, "VERSION")


def by_tags(html: str) -> str:
    """Return a page without its style sheets, one tag a line."""
    return _STYLE.sub("", html).replace("><", ">\n<")
