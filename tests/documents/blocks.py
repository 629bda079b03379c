"""Fenced blocks of a page, each with the hidden comment above it that says how the block is run.

Readers do not see the comment. Its first line is `<!-- run`, and each further line is an order, `KEY: VALUE`:

    on: PC             the block is typed at this PC; by default at pc1
    after: PAGE N      at the top of a page: the first N blocks of PAGE are run before it
    given: COMMAND     root runs COMMAND before the block; `PC: COMMAND` at another PC, likewise below
    beside: COMMAND    COMMAND runs from before the block to its end
    then: COMMAND      root runs COMMAND after the block; it must succeed
    fill: TEXT = CMD   the reader replaces TEXT by the output of CMD
    file: PATH         the reader writes the block, a section, into this config
    at LINE: ...       what the person does while a line that contains LINE runs:
                       `after TEXT, type KEYS`, or `edit EXPRESSION` of sed in place of an editor
    until LINE: CMD    after that line the reader waits until CMD, run by root in the reader's folder, exits with 0
    prints LINE: TEXT  the output of that line contains TEXT
    fails: LINE        this line ends with an exit code other than 0, as the page says
    not: REASON        the block is not run
"""

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BLOCK = re.compile(
    r"^(?:<!-- run\n(?P<orders>.*?)^-->\n+)?^```(?P<language>\w*)\n(?P<text>.*?)^```", re.DOTALL | re.MULTILINE
)
_SAID = re.compile(r"^\$ (.*)$\n?((?:^(?!\$).*\n?)*)", re.MULTILINE)
SHELL = ("sh", "console")
DIAGRAM = "mermaid"


class HiddenOrder(NamedTuple):
    """Order of the hidden comment, one line."""

    key: str
    value: str


class PageLine(NamedTuple):
    """Typed command. `number`: its line on the page; `shown`: its output there, None if none is shown."""

    number: int
    text: str
    shown: str | None


class Block(NamedTuple):
    """Fenced block of a page with its orders. `number`: its first line on the page."""

    page: str
    number: int
    language: str
    text: str
    orders: tuple[HiddenOrder, ...]

    def ordered(self, key: str) -> list[str]:
        """Return the values of all orders of this key, in the order of the page."""
        return [order.value for order in self.orders if order.key == key]

    def at(self, key: str, line: PageLine) -> list[str]:
        """Return the values of all orders `KEY PART: VALUE` if the line contains PART."""
        parts = ((order.key.removeprefix(f"{key} "), order) for order in self.orders if order.key.startswith(f"{key} "))
        return [order.value for part, order in parts if part in line.text]

    @property
    def pc(self) -> str:
        """Name of the PC at which the block is typed."""
        return (self.ordered("on") or ["pc1"])[0]

    @property
    def is_run(self) -> bool:
        """True if the block is run or written to a file."""
        return not self.ordered("not") and (self.language in SHELL or bool(self.ordered("file")))

    def lines(self) -> Iterator[PageLine]:
        """Return the commands of a shell block, each with the output that the page shows."""
        return _of_console(self) if self.language == "console" else _of_shell(self)


def blocks_of(page: Path) -> list[Block]:
    """Return the blocks of a page in order, without its diagrams."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in _BLOCK.finditer(text):
        if match["language"] == DIAGRAM:
            continue
        number = text.count("\n", 0, match.start("text")) + 1
        orders = tuple(_orders(match["orders"] or ""))
        found.append(Block(page.name, number, match["language"], match["text"], orders))
    return found


def _orders(comment: str) -> Iterator[HiddenOrder]:
    for line in comment.splitlines():
        key, colon, value = line.partition(": ")
        assert colon, f"expected KEY: VALUE in a comment for the runner, got {line!r}"
        yield HiddenOrder(key, value)


def _of_console(block: Block) -> Iterator[PageLine]:
    matches = list(_SAID.finditer(block.text))
    shows = any(one[2].strip("\n") for one in matches)
    for one in matches:
        number = block.number + block.text.count("\n", 0, one.start())
        yield PageLine(number, one[1], one[2].strip("\n") if shows else None)


def _of_shell(block: Block) -> Iterator[PageLine]:
    """Split a shell block into commands; a command continues on the next line until bash can parse it."""
    begun, number = "", block.number
    for count, line in enumerate(block.text.splitlines(keepends=True), start=block.number):
        number = number if begun else count
        begun += line
        looked = subprocess.run(["bash", "-n", "-c", begun], capture_output=True, text=True, check=False)
        if not looked.stderr and not begun.endswith("\\\n"):
            if re.sub(r"^\s*#.*$", "", begun, flags=re.MULTILINE).strip():
                yield PageLine(number, begun.rstrip("\n"), None)
            begun = ""
    assert not begun, f"{block.page}:{number}: no whole command: {begun}"
