"""Run pages of `docs/` on bare PCs: `python -m tests.documents.run ROOT GIVEN first-table.md ...`.

ROOT: a bare Debian, made by `bare.sh`. GIVEN: the folder filled by `given.sh`.
"""

import sys
import tempfile
from pathlib import Path

from .bare_machines import Machines
from .page_run import LineFailed, PageRun
from .pages import DOCS


def main(root: str, given: str, *pages: str) -> int:
    """Run the pages and print a row for each. Returns 1 if a page fails."""
    rows, failed = list[str](), False
    for page in pages:
        with tempfile.TemporaryDirectory() as folder, Machines(Path(root), Path(given), Path(folder)) as machines:
            try:
                outcome = PageRun(machines.person_at, print).page(DOCS / page)
                rows += [outcome.row(), *outcome.silent]
            except LineFailed as error:
                failed = True
                rows.append(f"| {page} | FAILED {error}")
    print(*rows, sep="\n")
    return int(failed)


sys.exit(main(*sys.argv[1:]))
