"""Table of results of `make test-vm`: one row a test, with the test's name as a sentence."""

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

NAMES = {"bookworm": "Debian 12 (bookworm)", "trixie": "Debian 13 (trixie)"}
DOCUMENTS = ("| Page | Blocks | Lines | Run at | |", "|---|---:|---:|---|---|")


@dataclass
class Row:
    """Result of one test."""

    outcome: str = "cut short"
    seconds: float = 0.0


@dataclass
class VmResults:
    """Results of all tests of a run, on one Debian."""

    debian: str
    kernel: str = "?"
    processor: str = "?"
    rows: dict[str, Row] = field(default_factory=dict)
    documents: list[str] = field(default_factory=list)  # table rows, one for each page that was run

    def heard(self, name: str, part: str, outcome: str, seconds: float) -> None:
        """Record how a part of a test (setup, call, teardown) ended, and how long the call took."""
        row = self.rows.setdefault(name, Row())
        if part == "call":
            row.seconds = seconds
        if outcome != "passed" or part == "call":
            row.outcome = outcome

    def table(self) -> str:
        """Return all results as a section of the page, in Markdown."""
        passed = sum(row.outcome == "passed" for row in self.rows.values())
        seconds = sum(row.seconds for row in self.rows.values())
        counted = f"{passed} passed, {len(self.rows) - passed} failed, {seconds:.0f} s"
        lines = [
            f"## {NAMES[self.debian]}",
            "",
            f"{datetime.now(UTC):%Y-%m-%d}, Linux {self.kernel}, {self.processor}: {counted}",
            "",
            "| Case | | Seconds |",
            "|---|---|---:|",
        ]
        lines += [f"| {sentence_of(name)} | {row.outcome} | {row.seconds:.0f} |" for name, row in self.rows.items()]
        if self.documents:
            lines += ["", *DOCUMENTS, *self.documents]
        return "\n".join(lines) + "\n"

    def write(self, page: Path) -> None:
        """Write the section into a page. It replaces the old section of this Debian; all other text stays."""
        old = page.read_text(encoding="utf-8") if page.exists() else "# On a real kernel\n\n"
        head, *parts = re.split(r"^## ", old, flags=re.MULTILINE)
        sections = {part.split("\n", 1)[0]: f"## {part}" for part in parts}
        sections[NAMES[self.debian]] = self.table()
        page.parent.mkdir(exist_ok=True)
        text = "\n".join([head.rstrip() + "\n", *(section.rstrip() + "\n" for _, section in sorted(sections.items()))])
        page.write_text(text, encoding="utf-8")


def sentence_of(name: str) -> str:
    """Return a test's name as a sentence."""
    words = name.removeprefix("test_").replace("_", " ")
    return re.sub(r"\bpc\b", "PC", words)
