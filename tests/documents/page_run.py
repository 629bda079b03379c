"""Type a page line by line at bare PCs, from first to last block; stop at the first line that fails."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from .blocks import Block, PageLine, blocks_of
from .pages import DOCS
from .typist import HOME, Printed, Typist

# The pages for engineers: all their blocks are run.
RUN = (
    "first-table.md", "several-tables.md", "backup.md", "upgrade.md",
    "dead-pc.md", "bus.md", "floor.md", "operating.md",
)  # fmt: skip
LONG = 5.0  # seconds without output, after which people no longer know whether a command works


class LineFailed(AssertionError):
    """A line did not do what the page says."""


class PageResult(NamedTuple):
    """Result of a page: numbers of blocks and lines. `silent`: lines without output for LONG seconds."""

    page: str
    blocks: int
    lines: int
    where: str
    silent: tuple[str, ...]

    def row(self) -> str:
        """Return the row of this page for the table in docs/vm.md."""
        return f"| [{self.page}]({self.page}) | {self.blocks} | {self.lines} | {self.where} | passed |"


def as_shown(shown: str) -> re.Pattern[str]:
    """Return a pattern for shown output: `…` is any text; alone on a line, any number of lines."""
    lines = ("(?s:.*\n)?" if line == "…" else f"{re.escape(line)}\n".replace("…", ".*") for line in shown.split("\n"))
    return re.compile("".join(lines))


class PageRun:
    """Run of one page on its PCs. `person_at`: returns the person at the PC of this name."""

    def __init__(self, person_at: Callable[[str], Typist], say: Callable[[str], None]) -> None:
        self._person_at, self._say = person_at, say
        self.lines, self.silent, self.pcs = 0, list[str](), set[str]()

    def page(self, page: Path) -> PageResult:
        """Run the blocks that the page needs before it, then all of its own. Raises LineFailed."""
        blocks = blocks_of(page)
        before = list(_before(blocks))
        for name in sorted({block.pc for block in (*before, *blocks) if block.is_run}):
            self._person_at(name)  # start all PCs first: a PC may send files to another one
        for block in before:
            self._block(block)
        self.lines, self.silent = 0, []
        done = [block for block in blocks if self._block(block)]
        where = ", ".join(sorted(self.pcs))
        return PageResult(page.name, len(done), self.lines, where, tuple(self.silent))

    def _block(self, block: Block) -> bool:
        """Run a block. Returns False if the page says that it is not run."""
        if not block.is_run:
            return False
        self.pcs.add(block.pc)
        person = self._person_at(block.pc)
        text = block.text
        for order in block.ordered("given"):
            self._on(order, person)
        for order in block.ordered("fill"):
            gap, command = order.split(" = ", 1)
            assert gap in text, f"{block.page}:{block.number}: there is no {gap} to be filled in"
            text = text.replace(gap, self._on(command, person))
        block = block._replace(text=text)
        with _beside(person, block.ordered("beside")):
            self._do(person, block)
        for order in block.ordered("then"):
            self._on(order, person)
        return True

    def _on(self, command: str, person: Typist) -> str:
        """Run a command as root and return its output; `PC: COMMAND` runs at another PC."""
        other = re.match(r"(\w+): (.*)", command)
        return (self._person_at(other[1]).as_root(other[2]) if other else person.as_root(command)).strip()

    def _do(self, person: Typist, block: Block) -> None:
        if path := block.ordered("file"):
            _written(person, path[0], block.text)
            return
        for line in block.lines():
            self._line(person, block, line)

    def _line(self, person: Typist, block: Block, line: PageLine) -> None:
        at = f"{block.page}:{line.number}"
        self._say(f"{at} {block.pc}$ {line.text}")
        printed = person.types(line, block)
        self._say(printed.output)
        self.lines += 1
        if printed.silence > LONG:
            self.silent.append(f"{at} {printed.silence:.0f} s")
        if fault := _fault(line, printed, block):
            raise LineFailed(f"docs/{at}: {fault}\n$ {line.text}\n{printed.output}")
        for command in block.at("until", line):
            person.waits(command)


def _before(blocks: Sequence[Block]) -> Iterator[Block]:
    """Yield the blocks of other pages that have to be run before this page, in order."""
    for order in blocks[0].ordered("after") if blocks else ():
        name, count = order.rsplit(" ", 1)
        others = blocks_of(DOCS / name)[: int(count)]
        yield from _before(others)
        yield from others


def _written(person: Typist, path: str, text: str) -> None:
    """Write a section into a config: at the head of the existing section, else at the end of the file."""
    section = text.partition("\n")[0].replace("[", "\\[").replace("]", "\\]")
    edit = f"sed -i -e '/^{section}/{{r /run/block' -e 'd}}' {path}"
    person.as_root(
        f"cat >/run/block; if grep -q '^{section}' {path}; then {edit}; else cat /run/block >>{path}; fi", text
    )


def _fault(line: PageLine, printed: Printed, block: Block) -> str:
    """Return how the result of a line differs from the page; empty if it does not."""
    if line.shown is not None and not as_shown(line.shown).fullmatch(f"{printed.output}\n"):
        return f"printed something else than is shown:\n{line.shown}"
    if missing := [text for text in block.at("prints", line) if text not in printed.output]:
        return f"did not print {missing[0]}"
    may_fail = any(one in line.text for one in block.ordered("fails"))
    if printed.code and not may_fail and not line.shown:
        return f"ended with exit code {printed.code}"
    return "ended with exit code 0, though it is to fail" if may_fail and not printed.code else ""


@contextmanager
def _beside(person: Typist, commands: list[str]) -> Iterator[None]:
    """Run commands as services of the person inside the block, and stop them at its end."""
    units = [f"beside{number}" for number, _ in enumerate(commands)]
    for unit, command in zip(units, commands, strict=True):
        options = f"--quiet --collect --unit={unit} --uid=eva --working-directory={HOME}"
        person.as_root(f'systemd-run {options} sh -c "$(cat)"', command)
    try:
        yield
    finally:
        for unit in units:
            person.as_root(f"systemctl stop {unit} || true")
